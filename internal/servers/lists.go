package servers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

const (
	// listGrace is how long a server that has listed its tools may take for its
	// other lists before it is ready without them.
	listGrace = 10 * time.Second
	// relistDelay collects changes: servers announce a burst of tools one by one.
	relistDelay = 300 * time.Millisecond
	// relistLimit bounds a list that is read again.
	relistLimit = 2 * time.Minute
)

const warnListFailed = "list_failed"

// listed is one list of a server, or why it could not be read.
type listed struct {
	kind model.ListKind
	list client.List
	err  error
}

var listMethods = map[model.ListKind]string{
	model.ListTools:     "tools/list",
	model.ListResources: "resources/list",
	model.ListTemplates: "resources/templates/list",
	model.ListPrompts:   "prompts/list",
}

func readList(ctx context.Context, c Client, kind model.ListKind) listed {
	l := listed{kind: kind}
	switch kind {
	case model.ListTools:
		l.list, l.err = twice(ctx, c.ListTools)
	case model.ListResources:
		l.list, l.err = twice(ctx, c.ListResources)
	case model.ListTemplates:
		l.list, l.err = twice(ctx, c.ListResourceTemplates)
	case model.ListPrompts:
		l.list, l.err = twice(ctx, c.ListPrompts)
	}
	if l.err != nil {
		l.err = &stageError{listMethods[kind], l.err}
	}
	return l
}

// listAll reads every list. A server whose tools can't be read is of no use; one
// that fails at another list is, and says so.
func listAll(ctx context.Context, c Client) ([]listed, error) {
	tools := readList(ctx, c, model.ListTools)
	if tools.err != nil {
		return nil, tools.err
	}
	ctx, cancel := within(ctx, listGrace)
	defer cancel()
	others := readLists(ctx, c, []model.ListKind{model.ListResources, model.ListTemplates, model.ListPrompts})
	return append([]listed{tools}, others...), nil
}

// readLists reads lists side by side.
func readLists(ctx context.Context, c Client, kinds []model.ListKind) []listed {
	out := make([]listed, len(kinds))
	var reading sync.WaitGroup
	for i, kind := range kinds {
		reading.Go(func() { out[i] = readList(ctx, c, kind) })
	}
	reading.Wait()
	return out
}

// warningsOf are the client's warnings about a list as the person reads them.
func warningsOf(warnings []client.Warning, kind model.ListKind) []model.Warning {
	out := make([]model.Warning, 0, len(warnings))
	for _, w := range warnings {
		warning := model.Warning{Code: w.Code, Message: w.Message}
		if kind == model.ListTools {
			warning.Tool = w.Item
		}
		out = append(out, warning)
	}
	return out
}

func listFailed(words *model.Error) model.Warning {
	return model.Warning{Code: warnListFailed, Message: fmt.Sprintf("a list could not be read: %s", words.Message)}
}
