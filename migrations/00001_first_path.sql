-- Times are integers: milliseconds since 1970 in UTC; NULL for "none".
-- JSON is TEXT exactly as it was sent, so that numbers stay what they were.

-- +goose Up
CREATE TABLE mcp_servers (
    name                   TEXT NOT NULL PRIMARY KEY,
    friendly_name          TEXT NOT NULL,
    description            TEXT NOT NULL,
    transport              TEXT NOT NULL CHECK (transport IN ('stdio', 'http')),
    command                TEXT NOT NULL,
    args                   TEXT NOT NULL,
    cwd                    TEXT NOT NULL,
    url                    TEXT NOT NULL,
    -- {"NAME": {"text": "…", "plain": true}} or {"NAME": {"sealed": true}}; a
    -- sealed one's text is in server_secrets.
    env                    TEXT NOT NULL,
    headers                TEXT NOT NULL,
    bearer_token           TEXT NOT NULL,
    enabled                INTEGER NOT NULL,
    trusted                INTEGER NOT NULL,
    enabled_tools          TEXT NOT NULL,
    disabled_tools         TEXT NOT NULL,
    start_timeout_ms       INTEGER NOT NULL,
    call_timeout_ms        INTEGER NOT NULL,
    call_max_ms            INTEGER NOT NULL,
    elicitation_timeout_ms INTEGER NOT NULL,
    delivery               TEXT NOT NULL,
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL
) STRICT;

-- One row per secret value, so that one that can't be read harms no other.
CREATE TABLE server_secrets (
    server TEXT NOT NULL REFERENCES mcp_servers (name) ON DELETE CASCADE,
    kind   TEXT NOT NULL,
    name   TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (server, kind, name)
) STRICT, WITHOUT ROWID;

-- server is no foreign key: history outlives the server.
CREATE TABLE tool_calls (
    id            TEXT NOT NULL PRIMARY KEY,
    server        TEXT NOT NULL,
    tool          TEXT NOT NULL,
    arguments     TEXT,
    -- No IN list: of more than two values SQLite makes a table, for each row anew.
    state         TEXT NOT NULL CHECK (state = 'running' OR state = 'done' OR state = 'failed' OR
                      state = 'cancelled' OR state = 'unknown' OR state = 'rejected' OR
                      state = 'waiting_input' OR state = 'waiting_approval'),
    asker_kind    TEXT NOT NULL,
    asker_label   TEXT NOT NULL,
    session_id    TEXT NOT NULL,
    result_type   TEXT CHECK (result_type IN ('string', 'json')),
    result        TEXT,
    -- NULL too when it is the same as result, which then isn't kept twice.
    structured    TEXT,
    content       TEXT,
    is_error      INTEGER NOT NULL DEFAULT 0,
    error_code    TEXT,
    error_message TEXT,
    progress      TEXT,
    started_at    INTEGER NOT NULL,
    ended_at      INTEGER
) STRICT;
CREATE INDEX tool_calls_server ON tool_calls (server, id);
CREATE INDEX tool_calls_session ON tool_calls (session_id, id) WHERE session_id <> '';
CREATE INDEX tool_calls_open ON tool_calls (id) WHERE ended_at IS NULL;

-- Never an answer's value: only how an item ended.
CREATE TABLE inbox_items (
    id             TEXT NOT NULL PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('approval', 'elicitation', 'question', 'sign_in',
                       'notification', 'finding')),
    server         TEXT NOT NULL,
    tool           TEXT NOT NULL,
    call_id        TEXT NOT NULL,
    call_ids       TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    asker_kind     TEXT NOT NULL,
    asker_label    TEXT NOT NULL,
    mode           TEXT NOT NULL,
    message        TEXT NOT NULL,
    schema         TEXT,
    url            TEXT NOT NULL,
    elicitation_id TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    deadline       INTEGER,
    action         TEXT CHECK (action IN ('accept', 'decline', 'cancel')),
    resolved_by    TEXT,
    resolved_at    INTEGER,
    CHECK ((action IS NULL) = (resolved_at IS NULL))
) STRICT;
CREATE INDEX inbox_items_open ON inbox_items (id) WHERE resolved_at IS NULL;

CREATE TABLE settings (
    key        TEXT NOT NULL PRIMARY KEY,
    value      TEXT NOT NULL CHECK (json_valid(value)),
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
    name       TEXT NOT NULL PRIMARY KEY,
    sealed     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_tokens (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    scope        TEXT NOT NULL CHECK (scope IN ('full', 'read', 'gateway')),
    prefix       TEXT NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    last_used_at INTEGER
) STRICT;

CREATE TABLE web_sessions (
    id           TEXT NOT NULL PRIMARY KEY,
    hash         BLOB NOT NULL UNIQUE,
    user_agent   TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE web_sessions;
DROP TABLE api_tokens;
DROP TABLE secrets;
DROP TABLE settings;
DROP TABLE inbox_items;
DROP TABLE tool_calls;
DROP TABLE server_secrets;
DROP TABLE mcp_servers;
