package store

import "kontor.dev/kontor/internal/model"

// oauth is a model.OAuth as it lies in a column in clear.
type oauth struct {
	model.OAuth
	Secrets values `json:"secrets,omitempty"`
}

func clearOAuth(o model.OAuth) oauth {
	clear := oauth{OAuth: o}
	for name, v := range o.Secrets() {
		if c := clearValue(*v); c != (value{}) {
			if clear.Secrets == nil {
				clear.Secrets = values{}
			}
			clear.Secrets[name] = c
		}
	}
	return clear
}

func (o oauth) open(fill func(secretKind, string, value) model.Value) model.OAuth {
	settings := o.OAuth
	for name, v := range settings.Secrets() {
		*v = model.Value{}
		if c, ok := o.Secrets[name]; ok {
			*v = fill(kindOAuth, name, c)
		}
	}
	return settings
}
