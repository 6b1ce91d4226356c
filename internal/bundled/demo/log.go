package demo

//lint:file-ignore SA1019 2026-07-28 deprecates logging; servers of both revisions still log, so the demo does

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type logArgs struct {
	Message string `json:"message"`
	Lines   int    `json:"lines"`
}

func (d *demo) addLog() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "log",
		Title:       "Log",
		Description: "Writes lines to stderr and sends a log notification at each of the eight levels. The client gets those that it asked for.",
		Annotations: kit.Additive(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"message": {"type": "string", "title": "Message", "description": "What each line says.", "minLength": 1, "maxLength": 1000, "default": "Hello from the demo server"},
				"lines": {"type": "integer", "title": "Lines", "description": "How many lines to write to stderr.", "minimum": 0, "maximum": 10000, "default": 3}
			},
			"additionalProperties": false
		}`),
	}, func(ctx context.Context, req *mcp.CallToolRequest, args logArgs) (*mcp.CallToolResult, any, error) {
		for line := range args.Lines {
			if err := d.writeLine(fmt.Sprintf("%s (line %d of %d)", args.Message, line+1, args.Lines)); err != nil {
				return nil, nil, err
			}
		}
		for _, level := range []mcp.LoggingLevel{
			"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
		} {
			err := req.Session.Log(ctx, &mcp.LoggingMessageParams{
				Level:  level,
				Logger: "demo",
				Data:   map[string]any{"message": args.Message, "level": level},
			})
			if err != nil {
				return nil, nil, fmt.Errorf("send log message: %w", err)
			}
		}
		return kit.Text(fmt.Sprintf("Wrote %d lines to stderr and sent a message at each of 8 levels.", args.Lines)), nil, nil
	})
}

func (d *demo) writeLine(line string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := fmt.Fprintln(d.stderr, line); err != nil {
		return fmt.Errorf("write to stderr: %w", err)
	}
	return nil
}
