// Package openai speaks to any endpoint that takes OpenAI's chat completions
// (https://platform.openai.com/docs/api-reference/chat), by the official SDK:
// OpenAI itself, the gateways, and the local servers that say they are
// compatible. It knows their differences; what they have in common with other
// providers is in exchange.
//
// The SDK gives the shapes of requests and chunks, the event stream and the rules
// for credentials on redirects. Its environment variables, retries and error texts
// are not used: a key comes from Kontor only, a retry is shown to the person, and
// an error must hold no key.
package openai

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
	"kontor.dev/kontor/internal/model"
)

// DefaultBaseURL is OpenAI's own.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options of a provider.
type Options struct {
	// BaseURL is DefaultBaseURL when empty. For most servers it ends in /v1.
	BaseURL string
	// Key goes as a bearer token; empty for servers that want none.
	Key string
	// HTTP sends the requests; it must have no timeout of its own. Nil is
	// http.DefaultClient.
	HTTP *http.Client
	// Silence is exchange.DefaultSilence when zero.
	Silence time.Duration
}

// Provider is an llm.Provider.
type Provider struct {
	client   sdk.Client
	exchange exchange.Options
	// noUsage and completionTokens are learned from refusals.
	noUsage, completionTokens atomic.Bool
}

var _ llm.Provider = (*Provider)(nil)

// New makes a provider; it connects to nothing. The error is about the address.
func New(o Options) (*Provider, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	at, err := exchange.ParseAddress(o.BaseURL, "/chat/completions")
	if err != nil {
		return nil, err
	}
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	options := []option.RequestOption{
		option.WithBaseURL(at.Base + "/"), option.WithHTTPClient(o.HTTP), option.WithMaxRetries(0),
	}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	for name, values := range at.Query {
		for _, v := range values {
			options = append(options, option.WithQueryAdd(name, v))
		}
	}
	return &Provider{
		client: sdk.Client{Options: options},
		exchange: exchange.Options{
			Host: at.Host, Secrets: append(at.Secrets(), o.Key), Silence: o.Silence,
		},
	}, nil
}

// Stream implements llm.Provider.
func (p *Provider) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := llm.CheckTools(r.Tools); err != nil {
			yield(nil, err)
			return
		}
		x := exchange.Open(ctx, p.exchange)
		defer x.Close()
		res, err := p.send(x, r)
		if err != nil {
			yield(nil, x.Failure(err))
			return
		}
		defer res.Body.Close()
		new(reading).run(x, res, yield)
	}
}

// send posts the request, and once more for each thing that this endpoint turns
// out not to take.
func (p *Provider) send(x *exchange.Exchange, r llm.Request) (*http.Response, error) {
	for {
		params, err := p.params(r)
		if err != nil {
			return nil, err
		}
		var res *http.Response
		err = p.client.Post(x.Context(), "chat/completions", params, &res,
			option.WithMiddleware(x.Do), option.WithJSONSet("stream", true))
		if err == nil {
			return res, nil
		}
		if !p.learn(err) {
			return nil, err
		}
	}
}

// learn says whether a refusal names a parameter that we can do without, or under
// another name: stream_options, which older servers refuse, and max_tokens, which
// OpenAI's reasoning models do.
func (p *Provider) learn(err error) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Code != llm.CodeBadRequest {
		return false
	}
	switch {
	case strings.Contains(e.Message, "stream_options"):
		return p.noUsage.CompareAndSwap(false, true)
	case strings.Contains(e.Message, "max_completion_tokens"):
		return p.completionTokens.CompareAndSwap(false, true)
	}
	return false
}
