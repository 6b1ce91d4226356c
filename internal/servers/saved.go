package servers

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// maxSaved bounds a list that is kept for the next start.
const maxSaved = 16 << 20

// fingerprint tells settings and credentials from others that lead elsewhere: its
// first half the settings as they are written, its second what they come to once
// their references are expanded. It is plain hashes, and as secret as they are.
type fingerprint [sha256.Size]byte

type halfPrint [sha256.Size / 2]byte

func (f fingerprint) written() halfPrint  { return halfPrint(f[:len(halfPrint{})]) }
func (f fingerprint) expanded() halfPrint { return halfPrint(f[len(halfPrint{}):]) }

// fingerprintOf takes a configuration as it is written and as it is expanded. What
// can change under a live connection has no part in it: see sameConnection.
func fingerprintOf(written, expanded model.Server) (f fingerprint) {
	first, second := settingsSum(written), settingsSum(expanded)
	copy(f[:], first[:len(halfPrint{})])
	copy(f[len(halfPrint{}):], second[:])
	return f
}

func settingsSum(s model.Server) [sha256.Size]byte {
	texts := func(values map[string]model.Value) map[string]string {
		out := make(map[string]string, len(values))
		for name, v := range values {
			out[name] = v.Text
		}
		return out
	}
	// Strings and maps of them always encode, the members of a map in order.
	text, _ := json.Marshal([]any{
		s.Transport, s.Command, append([]string{}, s.Args...), s.Cwd, texts(s.Env),
		s.URL, texts(s.Headers), s.BearerToken.Text,
	})
	return sha256.Sum256(text)
}

// shelf is what of a server is saved: all but the lists, and their hashes.
type shelf struct {
	head model.SavedCatalogue
	sums map[model.ListKind][sha256.Size]byte
}

// restore lists what was saved, and takes up how it was found, if that was with the
// settings and credentials of now. Where a variable has no value now, the settings
// alone decide: the server will fail and say so, and what it offers is still known.
// It is called before the owner runs.
func (o *owner) restore(c model.SavedCatalogue) {
	expanded, _, missing := expandServer(o.current.Config, o.m.o.Expander)
	saved, now := fingerprint(c.Fingerprint), fingerprintOf(o.current.Config, expanded)
	same := now.expanded() == saved.expanded()
	if missing != nil {
		same = now.written() == saved.written()
	}
	if c.Lists == nil || !same {
		return
	}
	o.known, o.knownOf = found{client.Era(c.Era), c.SSE}, c.Fingerprint
	status := &o.current.Status
	o.shelf.sums = map[model.ListKind][sha256.Size]byte{}
	for _, kind := range model.ListKinds() {
		kept, warnings := o.m.o.Catalogue.Restore(o.name, kind, c.Lists[kind], c.ListedAt)
		o.warnings[string(kind)] = warnings
		o.shelf.sums[kind] = sumOf(c.Lists[kind])
		count(status, kind, kept)
	}
	c.Lists = nil
	o.shelf.head = c
	status.Era, status.ProtocolVersion = c.Era, c.ProtocolVersion
	status.ServerName, status.ServerVersion, status.Instructions = c.ServerName, c.ServerVersion, c.Instructions
	status.ListedAt, status.Saved = c.ListedAt, true
	status.Warnings = o.allWarnings()
}

// save keeps for the next start what a connection listed. Where that is what is
// saved already, only the time is written.
func (o *owner) save(conn *Conn, lists []listed) {
	info, now := conn.client.Info(), time.Now().UTC()
	head := model.SavedCatalogue{
		Server: o.name, Fingerprint: conn.with, Era: string(info.Era), SSE: info.SSE, ProtocolVersion: info.ProtocolVersion,
		ServerName: clip(info.Name, maxName), ServerVersion: clip(info.Version, maxName),
		Instructions: clip(info.Instructions, maxInstructions),
	}
	before := o.shelf
	before.head.ListedAt = time.Time{}
	fresh, sums := o.unsaved(before, head, lists)
	var err error
	if len(fresh) == 0 && reflect.DeepEqual(head, before.head) {
		err = o.m.o.Store.TouchCatalogue(o.base, o.name, now)
	} else {
		c := head
		c.Lists, c.ListedAt = fresh, now
		err = o.m.o.Store.SaveCatalogue(o.base, c)
	}
	switch {
	case err == nil:
		o.shelf = shelf{head, sums}
	case o.base.Err() == nil:
		o.m.o.Logger.Error("what a server listed can't be kept for the next start", "server", o.name, "err", err)
	}
}

// unsaved are the lists that have to be written, and the hashes of all that are
// saved then. What was found with other credentials doesn't stay.
func (o *owner) unsaved(before shelf, head model.SavedCatalogue, lists []listed) (map[model.ListKind][]json.RawMessage, map[model.ListKind][sha256.Size]byte) {
	fresh, sums := map[model.ListKind][]json.RawMessage{}, maps.Clone(before.sums)
	if sums == nil || fingerprint(before.head.Fingerprint).expanded() != fingerprint(head.Fingerprint).expanded() {
		sums = map[model.ListKind][sha256.Size]byte{}
		for _, kind := range model.ListKinds() {
			fresh[kind] = []json.RawMessage{}
		}
	}
	for _, l := range lists {
		sum := sumOf(l.list.Items)
		if have, ok := sums[l.kind]; l.err != nil || ok && have == sum {
			continue
		}
		fresh[l.kind], sums[l.kind] = append([]json.RawMessage{}, l.list.Items...), sum
		if size := sizeOf(l.list.Items); size > maxSaved {
			fresh[l.kind] = []json.RawMessage{}
			o.lifecycle(fmt.Sprintf("its %s are too long to be kept for the next start: %d bytes, and %d are the limit", l.kind, size, maxSaved))
		}
	}
	return fresh, sums
}

// sumOf tells lists apart. JSON texts hold no zero byte.
func sumOf(items []json.RawMessage) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, item := range items {
		h.Write(item)
		h.Write([]byte{0})
	}
	h.Sum(sum[:0])
	return sum
}

func sizeOf(items []json.RawMessage) (n int) {
	for _, item := range items {
		n += len(item)
	}
	return n
}
