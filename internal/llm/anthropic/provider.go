// Package anthropic speaks the Messages API
// (https://docs.anthropic.com/en/api/messages-streaming) by the official SDK, at
// Anthropic or at whatever serves that API under another address.
//
// As in package openai, the SDK gives shapes and the event stream. Its chain of
// credentials (environment, profiles on disk), its retries and its error texts,
// which hold addresses and bodies, are not used.
package anthropic

import (
	"context"
	"iter"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
)

// DefaultBaseURL is Anthropic's own.
const DefaultBaseURL = "https://api.anthropic.com"

// Options of a provider.
type Options struct {
	// BaseURL is DefaultBaseURL when empty; with or without /v1 at its end.
	BaseURL string
	// Key goes as x-api-key; empty for servers that want none.
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
}

var _ llm.Provider = (*Provider)(nil)

// New makes a provider; it connects to nothing. The error is about the address.
func New(o Options) (*Provider, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	at, err := exchange.ParseAddress(o.BaseURL, "/messages", "/v1")
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
		params, err := params(r)
		if err != nil {
			yield(nil, err)
			return
		}
		x := exchange.Open(ctx, p.exchange)
		defer x.Close()
		var res *http.Response
		err = p.client.Post(x.Context(), "v1/messages", params, &res,
			option.WithMiddleware(x.Do), option.WithJSONSet("stream", true))
		if err != nil {
			yield(nil, x.Failure(err))
			return
		}
		defer res.Body.Close()
		(&reading{blocks: map[int64]*block{}}).run(x, res, yield)
	}
}
