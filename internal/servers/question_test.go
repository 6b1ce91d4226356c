package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func formOf(fields int) json.RawMessage {
	var b strings.Builder
	for i := range fields {
		fmt.Fprintf(&b, `,"f%d":{"type":"string"}`, i)
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.TrimPrefix(b.String(), ",") + `}}`)
}

func TestAQuestionIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxQuestionText-1) + "é" + "the rest"
	cases := map[string]struct {
		question client.Question
		message  string // of what is asked
		refusal  string
	}{
		"a small one":        {client.Question{Message: "Who?", Schema: formOf(3)}, "Who?", ""},
		"a long message":     {client.Question{Message: long}, long[:maxQuestionText-1] + "… (10 more bytes cut)", ""},
		"as many fields":     {client.Question{Schema: formOf(maxQuestionFields)}, "", ""},
		"too many fields":    {client.Question{Schema: formOf(maxQuestionFields + 1)}, "", "a form of 513 fields is over the limit of 512"},
		"a large form":       {client.Question{Schema: json.RawMessage(`{"title":"` + strings.Repeat("x", maxQuestionSchema) + `"}`)}, "", "a form of 256 KiB is over the limit of 256 KiB"},
		"a long address":     {client.Question{URL: "https://a.example/" + strings.Repeat("x", 20000)}, "", "an address of 20018 bytes is over the limit of 8192"},
		"a long elicitation": {client.Question{ElicitationID: strings.Repeat("x", 2000)}, "", "an elicitationId of 2000 bytes is over the limit of 1024"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := bounded(tc.question)
			if tc.refusal != "" {
				if err == nil || err.Error() != tc.refusal {
					t.Errorf("refusal = %v, want %q", err, tc.refusal)
				}
				return
			}
			if err != nil || got.Message != tc.message {
				t.Errorf("message of %d bytes, %v; want one of %d", len(got.Message), err, len(tc.message))
			}
		})
	}
}

func TestADeclinedQuestionIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		r.inbox.ask = func(context.Context, model.Item) (model.Answer, error) {
			t.Error("the person was asked")
			return model.Answer{}, nil
		}
		_, err := c.o.Handlers.Elicit(t.Context(), client.Question{Mode: "form", Schema: formOf(5000)})
		const reason = "a form of 5000 fields is over the limit of 512"
		if err == nil || err.Error() != reason {
			t.Errorf("the server is told %v, want %q", err, reason)
		}
		if n := r.log.count("lifecycle a question of the server was declined: " + reason); n != 1 {
			t.Errorf("the log says it %d times", n)
		}
		expectWarning(t, r, warnQuestionRefused)
	})
}

func TestOpenQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		release := make(chan struct{})
		r.inbox.ask = func(context.Context, model.Item) (model.Answer, error) {
			<-release
			return model.Answer{Action: model.ActionDecline}, nil
		}
		const asked = 100
		refusals := make(chan error, asked)
		for range asked {
			go func() {
				_, err := c.o.Handlers.Elicit(t.Context(), client.Question{Mode: "form"})
				refusals <- err
			}()
		}
		synctest.Wait()
		if n := len(refusals); n != asked-maxOpenQuestions {
			t.Errorf("%d were refused, want %d", n, asked-maxOpenQuestions)
		}
		close(release)
		synctest.Wait()
		if n := r.log.count("lifecycle 68 questions of the server were refused because 32 waited already"); n != 1 {
			t.Errorf("the log sums them up %d times: %q", n, r.log.lines)
		}
		expectWarning(t, r, warnTooManyQuestions)
	})
}

// expectWarning passes the delay of small news and expects one warning.
func expectWarning(t *testing.T, r *rig, code string) {
	t.Helper()
	time.Sleep(2 * announceDelay)
	synctest.Wait()
	n := 0
	for _, w := range r.state(t, "a").Warnings {
		if w.Code == code {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d warnings %s, want one", n, code)
	}
}
