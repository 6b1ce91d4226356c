package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type sumArgs struct {
	Numbers []json.Number `json:"numbers"`
}

type sumResult struct {
	Sum   json.Number `json:"sum"`
	Count int         `json:"count"`
}

func (d *demo) addSum() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "sum",
		Title:       "Sum",
		Description: "Adds decimal numbers up, exactly, and answers with structured content.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"numbers": {"type": "array", "title": "Numbers", "description": "What to add up.", "items": {"type": "number"}, "minItems": 1, "maxItems": 1000}
			},
			"required": ["numbers"],
			"additionalProperties": false
		}`),
		OutputSchema: schema(`{
			"type": "object",
			"properties": {
				"sum": {"type": "number", "description": "All numbers added up."},
				"count": {"type": "integer", "description": "How many numbers there were."}
			},
			"required": ["sum", "count"]
		}`),
	}, func(_ context.Context, req *mcp.CallToolRequest, _ struct {
		Numbers []float64 `json:"numbers"`
	}) (*mcp.CallToolResult, any, error) {
		// The SDK checked the arguments, but also rounded them: take them as sent.
		var args sumArgs
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
			return nil, nil, err
		}
		sum, err := add(args.Numbers)
		if err != nil {
			return nil, nil, err
		}
		result, err := kit.Structured(sumResult{Sum: sum, Count: len(args.Numbers)})
		return result, nil, err
	})
}

// maxDigits bounds what an exponent can make of a short number (1e999999999).
const maxDigits = 400

func add(numbers []json.Number) (json.Number, error) {
	sum, decimals := new(big.Rat), 0
	for _, number := range numbers {
		text := number.String()
		places, err := scale(text)
		if err != nil {
			return "", err
		}
		value, ok := new(big.Rat).SetString(text)
		if !ok {
			return "", fmt.Errorf("%q is no number", text)
		}
		decimals = max(decimals, places)
		sum.Add(sum, value)
	}
	text := sum.FloatString(decimals)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return json.Number(text), nil
}

// scale is the number of decimal places of a JSON number.
func scale(text string) (int, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := new(big.Int)
	if exponent != "" {
		if _, ok := power.SetString(strings.TrimPrefix(exponent, "+"), 10); !ok {
			return 0, fmt.Errorf("%q is no number", text)
		}
	}
	if !power.IsInt64() || power.Int64() > maxDigits || power.Int64() < -maxDigits {
		return 0, fmt.Errorf("the exponent of %s is over %d", text, maxDigits)
	}
	return max(0, len(fraction)-int(power.Int64())), nil
}

type tableArgs struct {
	Count int `json:"count"`
}

type table struct {
	Rows []row `json:"rows"`
}

type row struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name"`
	Colour  string  `json:"colour"`
	Price   float64 `json:"price"`
	InStock bool    `json:"in_stock"`
	Note    *string `json:"note"`
}

// firstID is 2^53+1, the first integer that a float64 can't hold.
const firstID = 9007199254740993

func (d *demo) addTable() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "table",
		Title:       "Table",
		Description: "Answers with rows of made-up goods as structured content. The ids are integers over 2^53, which must arrive exactly.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"count": {"type": "integer", "title": "Rows", "description": "How many rows.", "minimum": 0, "maximum": 10000, "default": 5}
			},
			"additionalProperties": false
		}`),
		OutputSchema: schema(`{
			"type": "object",
			"properties": {
				"rows": {
					"type": "array",
					"items": {
						"type": "object",
						"properties": {
							"id": {"type": "integer"},
							"name": {"type": "string"},
							"colour": {"type": "string"},
							"price": {"type": "number"},
							"in_stock": {"type": "boolean"},
							"note": {"type": ["string", "null"]}
						},
						"required": ["id", "name", "colour", "price", "in_stock", "note"]
					}
				}
			},
			"required": ["rows"]
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args tableArgs) (*mcp.CallToolResult, any, error) {
		result, err := kit.Structured(table{Rows: rows(args.Count)})
		return result, nil, err
	})
}

func rows(count int) []row {
	names := [...]string{"Lamp", "Desk", "Chair", "Shelf", "Clock", "Messgerät", "漢字"}
	colours := [...]string{"red", "green", "blue", "white"}
	list := make([]row, count)
	for i := range list {
		list[i] = row{
			ID:      firstID + int64(i)*2,
			Name:    names[i%len(names)],
			Colour:  colours[i%len(colours)],
			Price:   float64(995+i*350) / 100,
			InStock: i%3 != 2,
		}
		if i%4 == 1 {
			list[i].Note = new("last one")
		}
	}
	return list
}
