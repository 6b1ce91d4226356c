package inbox

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// EndSignIns ends the sign-ins that are asked for on behalf of a server: accepted
// once the person has signed in, else cancelled.
func (b *Inbox) EndSignIns(ctx context.Context, server string, a model.Action, by string) {
	for _, item := range b.Open() {
		if item.Kind == model.ItemSignIn && item.Server == server {
			b.end(ctx, item.ID, model.Answer{Action: a, By: by})
		}
	}
}
