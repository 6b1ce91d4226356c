package paste

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"kontor.dev/kontor/internal/model"
)

// silent are settings of other hosts that mean nothing here and needn't be
// mentioned: what they show, where they came from.
var silent = []string{"source", "icon", "gallery", "version", "id", "status", "created_at", "updated_at", "warnings", "bundled", "available_tools", "display_name", "oauth"}

// readRest reads what is the same for both transports, and notes what is left.
func (e *entry) readRest() {
	s := &e.server
	s.FriendlyName = first(s.FriendlyName, e.text("friendly_name", "friendlyName", "title", "displayName"))
	s.Description = clip(e.text("description"), 2000)
	for name, on := range map[string]bool{"enabled": true, "isActive": true, "disabled": false} {
		if value, ok := e.left[name].(bool); ok {
			s.Enabled = value == on && s.Enabled
			delete(e.left, name)
		}
	}
	s.EnabledTools = e.list("enabled_tools", "enabledTools", "includeTools", "tools")
	s.DisabledTools = e.list("disabled_tools", "disabledTools", "excludeTools")
	if slices.Equal(s.EnabledTools, []string{"*"}) {
		s.EnabledTools = nil
	}
	e.duration(&s.StartTimeout, time.Second, "startup_timeout_sec")
	e.duration(&s.StartTimeout, time.Millisecond, "start_timeout_ms", "startup_timeout_ms", "startupTimeoutMs", "initTimeout")
	e.duration(&s.CallTimeout, time.Second, "tool_timeout_sec")
	e.duration(&s.CallTimeout, time.Millisecond, "call_timeout_ms", "callTimeoutMs", "request_timeout_ms")
	e.duration(&s.CallMax, time.Millisecond, "call_max_ms")
	e.duration(&s.ElicitationTimeout, time.Millisecond, "elicitation_timeout_ms")
	for _, delivery := range []string{"inject_summary", "inject_and_run"} { // pi-loops
		if on, _ := e.left[delivery].(bool); on {
			s.Delivery = delivery
		}
		delete(e.left, delivery)
	}
	s.Delivery = first(s.Delivery, e.text("delivery"))
	e.noteLeft()
}

func (e *entry) noteLeft() {
	approvals := []string{"autoApprove", "alwaysAllow", "trust", "trusted"}
	for _, name := range approvals {
		if set(e.left[name]) {
			e.warn(WarnLeftOut, "%s was left out: what may run without asking is decided in Kontor", name)
		}
	}
	if set(e.left["envFile"]) {
		e.warn(WarnLeftOut, "envFile was left out: put its values into the environment here")
	}
	var rest []string
	for _, name := range slices.Sorted(maps.Keys(e.left)) {
		if set(e.left[name]) && !slices.Contains(slices.Concat(silent, approvals, reachedBy, []string{"envFile"}), name) {
			rest = append(rest, name)
		}
	}
	if len(rest) > 0 {
		e.warn(WarnLeftOut, "settings that Kontor has no place for were left out: %s", clip(strings.Join(rest, ", "), 300))
	}
}

// set tells a setting that says something.
func set(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case bool:
		return value
	case string:
		return value != ""
	case []any:
		return len(value) > 0
	case map[string]any:
		return len(value) > 0
	}
	return true
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// take returns the first of the members that is there, and takes all of them out.
func (e *entry) take(names ...string) (value any, ok bool) {
	for _, name := range names {
		if v, there := e.left[name]; there {
			if !ok {
				value, ok = v, true
			}
			delete(e.left, name)
		}
	}
	return value, ok
}

func (e *entry) text(names ...string) string {
	for _, name := range names {
		if text, ok := e.left[name].(string); ok {
			delete(e.left, name)
			if text != "" {
				return text
			}
		}
	}
	return ""
}

func (e *entry) texts(name string) map[string]string {
	values, _ := e.left[name].(map[string]any)
	delete(e.left, name)
	out := map[string]string{}
	for key, v := range values {
		if text, ok := v.(string); ok {
			out[key] = text
		}
	}
	return out
}

func (e *entry) list(names ...string) []string {
	for _, name := range names {
		if values, ok := e.left[name].([]any); ok {
			delete(e.left, name)
			return stringsOf(values)
		}
	}
	return nil
}

func stringsOf(values []any) []string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, scalar(v))
	}
	return out
}

func (e *entry) duration(into *time.Duration, unit time.Duration, names ...string) {
	for _, name := range names {
		var n float64
		switch v := e.left[name].(type) {
		case json.Number:
			n, _ = v.Float64()
		case int64:
			n = float64(v)
		case float64:
			n = v
		default:
			continue
		}
		delete(e.left, name)
		// More than a week is no limit; the product stays far from overflowing.
		if n > 0 && n*float64(unit) < float64(7*24*time.Hour) {
			*into = time.Duration(n * float64(unit))
		}
	}
}

func (e *entry) warn(code, format string, args ...any) {
	e.warnings = append(e.warnings, Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

func (r *Result) warn(code, server, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Code: code, Message: fmt.Sprintf(format, args...), Server: server})
}

func (r *Result) skip(name, reason string) {
	r.Skipped = append(r.Skipped, Skipped{Name: clip(first(name, "this"), 200), Reason: reason})
}

func (r *Result) warnings(e *entry) {
	for _, w := range e.warnings {
		w.Server = e.server.Name
		r.Warnings = append(r.Warnings, w)
	}
}

// take adds a server after a last look at it. One without a name gets a stand-in
// for the check only.
func (r *Result) take(s model.Server) {
	r.warnings(&entry{server: s, warnings: lookOver(&s)})
	checked := s
	if checked.Name == "" {
		checked.Name = "unnamed"
	}
	if err := checked.Validate(); err != nil {
		r.skip(s.Name, err.Error())
		return
	}
	r.Servers = append(r.Servers, s)
}

var unusable = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// rename gives the server a name that it can have. The one it had is what the
// person sees.
func (r *Result) rename(e *entry, name string) {
	clean := unusable.ReplaceAllString(name, "-")
	for strings.Contains(clean, "__") {
		clean = strings.ReplaceAll(clean, "__", "_")
	}
	clean = strings.Trim(clean[:min(len(clean), 60)], "_-.")
	if clean == "config" {
		clean = "config-server"
	}
	base := clean
	for n := 2; clean != "" && slices.ContainsFunc(r.Servers, func(s model.Server) bool { return s.Name == clean }); n++ {
		clean = fmt.Sprintf("%s-%d", base, n)
	}
	e.server.Name = clean
	if clean != name && name != "" {
		e.server.FriendlyName = clip(first(e.server.FriendlyName, name), 200)
		e.warn(WarnRenamed, "%q can't be its name here: it is called %s", clip(name, 200), first(clean, "anew"))
	}
}

// clip keeps the first bytes of a stranger's text.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
