package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// ListTools reads all pages of tools/list. Over HTTP in the modern era, tools
// whose x-mcp-header annotations are invalid are left out with a warning
// (2026-07-28, Streamable HTTP "Custom Headers").
func (c *Client) ListTools(ctx context.Context) (List, error) {
	list, err := c.list(ctx, listing{"tools", "tools/list", "tools"})
	if err == nil && c.mirrorsParams() {
		list = c.headers.learn(list)
	}
	return list, err
}

// ListResources reads all pages of resources/list.
func (c *Client) ListResources(ctx context.Context) (List, error) {
	return c.list(ctx, listing{"resources", "resources/list", "resources"})
}

// ListResourceTemplates reads all pages of resources/templates/list.
func (c *Client) ListResourceTemplates(ctx context.Context) (List, error) {
	return c.list(ctx, listing{"resources", "resources/templates/list", "resourceTemplates"})
}

// ListPrompts reads all pages of prompts/list.
func (c *Client) ListPrompts(ctx context.Context) (List, error) {
	return c.list(ctx, listing{"prompts", "prompts/list", "prompts"})
}

// listing says where a list is found.
type listing struct{ capability, method, member string }

// list asks for every page. A list that isn't declared isn't asked for, and one
// that turns out not to exist is empty.
func (c *Client) list(ctx context.Context, l listing) (List, error) {
	var list List
	if !c.Supports(l.capability) {
		return list, nil
	}
	c.lists.hearing(ctx)
	seen := map[string]bool{}
	for cursor := json.RawMessage(nil); ; {
		if list.Pages == c.o.ListPageCap {
			list.Cut = true
			list.warn(WarnListCut, "%s was cut after %d pages with %d entries; the server has more", l.method, list.Pages, len(list.Items))
			return list, nil
		}
		result, err := c.page(ctx, l.method, cursor)
		var rpc *wire.Error
		if errors.As(err, &rpc) && rpc.Code == wire.CodeMethodNotFound && list.Pages == 0 {
			return list, nil
		}
		if err != nil {
			return List{}, err
		}
		list.Pages++
		list.add(l, result)
		if c.info.Era == Modern {
			list.age(result)
		}
		cursor = nextCursor(result)
		if cursor == nil {
			return list, nil
		}
		if seen[string(cursor)] {
			list.warn(WarnCursorRepeated, "%s gave the cursor %.60s twice; reading ended after %d pages", l.method, cursor, list.Pages)
			return list, nil
		}
		seen[string(cursor)] = true
	}
}

func (c *Client) page(ctx context.Context, method string, cursor json.RawMessage) (json.RawMessage, error) {
	var members []byte
	if cursor != nil {
		members = append([]byte(`"cursor":`), cursor...)
	}
	return c.attempt(ctx, &request{dialect: c.dialect, method: method, members: members})
}

// nextCursor is the cursor as sent, to be sent back unchanged. Servers end a
// list by leaving it out, by null, and by an empty string.
func nextCursor(result json.RawMessage) json.RawMessage {
	cursor := wire.Member(result, "nextCursor")
	switch string(cursor) {
	case "", "null", `""`, "false":
		return nil
	}
	return cursor
}

func (l *List) add(from listing, result json.RawMessage) {
	entries := wire.Member(result, from.member)
	if entries == nil || string(entries) == "null" {
		return // what some servers make of an empty list
	}
	if !wire.Elements(entries, func(item json.RawMessage) { l.Items = append(l.Items, item) }) {
		l.warn(WarnListNotArray, "%s answered with %s that is no array", from.method, from.member)
	}
}

// age takes the ttlMs of a page; one that is no whole number of milliseconds says
// nothing.
func (l *List) age(result json.RawMessage) {
	ms, err := strconv.ParseInt(string(wire.Member(result, "ttlMs")), 10, 64)
	if err != nil || ms < 0 {
		return
	}
	ttl := time.Duration(min(ms, int64(math.MaxInt64/time.Millisecond))) * time.Millisecond
	if l.TTL == nil || ttl < *l.TTL {
		l.TTL = &ttl
	}
}

func (l *List) warn(code, format string, args ...any) {
	l.Warnings = append(l.Warnings, Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}
