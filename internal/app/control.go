package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"kontor.dev/kontor/internal/model"
)

// maxOrder is the longest order of the command line: another program's configuration
// (paste.MaxBytes), encoded.
const maxOrder = 4 << 20

// maxSocketPath is the longest path of a socket (sun_path, 104 bytes on macOS).
const maxSocketPath = 103

// listenControl opens the socket that the command line talks over. The data
// folder is the owner's alone, so it is from its first moment on.
func listenControl(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("the path %s is too long for a socket (%d characters at most)", path, maxSocketPath)
	}
	// The folder's lock is ours: a socket that is there is a dead one's.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("control socket: %w", err), l.Close())
	}
	return l, nil
}

// serveControl answers the command line until the socket is closed.
func (a *App) serveControl(ctx context.Context) error {
	server := &http.Server{Handler: a.controlRoutes(), ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	return ignoreClosed(served(server.Serve(a.control)))
}

// controlRoutes are small on purpose: what Admin has, as JSON over POST.
func (a *App) controlRoutes() http.Handler {
	admin := &local{store: a.parts.store, access: a.parts.access, config: a.o.Config}
	mux := http.NewServeMux()
	mux.Handle("POST /link", control(func(context.Context, struct{}) (string, error) { return a.Link(), nil }))
	mux.Handle("POST /password", control(func(ctx context.Context, password string) (struct{}, error) {
		return struct{}{}, admin.SetPassword(ctx, password)
	}))
	mux.Handle("POST /token/create", control(admin.CreateToken))
	mux.Handle("POST /token/list", control(func(ctx context.Context, _ struct{}) ([]model.Token, error) { return admin.Tokens(ctx) }))
	mux.Handle("POST /token/revoke", control(func(ctx context.Context, id string) (struct{}, error) {
		return struct{}{}, admin.RevokeToken(ctx, id)
	}))
	mux.Handle("POST /import", control(func(ctx context.Context, o ImportOrder) ([]Imported, error) {
		return o.run(ctx, func(ctx context.Context, s model.Server) error {
			_, err := a.parts.servers.Add(ctx, s)
			return err
		})
	}))
	doctor := &localDoctor{list: a.parts.store.ListServers, test: a.parts.servers.Test}
	mux.Handle("POST /doctor/names", control(func(ctx context.Context, _ struct{}) ([]string, error) { return doctor.ServerNames(ctx) }))
	mux.Handle("POST /doctor", control(doctor.Diagnose))
	mux.Handle("POST /backup", control(func(ctx context.Context, path string) (struct{}, error) {
		return struct{}{}, admin.Backup(ctx, path)
	}))
	mux.Handle("POST /key/rotate", control(func(ctx context.Context, _ struct{}) (struct{}, error) {
		return struct{}{}, admin.RotateKey(ctx)
	}))
	return mux
}

// control makes a handler of a function. Its errors go over as model.Error.
func control[I, O any](f func(context.Context, I) (O, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in I
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder)).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		out, err := f(r.Context(), in)
		if err != nil {
			w.WriteHeader(http.StatusConflict)
			writeAnswer(w, &model.Error{Code: model.CodeOf(err), Message: err.Error()})
			return
		}
		writeAnswer(w, out)
	})
}

func writeAnswer(w http.ResponseWriter, v any) {
	// The other side is gone when this fails.
	_ = json.NewEncoder(w).Encode(v)
}
