-- +goose Up
ALTER TABLE tool_calls ADD COLUMN agent TEXT NOT NULL DEFAULT '';
-- How long the call waited for the person.
ALTER TABLE tool_calls ADD COLUMN waited_ms INTEGER NOT NULL DEFAULT 0;

-- What an approval or a question shows, as JSON; and the person's answer to those
-- two kinds alone. They survive a restart.
ALTER TABLE inbox_items ADD COLUMN detail TEXT NOT NULL DEFAULT 'null';
ALTER TABLE inbox_items ADD COLUMN scope TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox_items ADD COLUMN for_arguments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inbox_items ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox_items ADD COLUMN answer TEXT NOT NULL DEFAULT '';
CREATE INDEX inbox_items_call ON inbox_items (call_id, id) WHERE call_id <> '';

-- Few rows, always read and written as a whole.
CREATE TABLE policy_rules (
    id         TEXT NOT NULL PRIMARY KEY,
    position   INTEGER NOT NULL UNIQUE,
    agent      TEXT NOT NULL,
    asker      TEXT NOT NULL,
    server     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    -- {"path": "…", "pattern": "…"} or null.
    argument   TEXT NOT NULL CHECK (json_valid(argument)),
    action     TEXT NOT NULL CHECK (action IN ('allow', 'ask', 'deny')),
    note       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Tools that are approved for the rest of a chat.
CREATE TABLE policy_grants (
    session_id TEXT NOT NULL,
    server     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    changed_at INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, server, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX policy_grants_server ON policy_grants (server);

-- A server of the same name that comes later is another.
-- +goose StatementBegin
CREATE TRIGGER policy_grants_of_server AFTER DELETE ON mcp_servers BEGIN
    DELETE FROM policy_grants WHERE server = old.name;
END;
-- +goose StatementEnd

-- Every decision about a call, kept for good. There is no foreign key: it outlives
-- call, chat, server and rule.
CREATE TABLE policy_audit (
    id          TEXT NOT NULL PRIMARY KEY,
    at          INTEGER NOT NULL,
    call_id     TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    asker_kind  TEXT NOT NULL,
    asker_label TEXT NOT NULL,
    agent       TEXT NOT NULL,
    server      TEXT NOT NULL,
    tool        TEXT NOT NULL,
    arguments   TEXT NOT NULL,
    decision    TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    rule_id     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    scope       TEXT NOT NULL,
    note        TEXT NOT NULL,
    decided_by  TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE policy_audit;
DROP TRIGGER policy_grants_of_server;
DROP TABLE policy_grants;
DROP TABLE policy_rules;
DROP INDEX inbox_items_call;
ALTER TABLE inbox_items DROP COLUMN answer;
ALTER TABLE inbox_items DROP COLUMN note;
ALTER TABLE inbox_items DROP COLUMN for_arguments;
ALTER TABLE inbox_items DROP COLUMN scope;
ALTER TABLE inbox_items DROP COLUMN detail;
ALTER TABLE tool_calls DROP COLUMN waited_ms;
ALTER TABLE tool_calls DROP COLUMN agent;
