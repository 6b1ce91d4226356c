package watchdog

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRecordsTellWhichGroupsLive(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		records string
		want    []int
	}{
		"none":                   {"", nil},
		"some":                   {"+12\n+345\n", []int{12, 345}},
		"dropped":                {"+12\n+345\n-12\n", []int{345}},
		"dropped and taken anew": {"+12\n-12\n+12\n", []int{12}},
		"dropped unknown":        {"-7\n+8\n", []int{8}},
		"cut in the middle":      {"+12\n+34", []int{12}},
		"cut drop":               {"+12\n+34\n-1", []int{12, 34}},
		"no group":               {"+0\n+1\n+\n\n", nil},
		"many":                   {strings.Repeat("+5\n-5\n", 1000) + "+6\n", []int{6}},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			for _, got := range []map[int]struct{}{
				readGroups(strings.NewReader(test.records)),
				readGroups(iotest.OneByteReader(strings.NewReader(test.records))),
			} {
				if got := slices.Sorted(maps.Keys(got)); !slices.Equal(got, test.want) {
					t.Errorf("want %v, got %v", test.want, got)
				}
			}
		})
	}
}
