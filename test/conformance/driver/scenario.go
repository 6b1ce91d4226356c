package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"
)

// steps are what a scenario wants a client to do once it is connected.
type steps func(ctx context.Context, s server, scenario scenarioContext) error

// scenarioContext is what the suite tells some scenarios beside the address.
type scenarioContext struct {
	ClientID         string `json:"client_id"`
	ClientSecret     string `json:"client_secret"`
	PrivateKey       string `json:"private_key_pem"`
	ValidJWT         string `json:"valid_jwt"`
	IDPClientID      string `json:"idp_client_id"`
	IDPIDToken       string `json:"idp_id_token"`
	IDPTokenEndpoint string `json:"idp_token_endpoint"`

	ToolCalls []struct {
		Name      string
		Arguments json.RawMessage
	}
}

// scenarios by name. The others need no more than the connection.
func scenarios() map[string]steps {
	return map[string]steps{
		"tools_call":                          run("add_numbers", map[string]any{"a": 2, "b": 3}, "The sum of 2 and 3 is 5"),
		"elicitation-sep1034-client-defaults": run("test_client_elicitation_defaults", none, ""),
		"sse-retry":                           run("test_reconnection", none, "Reconnection test completed successfully"),
		"sep-2322-client-request-state":       atOnce,
		"http-standard-headers":               everything,
		"http-custom-headers":                 asTold,
		"http-invalid-tool-headers":           everyTool,
		"json-schema-ref-no-deref":            foreignRef,
		"json-schema-2020-12-preservation":    echo,
	}
}

// none are the arguments of a tool that takes none.
var none = map[string]any{}

// run calls one tool; text is the result that it must come to, empty for any.
func run(name string, arguments any, text string) steps {
	return func(ctx context.Context, s server, _ scenarioContext) error {
		got, err := s.call(ctx, name, arguments)
		if err == nil && text != "" && got != text {
			return fmt.Errorf("%s answered %q, want %q", name, got, text)
		}
		return err
	}
}

// atOnce has two questions open while other tools run, so that whatever belongs to
// one call could end up in another.
func atOnce(ctx context.Context, s server, told scenarioContext) error {
	group, ctx := errgroup.WithContext(ctx)
	for name, text := range map[string]string{
		"test_mrtr_echo_state": "echo-state-ok", "test_mrtr_no_state": "no-state-ok",
		"test_mrtr_unrelated": "unrelated-ok", "test_mrtr_no_result_type": "no-result-type-test-ok",
	} {
		group.Go(func() error { return run(name, none, text)(ctx, s, told) })
	}
	return group.Wait()
}

// asTold makes the calls of the context, byte for byte.
func asTold(ctx context.Context, s server, told scenarioContext) error {
	if len(told.ToolCalls) == 0 {
		return fmt.Errorf("the context holds no calls")
	}
	for _, c := range told.ToolCalls {
		if _, err := s.call(ctx, c.Name, c.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// everyTool calls every tool that is offered.
func everyTool(ctx context.Context, s server, _ scenarioContext) error {
	tools, err := s.tools(ctx)
	if err != nil {
		return err
	}
	if len(tools) == 0 {
		return fmt.Errorf("no tool is offered")
	}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if _, err := s.call(ctx, name, map[string]any{"region": "us-east1", "id": "a-1"}); err != nil {
			return err
		}
	}
	return nil
}

// everything uses every tool, resource and prompt.
func everything(ctx context.Context, s server, told scenarioContext) error {
	if err := everyTool(ctx, s, told); err != nil {
		return err
	}
	var resources struct{ Items []struct{ URI string } }
	if err := s.get(ctx, of("/api/resources", s.name), &resources); err != nil {
		return err
	}
	for _, r := range resources.Items {
		if err := s.post(ctx, "/api/resources/read", map[string]any{"server": s.name, "uri": r.URI}, nil); err != nil {
			return err
		}
	}
	var prompts struct{ Items []struct{ Name string } }
	if err := s.get(ctx, of("/api/prompts", s.name), &prompts); err != nil {
		return err
	}
	for _, p := range prompts.Items {
		if err := s.post(ctx, "/api/prompts/get", map[string]any{"server": s.name, "name": p.Name}, nil); err != nil {
			return err
		}
	}
	return nil
}

// foreignRef looks at a schema that refers to another place: it must be shown as the
// server wrote it.
func foreignRef(ctx context.Context, s server, _ scenarioContext) error {
	tools, err := s.tools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if bytes.Contains(t.InputSchema, []byte(`"$ref":"http://`)) {
			return nil
		}
	}
	return fmt.Errorf("no schema refers to another place: %s", tools)
}

// echo sends a tool's schema back as the catalogue shows it.
func echo(ctx context.Context, s server, _ scenarioContext) error {
	tools, err := s.tools(ctx)
	if err != nil {
		return err
	}
	_, err = s.call(ctx, "json_schema_echo", map[string]any{"schema": tools["json_schema_2020_12_tool"].InputSchema})
	return err
}
