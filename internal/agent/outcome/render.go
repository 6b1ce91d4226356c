package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// DefaultBudget is how much of one result a model gets at once, in bytes.
const DefaultBudget = 32 << 10

// minBudget leaves room for what is said about a cut.
const minBudget = 1 << 10

// Images as the providers take them: Anthropic's limit is 5 MB of base64 each
// (Messages API, "Vision"), the lowest of them.
const (
	maxImage  = 5_000_000 / 4 * 3
	maxImages = 16
)

// Options say what a model can take.
type Options struct {
	// Budget is how long the text may be, in bytes: at least 1 KiB, 0 for
	// DefaultBudget.
	Budget int
	// Images says that the model sees, and that the person lets it see this
	// server's images.
	Images bool
}

// Rendered is what a model gets of a call.
type Rendered struct {
	Text string
	// Cut is set when the text isn't all of it.
	Cut *model.Cut
	// Media are the images to be shown with the text, in the result's order.
	Media   []model.Media
	IsError bool
}

// Render writes what a model gets of a call, whatever came of it.
func Render(call model.Call, o Options) Rendered {
	budget := max(cmp.Or(o.Budget, DefaultBudget), minBudget)
	r := Rendered{IsError: call.State != model.CallDone || call.Result.IsError}
	var after string
	if call.State == model.CallDone {
		r.Media = images(call.Result, o.Images)
		after = remarks(call, len(r.Media))
	}
	r.Text, r.Cut = shorten(Text(call), budget-len(after), call.ID)
	r.Text += after
	return r
}

// images are the files of a result that a model can be shown.
func images(r model.Result, allowed bool) []model.Media {
	var out []model.Media
	for _, m := range r.Media() {
		if allowed && len(out) < maxImages && m.Size <= maxImage &&
			slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, m.MIMEType) {
			out = append(out, m)
		}
	}
	return out
}

// remarks are Kontor's own words below a result.
func remarks(call model.Call, shown int) string {
	var b strings.Builder
	var pictures int
	var links bool
	for _, c := range call.Result.Content {
		if c.Media != nil && strings.HasPrefix(c.Media.MIMEType, "image/") {
			pictures++
		}
		links = links || c.Kind == model.ContentLink
	}
	if hidden := pictures - shown; hidden > 0 {
		fmt.Fprintf(&b, "\n\n(Images of it that you can't see: %d. The person can, at their addresses.)", hidden)
	}
	if links {
		fmt.Fprintf(&b, "\n\n(The linked resources can be read with read_resource, server %q.)", call.Server)
	}
	return b.String()
}
