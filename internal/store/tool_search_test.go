package store_test

import (
	"reflect"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestToolWords(t *testing.T) {
	t.Parallel()
	s := withServers(t, "a", "b")
	ctx := t.Context()
	var others []model.ToolWords
	for range 20 {
		others = append(others, model.ToolWords{Server: "b", Tool: "t", Names: "something else", Description: "Of no interest"})
	}
	for server, words := range map[string][]model.ToolWords{
		"a": {{Server: "a", Tool: "list", Names: "list", Description: "Lists issues of a repository"},
			{Server: "a", Tool: "issue", Names: "create issue", Description: "Makes one"}},
		"b":      others,
		"config": {{Server: "config", Tool: "x", Names: "no name", Title: "Issues", Description: "One"}},
	} {
		if err := s.ReplaceToolWords(ctx, server, "1", words); err != nil {
			t.Fatal(err)
		}
	}
	found := func(match string, want ...model.ToolWords) {
		t.Helper()
		if got, err := s.SearchTools(ctx, match); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", match, got, err, want)
		}
	}
	// The name counts more than the title, the title more than the description.
	found(`"issues"`, model.ToolWords{Server: "a", Tool: "issue"}, model.ToolWords{Server: "config", Tool: "x"}, model.ToolWords{Server: "a", Tool: "list"})
	found(`"repos"*`, model.ToolWords{Server: "a", Tool: "list"})
	found(`"nothing"`)

	if err := s.ReplaceToolWords(ctx, "a", "2", []model.ToolWords{{Server: "a", Tool: "other", Names: "other"}}); err != nil {
		t.Fatal(err)
	}
	found(`"repos"*`)
	found(`"other"`, model.ToolWords{Server: "a", Tool: "other"})
	if got, err := s.ToolSearchDigests(ctx); err != nil || !reflect.DeepEqual(got, map[string]string{"a": "2", "b": "1", "config": "1"}) {
		t.Errorf("got %v, %v", got, err)
	}

	if err := s.DeleteServer(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	found(`"other"`)
	if got, err := s.ToolSearchDigests(ctx); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
}
