package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	newestModern = "2026-07-28"
	newestLegacy = "2025-11-25"
)

// revisions are those that this client speaks, newest first.
func revisions() []string {
	return []string{newestModern, newestLegacy, "2025-06-18", "2025-03-26", "2024-11-05"}
}

// isModern tells the era of a revision: they are dates and sort as text.
func isModern(revision string) bool { return revision >= newestModern }

// common picks the newest revision of each era that is among offered; empty
// where there is none.
func common(offered []string) (modern, legacy string) {
	for _, r := range revisions() {
		if !slices.Contains(offered, r) {
			continue
		}
		switch {
		case isModern(r) && modern == "":
			modern = r
		case !isModern(r) && legacy == "":
			legacy = r
		}
	}
	return modern, legacy
}

// supportedIn reads the list in a version error's data, and of a DiscoverResult
// under its own name.
func supportedIn(raw json.RawMessage) []string {
	var d struct {
		Supported         []string `json:"supported"`
		SupportedVersions []string `json:"supportedVersions"`
	}
	// A list of another shape is as good as none: the caller then tries initialize.
	_ = json.Unmarshal(raw, &d)
	return append(d.Supported, d.SupportedVersions...)
}

// noCommonVersion says both lists, so that a person sees who has to be updated.
func noCommonVersion(offered []string) error {
	return fmt.Errorf("%w: the server speaks %s, this client %s",
		ErrNoCommonVersion, strings.Join(offered, ", "), strings.Join(revisions(), ", "))
}
