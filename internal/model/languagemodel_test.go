package model_test

import (
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestALanguageModelSaysWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*model.LanguageModel)
		want   string // part of the error; "" for none
	}{
		"good":            {func(*model.LanguageModel) {}, ""},
		"its own address": {func(m *model.LanguageModel) { m.BaseURL = "" }, ""},
		"another script":  {func(m *model.LanguageModel) { m.Name = "Größer (v2)" }, ""},
		"a variable":      {func(m *model.LanguageModel) { m.BaseURL = "${HOST}/v1" }, ""},
		"a variable key":  {func(m *model.LanguageModel) { m.BaseURL = "https://x.example/v1?api-key=${KEY}&v=1" }, ""},
		"scripted": {func(m *model.LanguageModel) {
			*m = model.LanguageModel{Name: "s", Provider: "scripted", Script: "turn"}
		}, ""},
		"no name":           {func(m *model.LanguageModel) { m.Name = "" }, "name is missing"},
		"a slash":           {func(m *model.LanguageModel) { m.Name = "a/b" }, "no slash"},
		"a path":            {func(m *model.LanguageModel) { m.Name = ".." }, "no slash"},
		"a long name":       {func(m *model.LanguageModel) { m.Name = strings.Repeat("ü", 65) }, "1 to 64"},
		"a line":            {func(m *model.LanguageModel) { m.Name = "a\nb" }, "1 to 64"},
		"a blank":           {func(m *model.LanguageModel) { m.Name = " a" }, "no blank"},
		"no provider":       {func(m *model.LanguageModel) { m.Provider = "" }, "provider"},
		"no id":             {func(m *model.LanguageModel) { m.Model = " " }, "model is missing"},
		"a script too many": {func(m *model.LanguageModel) { m.Script = "turn" }, "only a scripted"},
		"negative":          {func(m *model.LanguageModel) { m.PriceInput = -1 }, "negative"},
		"no address":        {func(m *model.LanguageModel) { m.BaseURL = "127.0.0.1:11434" }, "base_url"},
		"a file":            {func(m *model.LanguageModel) { m.BaseURL = "file:///etc" }, "base_url must start with"},
		"a user":            {func(m *model.LanguageModel) { m.BaseURL = "http://me:pw@x.example" }, "base_url must not hold a user"},
		"a key":             {func(m *model.LanguageModel) { m.BaseURL = "https://x.example/v1?Api-Key=planted" }, "must not hold a key"},
		"a plain key":       {func(m *model.LanguageModel) { m.APIKey = model.Value{Text: "planted", Plain: true} }, "kept sealed"},
		"the demo's script": {func(m *model.LanguageModel) { *m = model.LanguageModel{Name: "s", Provider: "scripted"} }, ""},
		"a script's key": {func(m *model.LanguageModel) {
			*m = model.LanguageModel{Name: "s", Provider: "scripted", Script: "turn", APIKey: model.Value{Text: "planted"}}
		}, "takes no base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := model.LanguageModel{Name: "local", Provider: model.ProviderOpenAI, BaseURL: "http://127.0.0.1:11434/v1", Model: "llama"}
			c.change(&m)
			err := m.Validate()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err != nil && (model.CodeOf(err) != model.CodeInvalid || strings.Contains(err.Error(), "planted")) {
				t.Errorf("code %s of %v", model.CodeOf(err), err)
			}
		})
	}
}
