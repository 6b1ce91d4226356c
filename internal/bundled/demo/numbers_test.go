package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAddIsExact(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ numbers, want string }{
		{"1 2 3", "6"},
		{"0.1 0.2", "0.3"},
		{"9007199254740993 1", "9007199254740994"},
		{"1e3 -1E+3", "0"},
		{"1.50 1.50", "3"},
		{"1e-3", "0.001"},
		{"100", "100"},
		{"1.5e1", "15"},
	} {
		var numbers []json.Number
		for _, number := range strings.Fields(tt.numbers) {
			numbers = append(numbers, json.Number(number))
		}
		got, err := add(numbers)
		if err != nil || got.String() != tt.want {
			t.Errorf("add(%s) = %s, %v, want %s", tt.numbers, got, err, tt.want)
		}
	}
}

func TestAddRefusesHugeExponents(t *testing.T) {
	t.Parallel()
	for _, number := range []json.Number{"1e999999999", "1e-999999999", "1e99999999999999999999"} {
		if got, err := add([]json.Number{number}); err == nil {
			t.Errorf("add(%s) = %d digits, want an error", number, len(got))
		}
	}
}

func TestSumIsExactOnTheWire(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		p.call(t, "sum", map[string]any{"numbers": []json.Number{"9007199254740993", "0"}})
		p.heard.await(t, `"structuredContent":{"sum":9007199254740993,"count":2}`, 1)
	})
}

func TestTableIsExactOnTheWire(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		result := p.call(t, "table", map[string]any{"count": 3})
		if rows, _ := result.StructuredContent.(map[string]any)["rows"].([]any); len(rows) != 3 {
			t.Errorf("got %d rows, want 3", len(rows))
		}
		p.heard.await(t, `"structuredContent":{"rows":[{"id":9007199254740993,`, 1)
		p.heard.await(t, `{"id":9007199254740995,`, 1)
	})
}

func TestTableOfNoRowsIsAnEmptyArray(t *testing.T) {
	t.Parallel()
	p := connect(t, way{"memory", newer}, nil)
	if got, want := text(t, p.call(t, "table", map[string]any{"count": 0})), `{"rows":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
