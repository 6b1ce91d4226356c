package app_test

import (
	"slices"
	"testing"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func TestTheRunningKontorImportsAndStartsNothing(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	admin, done, err := app.OpenAdmin(t.Context(), k.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	order := app.ImportOrder{Text: `{"mcpServers": {"a": {"command": "a-server", "env": {"KEY": "hidden-value"}}, "b": {"command": "b-server"}}}`, Names: []string{"a"}}
	for _, want := range [][]app.Imported{{{Name: "a"}}, {{Name: "a", Problem: `There already is a server "a": choose another name.`}}} {
		if got, err := admin.Import(t.Context(), order); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	var list wire.List[wire.Server]
	k.Do("GET", "/api/servers", nil, &list)
	if len(list.Items) != 1 || list.Items[0].Name != "a" || list.Items[0].Status.State != model.ServerDisabled || len(list.Items[0].Env) != 1 {
		t.Errorf("got %+v, want a alone, turned off, with its secret", list.Items)
	}
}
