-- +goose Up
-- What each server listed last, so that it is there at once after a start. The
-- lists are JSON arrays of the entries, byte for byte as the server sent them.
CREATE TABLE mcp_catalogues (
    server             TEXT NOT NULL PRIMARY KEY REFERENCES mcp_servers (name) ON DELETE CASCADE,
    -- A hash of settings and credentials. It is sealed, because a weak credential
    -- could be guessed from it.
    fingerprint        BLOB NOT NULL,
    era                TEXT NOT NULL,
    sse                INTEGER NOT NULL,
    protocol_version   TEXT NOT NULL,
    server_name        TEXT NOT NULL,
    server_version     TEXT NOT NULL,
    instructions       TEXT NOT NULL,
    tools              TEXT NOT NULL,
    resources          TEXT NOT NULL,
    resource_templates TEXT NOT NULL,
    prompts            TEXT NOT NULL,
    listed_at          INTEGER NOT NULL
) STRICT;

-- The definition of each tool that the person knows: the first one seen, or the
-- one accepted since. They outlive changes of the server's settings.
CREATE TABLE tool_pins (
    server     TEXT NOT NULL REFERENCES mcp_servers (name) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    definition TEXT NOT NULL,
    -- What the server says now, where that is another definition.
    changed    TEXT,
    changed_at INTEGER,
    pinned_at  INTEGER NOT NULL,
    PRIMARY KEY (server, tool)
) STRICT;

-- +goose Down
DROP TABLE tool_pins;
DROP TABLE mcp_catalogues;
