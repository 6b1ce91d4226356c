package demo

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type notifyArgs struct {
	Method   string `json:"method"`
	Subject  string `json:"subject"`
	DedupKey string `json:"dedup_key"`
	Count    int    `json:"count"`
	Detached bool   `json:"detached"`
	Tools    string `json:"tools"`
}

func (d *demo) addNotify() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "notify",
		Title:       "Notify",
		Description: "Sends pushes, as a server does when something happened, and can add, change or remove a tool so that the list of tools changes.",
		Annotations: kit.Additive(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"method": {"type": "string", "title": "Method", "description": "The notification's method.", "pattern": "^event/[A-Za-z0-9_./-]+$", "maxLength": 100, "default": "event/demo"},
				"subject": {"type": "string", "title": "Subject", "description": "What happened.", "maxLength": 1000, "default": "Something happened"},
				"dedup_key": {"type": "string", "title": "Key", "description": "Pushes with the same key are the same news (_meta.pi_dedup_key). Empty: no key.", "maxLength": 200, "default": ""},
				"count": {"type": "integer", "title": "Count", "description": "How many pushes to send.", "minimum": 0, "maximum": 1000, "default": 1},
				"detached": {"type": "boolean", "title": "Outside of the call", "description": "Over HTTP: send on the session's own stream, not on that of this call. Needs a client that has one open.", "default": false},
				"tools": {"type": "string", "title": "Tools", "description": "What to do to the tool named surprise.", "enum": ["keep", "add", "change", "remove"], "default": "keep"}
			},
			"additionalProperties": false
		}`),
	}, func(ctx context.Context, req *mcp.CallToolRequest, args notifyArgs) (*mcp.CallToolResult, any, error) {
		switch args.Tools {
		case "add":
			d.addSurprise(&mcp.Tool{Description: "Exists only after notify has added it.", Annotations: kit.ReadOnly(), InputSchema: noArguments()})
		case "change":
			// What a person must hear of: it no longer says that it only reads.
			d.addSurprise(&mcp.Tool{Description: "Exists only after notify has changed it.", InputSchema: schema(`{
				"type": "object",
				"properties": {"all": {"type": "boolean", "title": "All", "default": true}}
			}`)})
		case "remove":
			d.server.RemoveTools(surprise)
		}
		pushCtx := ctx
		if args.Detached {
			pushCtx = kit.Detached(ctx)
		}
		for n := range args.Count {
			if err := kit.Push(pushCtx, req.Session, args.Method, news(args, n+1)); err != nil {
				return nil, nil, fmt.Errorf("%d of %d sent: %w", n, args.Count, err)
			}
		}
		return kit.Text(fmt.Sprintf("Sent %d × %s.", args.Count, args.Method)), nil, nil
	})
}

// news are the params of the nth push.
func news(args notifyArgs, n int) map[string]any {
	params := map[string]any{"subject": args.Subject, "number": n}
	if args.DedupKey != "" {
		params["_meta"] = map[string]any{"pi_dedup_key": args.DedupKey}
	}
	return params
}

const surprise = "surprise"

func (d *demo) addSurprise(tool *mcp.Tool) {
	tool.Name, tool.Title = surprise, "Surprise"
	mcp.AddTool(d.server, tool, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
		return kit.Text("Surprise!"), nil, nil
	})
}
