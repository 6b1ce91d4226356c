package wire

import (
	"time"

	"kontor.dev/kontor/internal/model"
)

// Model is the server that the configuration asks for, given what is stored now
// (the zero Server for a new one): a secret that is left out or sent as
// {set: true} is kept, null clears it. What doesn't belong to the transport isn't
// carried over from the stored one. The name is not part of it.
func (c ServerConfig) Model(old model.Server) (model.Server, error) {
	transport, err := c.transport()
	if err != nil {
		return model.Server{}, err
	}
	if transport != old.Transport {
		old.Env, old.Headers, old.BearerToken, old.OAuth = nil, nil, model.Value{}, model.OAuth{}
	}
	s := model.Server{
		Name: old.Name, FriendlyName: c.FriendlyName, Description: c.Description, Transport: transport,
		Command: c.Command, Args: c.Args, Cwd: c.Cwd, Env: storedValues(c.Env, old.Env),
		URL: c.URL, Headers: storedValues(c.Headers, old.Headers), BearerToken: c.BearerToken.stored(old.BearerToken),
		OAuth:   c.OAuth.Model(old.OAuth),
		Enabled: c.Enabled == nil || *c.Enabled, Trusted: c.Trusted,
		ShareImages:  old.ShareImages || old.Transport == "",
		EnabledTools: c.EnabledTools, DisabledTools: c.DisabledTools,
		StartTimeout:       time.Duration(c.StartTimeoutMS) * time.Millisecond,
		CallTimeout:        time.Duration(c.CallTimeoutMS) * time.Millisecond,
		CallMax:            time.Duration(c.CallMaxMS) * time.Millisecond,
		ElicitationTimeout: time.Duration(c.ElicitationTimeoutMS) * time.Millisecond,
		MaxMessage:         old.MaxMessage,
		SSEIdleTimeout:     old.SSEIdleTimeout,
		Reconnect:          old.Reconnect,
		Delivery:           c.Delivery,
		CreatedAt:          old.CreatedAt,
	}
	if c.ShareImages != nil {
		s.ShareImages = *c.ShareImages
	}
	if c.MaxMessageBytes != nil {
		s.MaxMessage = int(*c.MaxMessageBytes)
	}
	if c.SSEIdleTimeoutMS != nil {
		s.SSEIdleTimeout = time.Duration(*c.SSEIdleTimeoutMS) * time.Millisecond
	}
	if r := c.Reconnect; r != nil {
		s.Reconnect = model.Reconnect{
			Initial: time.Duration(r.InitialMS) * time.Millisecond, Max: time.Duration(r.MaxMS) * time.Millisecond,
			MaxAttempts: r.MaxAttempts,
		}
	}
	return s, nil
}

// transport may be left out when the rest tells it.
func (c ServerConfig) transport() (model.Transport, error) {
	switch {
	case c.Transport != "":
		return model.ParseTransport(c.Transport)
	case c.URL != "" && c.Command == "":
		return model.TransportHTTP, nil
	case c.Command != "" && c.URL == "":
		return model.TransportStdio, nil
	}
	return "", model.Errorf(model.CodeInvalid, "transport is missing: use stdio or http")
}

func storedValues(sent map[string]Value, old map[string]model.Value) map[string]model.Value {
	values := map[string]model.Value{}
	for name, v := range old {
		if _, ok := sent[name]; !ok && v.Secret() {
			values[name] = v
		}
	}
	for name, v := range sent {
		if v.Clear {
			continue
		}
		if _, had := old[name]; v.Keep && !had {
			continue
		}
		values[name] = v.stored(old[name])
	}
	if len(values) == 0 {
		return nil
	}
	return values
}
