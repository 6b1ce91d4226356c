package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// serverRow is a row of mcp_servers. Secret texts are in server_secrets.
type serverRow struct {
	Name               string           `db:"name"`
	FriendlyName       string           `db:"friendly_name"`
	Description        string           `db:"description"`
	Transport          model.Transport  `db:"transport"`
	Command            string           `db:"command"`
	Args               column[[]string] `db:"args"`
	Cwd                string           `db:"cwd"`
	URL                string           `db:"url"`
	Env                column[values]   `db:"env"`
	Headers            column[values]   `db:"headers"`
	BearerToken        column[value]    `db:"bearer_token"`
	OAuth              column[oauth]    `db:"oauth"`
	Enabled            bool             `db:"enabled"`
	Trusted            bool             `db:"trusted"`
	ShareImages        bool             `db:"share_images"`
	EnabledTools       column[[]string] `db:"enabled_tools"`
	DisabledTools      column[[]string] `db:"disabled_tools"`
	StartTimeout       int64            `db:"start_timeout_ms"`
	CallTimeout        int64            `db:"call_timeout_ms"`
	CallMax            int64            `db:"call_max_ms"`
	ElicitationTimeout int64            `db:"elicitation_timeout_ms"`
	MaxMessage         int              `db:"max_message_bytes"`
	SSEIdleTimeout     int64            `db:"sse_idle_timeout_ms"`
	ReconnectInitial   int64            `db:"reconnect_initial_ms"`
	ReconnectMax       int64            `db:"reconnect_max_ms"`
	ReconnectAttempts  int              `db:"reconnect_max_attempts"`
	Delivery           string           `db:"delivery"`
	CreatedAt          moment           `db:"created_at"`
	UpdatedAt          moment           `db:"updated_at"`
}

const insertServer = `INSERT INTO mcp_servers (name, friendly_name, description, transport, command,
    args, cwd, url, env, headers, bearer_token, oauth, enabled, trusted, share_images, enabled_tools, disabled_tools,
    start_timeout_ms, call_timeout_ms, call_max_ms, elicitation_timeout_ms, max_message_bytes, sse_idle_timeout_ms,
    reconnect_initial_ms, reconnect_max_ms, reconnect_max_attempts, delivery, created_at, updated_at)
VALUES (:name, :friendly_name, :description, :transport, :command, :args, :cwd, :url, :env, :headers,
    :bearer_token, :oauth, :enabled, :trusted, :share_images, :enabled_tools, :disabled_tools, :start_timeout_ms,
    :call_timeout_ms, :call_max_ms, :elicitation_timeout_ms, :max_message_bytes, :sse_idle_timeout_ms,
    :reconnect_initial_ms, :reconnect_max_ms, :reconnect_max_attempts, :delivery, :created_at, :updated_at)`

const updateServer = `UPDATE mcp_servers SET friendly_name = :friendly_name, description = :description,
    transport = :transport, command = :command, args = :args, cwd = :cwd, url = :url, env = :env,
    headers = :headers, bearer_token = :bearer_token, oauth = :oauth, enabled = :enabled, trusted = :trusted,
    share_images = :share_images,
    enabled_tools = :enabled_tools, disabled_tools = :disabled_tools,
    start_timeout_ms = :start_timeout_ms, call_timeout_ms = :call_timeout_ms,
    call_max_ms = :call_max_ms, elicitation_timeout_ms = :elicitation_timeout_ms,
    max_message_bytes = :max_message_bytes, sse_idle_timeout_ms = :sse_idle_timeout_ms,
    reconnect_initial_ms = :reconnect_initial_ms, reconnect_max_ms = :reconnect_max_ms,
    reconnect_max_attempts = :reconnect_max_attempts,
    delivery = :delivery, updated_at = :updated_at
WHERE name = :name`

// ListServers returns every server, by name. A secret that the key doesn't open
// comes as Value.Unreadable.
func (s *Store) ListServers(ctx context.Context) ([]model.Server, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var rows []serverRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM mcp_servers ORDER BY name`); err != nil {
		return nil, s.fail(err)
	}
	var sealed []sealedRow
	if err := s.read.SelectContext(ctx, &sealed, `SELECT * FROM server_secrets`); err != nil {
		return nil, s.fail(err)
	}
	secrets := s.openAll(sealed)
	servers := make([]model.Server, len(rows))
	for i, row := range rows {
		servers[i] = row.server(secrets)
	}
	return servers, nil
}

// Server returns one server, or CodeNotFound.
func (s *Store) Server(ctx context.Context, name string) (model.Server, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var row serverRow
	err := s.read.GetContext(ctx, &row, `SELECT * FROM mcp_servers WHERE name = ?`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return model.Server{}, notFound("server", name)
	}
	if err != nil {
		return model.Server{}, s.fail(err)
	}
	var sealed []sealedRow
	if err := s.read.SelectContext(ctx, &sealed, `SELECT * FROM server_secrets WHERE server = ?`, name); err != nil {
		return model.Server{}, s.fail(err)
	}
	return row.server(s.openAll(sealed)), nil
}

// InsertServer stores a new server. A name that is taken is CodeConflict.
func (s *Store) InsertServer(ctx context.Context, m model.Server) error {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	err := s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.NamedExecContext(ctx, insertServer, rowOf(m)); err != nil {
			return err
		}
		return s.sealValues(ctx, tx, m)
	})
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a server %q: choose another name.", m.Name)
	}
	return err
}

// UpdateServer replaces a server's configuration; CreatedAt stays. A value that
// comes as Unreadable keeps the sealed bytes that are there.
func (s *Store) UpdateServer(ctx context.Context, m model.Server) error {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		changed, err := affected(tx.NamedExecContext(ctx, updateServer, rowOf(m)))
		if err != nil {
			return err
		}
		if changed == 0 {
			return notFound("server", m.Name)
		}
		return s.sealValues(ctx, tx, m)
	})
}

// DeleteServer removes a server with its secrets; its calls stay.
func (s *Store) DeleteServer(ctx context.Context, name string) error {
	return s.deleteOne(ctx, `DELETE FROM mcp_servers WHERE name = ?`, "server", name)
}

func rowOf(m model.Server) serverRow {
	return serverRow{Name: m.Name, FriendlyName: m.FriendlyName, Description: m.Description,
		Transport: m.Transport, Command: m.Command, Args: column[[]string]{m.Args}, Cwd: m.Cwd, URL: m.URL,
		Env: column[values]{clearValues(m.Env)}, Headers: column[values]{clearValues(m.Headers)},
		BearerToken: column[value]{clearValue(m.BearerToken)}, OAuth: column[oauth]{clearOAuth(m.OAuth)}, Enabled: m.Enabled, Trusted: m.Trusted, ShareImages: m.ShareImages,
		EnabledTools: column[[]string]{m.EnabledTools}, DisabledTools: column[[]string]{m.DisabledTools},
		StartTimeout: m.StartTimeout.Milliseconds(), CallTimeout: m.CallTimeout.Milliseconds(),
		CallMax: m.CallMax.Milliseconds(), ElicitationTimeout: m.ElicitationTimeout.Milliseconds(),
		MaxMessage: m.MaxMessage, SSEIdleTimeout: m.SSEIdleTimeout.Milliseconds(),
		ReconnectInitial: m.Reconnect.Initial.Milliseconds(), ReconnectMax: m.Reconnect.Max.Milliseconds(),
		ReconnectAttempts: m.Reconnect.MaxAttempts,
		Delivery:          m.Delivery, CreatedAt: orNow(m.CreatedAt), UpdatedAt: orNow(m.UpdatedAt)}
}

func (r serverRow) server(secrets map[secretKey]opened) model.Server {
	fill := func(kind secretKind, name string, v value) model.Value {
		if !v.Sealed {
			return model.Value{Text: v.Text, Plain: v.Plain}
		}
		text := secrets[secretKey{r.Name, kind, name}]
		return model.Value{Text: text.plain, Unreadable: !text.ok}
	}
	fillAll := func(kind secretKind, all values) map[string]model.Value {
		if all == nil {
			return nil
		}
		filled := make(map[string]model.Value, len(all))
		for name, v := range all {
			filled[name] = fill(kind, name, v)
		}
		return filled
	}
	millis := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	return model.Server{Name: r.Name, FriendlyName: r.FriendlyName, Description: r.Description,
		Transport: r.Transport, Command: r.Command, Args: r.Args.V, Cwd: r.Cwd, URL: r.URL,
		Env: fillAll(kindEnv, r.Env.V), Headers: fillAll(kindHeader, r.Headers.V),
		BearerToken: fill(kindBearer, "", r.BearerToken.V), OAuth: r.OAuth.V.open(fill), Enabled: r.Enabled, Trusted: r.Trusted, ShareImages: r.ShareImages,
		EnabledTools: r.EnabledTools.V, DisabledTools: r.DisabledTools.V,
		StartTimeout: millis(r.StartTimeout), CallTimeout: millis(r.CallTimeout), CallMax: millis(r.CallMax),
		ElicitationTimeout: millis(r.ElicitationTimeout), MaxMessage: r.MaxMessage, SSEIdleTimeout: millis(r.SSEIdleTimeout),
		Reconnect: model.Reconnect{Initial: millis(r.ReconnectInitial), Max: millis(r.ReconnectMax), MaxAttempts: r.ReconnectAttempts},
		Delivery:  r.Delivery,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
}
