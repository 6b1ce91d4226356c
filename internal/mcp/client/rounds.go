package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// maxRounds is how often one request may come back for input.
	maxRounds = 10
	// maxQuestions is how many inputs one round may ask for.
	maxQuestions = 32
)

// rounds sends a request and goes on with it for as long as the server asks for
// input: a new id each time, the same params, what was asked, and the server's
// state byte for byte.
func (c *Client) rounds(ctx context.Context, r *request) (json.RawMessage, error) {
	if err := c.conn.hearing(ctx); err != nil {
		return nil, err
	}
	for round := 0; ; round++ {
		result, err := c.attempt(ctx, r)
		if round > 0 && errors.Is(err, wire.ErrNotSent) {
			// This round wasn't sent, but the request was: it is no longer new.
			return nil, fmt.Errorf("%w: %v", ErrOutcomeUnknown, err)
		}
		if err != nil || !c.dialect.modern {
			return result, err
		}
		switch kind := text(wire.Member(result, "resultType")); kind {
		case "", "complete":
			return result, nil
		case "input_required":
		default:
			return nil, fmt.Errorf("%w: it answered %s with a result of type %.40q, which this client doesn't know", ErrProtocol, r.method, kind)
		}
		if round == maxRounds {
			return nil, fmt.Errorf("%w: it asked for input %d times", ErrProtocol, maxRounds)
		}
		if r, err = c.nextRound(ctx, r, result); err != nil {
			return nil, err
		}
	}
}

// attempt sends a request, and once more where the server has refused to run it
// for a reason that can be mended.
func (c *Client) attempt(ctx context.Context, r *request) (json.RawMessage, error) {
	result, err := c.conn.do(ctx, r)
	var rpc *wire.Error
	if !errors.As(err, &rpc) {
		return result, err
	}
	again := *r
	again.onSent = nil
	switch {
	case rpc.Code == wire.CodeUnsupportedVersion && c.dialect.modern:
		modern, _ := common(supportedIn(rpc.Data))
		if modern == "" {
			return nil, err
		}
		again.dialect = modernDialect(&c.o, modern)
	case rpc.Code == wire.CodeURLElicitationRequired && !c.dialect.modern && c.o.Handlers.Elicit != nil:
		if agreed, asking := c.askURLs(ctx, r, rpc.Data); asking != nil {
			return nil, asking
		} else if !agreed {
			return nil, err
		}
	default:
		return nil, err
	}
	return c.conn.do(ctx, &again)
}

// askURLs shows the person each address of a -32042 (2025-11-25, elicitation
// "URL Elicitation Required Error"). agreed says that all were accepted.
func (c *Client) askURLs(ctx context.Context, r *request, data json.RawMessage) (agreed bool, _ error) {
	var d struct{ Elicitations []json.RawMessage }
	if json.Unmarshal(data, &d) != nil || len(d.Elicitations) == 0 || len(d.Elicitations) > maxQuestions {
		return false, nil // the server's error tells more than ours would
	}
	var questions []Question
	for _, params := range d.Elicitations {
		q, refusal := readQuestion(params, r.callIDs())
		if refusal != nil || q.Mode != "url" {
			return false, nil
		}
		questions = append(questions, q)
	}
	answers, err := c.ask(ctx, questions)
	if err != nil {
		return false, err
	}
	for _, a := range answers {
		if text(wire.Member(a, "action")) != "accept" {
			return false, nil
		}
	}
	return true, nil
}

// inputRequest is one of the inputs that a round asks for.
type inputRequest struct {
	Method string
	Params json.RawMessage
}

// nextRound answers an InputRequiredResult: it asks the person, and builds the
// request that goes on with r.
func (c *Client) nextRound(ctx context.Context, r *request, result json.RawMessage) (*request, error) {
	state := wire.Member(result, "requestState")
	asked := wire.Member(result, "inputRequests")
	var inputs map[string]inputRequest
	if asked != nil && json.Unmarshal(asked, &inputs) != nil {
		return nil, fmt.Errorf("%w: inputRequests is malformed", ErrProtocol)
	}
	switch n := len(inputs); {
	case state == nil && n == 0:
		return nil, fmt.Errorf("%w: it asks for input and doesn't say which", ErrProtocol)
	case n > maxQuestions:
		return nil, fmt.Errorf("%w: it asks for %d inputs at once, at most %d are taken", ErrProtocol, n, maxQuestions)
	}
	keys := slices.Sorted(maps.Keys(inputs))
	questions, err := c.questions(keys, inputs, r.callIDs())
	if err != nil {
		return nil, err
	}
	answers, err := c.ask(ctx, questions)
	if err != nil {
		return nil, err
	}
	var responses bytes.Buffer
	for i, key := range keys {
		answer := json.RawMessage(`{"roots":[]}`)
		if inputs[key].Method != "roots/list" {
			answer, answers = answers[0], answers[1:]
		}
		if i > 0 {
			responses.WriteByte(',')
		}
		fmt.Fprintf(&responses, "%s:%s", quote(key), answer)
	}
	return r.next(responses.Bytes(), asked != nil, state), nil
}

// questions reads the inputs that are for the person, in the order of keys. What
// can't be answered is found before anyone is asked.
func (c *Client) questions(keys []string, inputs map[string]inputRequest, callIDs []string) ([]Question, error) {
	var questions []Question
	for _, key := range keys {
		switch in := inputs[key]; {
		case in.Method == "roots/list":
		case in.Method == "elicitation/create" && c.o.Handlers.Elicit != nil:
			q, refusal := readQuestion(in.Params, callIDs)
			if refusal != nil {
				return nil, fmt.Errorf("%w: input %.40q: %s", ErrProtocol, key, refusal.Message)
			}
			questions = append(questions, q)
		default:
			return nil, fmt.Errorf("%w: %.80s", ErrInputUnsupported, in.Method)
		}
	}
	return questions, nil
}

// ask puts questions side by side, for a person may answer them in any order.
// They end with ctx and with the connection.
func (c *Client) ask(ctx context.Context, questions []Question) ([]json.RawMessage, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.conn.base, func() { cancel(afterSending(c.conn.cause())) })
	defer stop()
	answers := make([]json.RawMessage, len(questions))
	group, asking := errgroup.WithContext(ctx)
	for i, q := range questions {
		group.Go(func() (err error) {
			answers[i], err = c.o.Handlers.put(asking, q)
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if declined, ok := errors.AsType[*RefusedError](err); ok {
		return nil, fmt.Errorf("%w: its question was declined: %s", ErrProtocol, declined.Reason)
	}
	if err != nil {
		return nil, fmt.Errorf("a question could not be asked: %w", err)
	}
	return answers, nil
}

// next is the request of the following round. r's own members stay the prefix,
// whatever round r itself was.
func (r *request) next(responses []byte, asked bool, state json.RawMessage) *request {
	next := *r
	next.onSent = nil
	if next.first == nil {
		next.first = r.members
	}
	next.members = bytes.Clone(next.first)
	if asked {
		next.private = len(responses) > 2
		next.members = append(append(append(next.members, `,"inputResponses":{`...), responses...), '}')
	}
	if state != nil {
		next.members = append(append(next.members, `,"requestState":`...), state...)
	}
	return &next
}

func (r *request) callIDs() []string {
	if r.callID == "" {
		return nil
	}
	return []string{r.callID}
}
