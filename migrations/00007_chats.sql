-- +goose Up
-- number is each row's in chat_search: a rowid that VACUUM never changes.
CREATE TABLE chat_sessions (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    title         TEXT NOT NULL,
    named         INTEGER NOT NULL,
    agent         TEXT NOT NULL,
    -- No foreign key: a chat outlives its model.
    model         TEXT NOT NULL,
    turn_id       TEXT NOT NULL,
    context_used  INTEGER NOT NULL,
    elided_before TEXT NOT NULL,
    summary_id    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX chat_sessions_latest ON chat_sessions (updated_at, id);
CREATE INDEX chat_sessions_turns ON chat_sessions (id) WHERE turn_id <> '';

-- The root frame of a chat has no parent_id.
CREATE TABLE session_frames (
    id         TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    parent_id  TEXT NOT NULL,
    use_id     TEXT NOT NULL,
    agent      TEXT NOT NULL,
    task       TEXT NOT NULL,
    depth      INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('open', 'done', 'failed', 'stopped')),
    created_at INTEGER NOT NULL,
    ended_at   INTEGER
) STRICT;
CREATE INDEX session_frames_session ON session_frames (session_id, id);

CREATE TABLE chat_messages (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    session_id  TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    frame_id    TEXT NOT NULL REFERENCES session_frames (id) ON DELETE CASCADE,
    turn_id     TEXT NOT NULL,
    root        INTEGER NOT NULL,
    role        TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'note', 'summary')),
    -- A JSON array. The arguments of a tool_use are a string in it, so that they
    -- stay what the model wrote.
    parts       TEXT NOT NULL CHECK (json_valid(parts)),
    model       TEXT NOT NULL,
    usage       TEXT NOT NULL,
    finish      TEXT NOT NULL,
    error       TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    replaced_at INTEGER
) STRICT;
CREATE INDEX chat_messages_frame ON chat_messages (frame_id, replaced_at, id);
CREATE INDEX chat_messages_session ON chat_messages (session_id, id);

-- What chats are found by: what the person and the models said, and, under
-- negative rowids, the titles. Trigrams find parts of words, in every script.
CREATE VIRTUAL TABLE chat_search USING fts5 (said, session_id UNINDEXED, tokenize = 'trigram remove_diacritics 1');

-- +goose StatementBegin
CREATE TRIGGER chat_messages_said AFTER INSERT ON chat_messages WHEN new.role IN ('user', 'assistant') BEGIN
    INSERT INTO chat_search (rowid, said, session_id)
    SELECT new.number, said, new.session_id
    FROM (SELECT group_concat(value ->> 'text', char(10)) AS said FROM json_each(new.parts) WHERE value ->> 'kind' = 'text')
    WHERE said <> '';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chat_messages_replaced AFTER UPDATE OF replaced_at ON chat_messages WHEN new.replaced_at IS NOT NULL BEGIN
    DELETE FROM chat_search WHERE rowid = new.number;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chat_messages_deleted AFTER DELETE ON chat_messages BEGIN
    DELETE FROM chat_search WHERE rowid = old.number;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chat_sessions_begun AFTER INSERT ON chat_sessions WHEN new.title <> '' BEGIN
    INSERT INTO chat_search (rowid, said, session_id) VALUES (-new.number, new.title, new.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chat_sessions_titled AFTER UPDATE OF title ON chat_sessions WHEN new.title <> old.title BEGIN
    DELETE FROM chat_search WHERE rowid = -new.number;
    INSERT INTO chat_search (rowid, said, session_id) SELECT -new.number, new.title, new.id WHERE new.title <> '';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chat_sessions_deleted AFTER DELETE ON chat_sessions BEGIN
    DELETE FROM chat_search WHERE rowid = -old.number;
    DELETE FROM policy_grants WHERE session_id = old.id;
END;
-- +goose StatementEnd

-- The tool groups that are on, servers' names or config: for a chat's root, and
-- for a sub-agent's frame as long as it is open.
CREATE TABLE session_mcp_grants (
    session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    position   INTEGER NOT NULL,
    PRIMARY KEY (session_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE stack_mcp_grants (
    frame_id TEXT NOT NULL REFERENCES session_frames (id) ON DELETE CASCADE,
    name     TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (frame_id, name)
) STRICT, WITHOUT ROWID;

-- A server that is added again under the name of a deleted one is another.
-- +goose StatementBegin
CREATE TRIGGER mcp_servers_granted AFTER DELETE ON mcp_servers BEGIN
    DELETE FROM session_mcp_grants WHERE name = old.name;
    DELETE FROM stack_mcp_grants WHERE name = old.name;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER session_frames_ended AFTER UPDATE OF state ON session_frames WHEN new.state <> 'open' BEGIN
    DELETE FROM stack_mcp_grants WHERE frame_id = new.id;
END;
-- +goose StatementEnd

CREATE TABLE language_models (
    name           TEXT NOT NULL PRIMARY KEY,
    provider       TEXT NOT NULL CHECK (provider IN ('openai', 'anthropic', 'scripted')),
    base_url       TEXT NOT NULL,
    model          TEXT NOT NULL,
    -- {"text": "${VAR}"} or {"sealed": true}, as with the values of a server.
    api_key        TEXT NOT NULL,
    sealed_key     BLOB,
    context_tokens INTEGER NOT NULL,
    images         INTEGER NOT NULL,
    is_default     INTEGER NOT NULL,
    price_input    REAL NOT NULL,
    price_output   REAL NOT NULL,
    script         TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX language_models_default ON language_models (is_default) WHERE is_default = 1;

-- Whether the images of a server's results go to models that can see.
ALTER TABLE mcp_servers ADD COLUMN share_images INTEGER NOT NULL DEFAULT 1;

-- +goose Down
ALTER TABLE mcp_servers DROP COLUMN share_images;
DROP TABLE language_models;
DROP TRIGGER mcp_servers_granted;
DROP TABLE stack_mcp_grants;
DROP TABLE session_mcp_grants;
DROP TABLE chat_messages;
DROP TABLE session_frames;
DROP TABLE chat_sessions;
DROP TABLE chat_search;
