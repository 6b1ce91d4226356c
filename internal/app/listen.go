package app

import (
	"context"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers"
)

// updateNow puts a change into effect without waiting for the new connection.
var updateNow = servers.UpdateOptions{Force: true}

// mayListen refuses an address that others reach while nothing but a sign-in link
// guards it.
func (p *parts) mayListen(ctx context.Context, c config.Config) error {
	if !config.Public(c.Listen) {
		return nil
	}
	set, err := p.access.PasswordSet(ctx)
	if err != nil {
		return err
	}
	tokens, err := p.access.Tokens(ctx)
	if err != nil {
		return err
	}
	if set || len(tokens) > 0 || p.access.TokenFromEnvironment() {
		if c.BaseURL == "" && len(c.AllowedHosts) == 0 {
			p.log.Warn("other machines can reach this address, but Kontor answers to loopback names only: add --base-url or --allowed-host")
		}
		return nil
	}
	return model.Errorf(model.CodeDenied, "Other machines can reach %s, and nothing guards it yet. Set a password first (`kontor password`) or make a token (`kontor token create NAME`), or listen on 127.0.0.1.", c.Listen)
}
