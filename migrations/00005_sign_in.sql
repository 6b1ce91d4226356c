-- +goose Up
-- The settings of the sign-in as JSON; its secrets are in server_secrets.
ALTER TABLE mcp_servers ADD COLUMN oauth TEXT NOT NULL DEFAULT '{}';

-- What a sign-in gave, sealed as a whole. A writer names the revision that it read:
-- a refresh token that is good once must not be spent twice.
CREATE TABLE oauth_records (
    server     TEXT NOT NULL PRIMARY KEY REFERENCES mcp_servers (name) ON DELETE CASCADE,
    revision   INTEGER NOT NULL,
    sealed     BLOB NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- What a registration at an authorization server gave, for use there alone.
CREATE TABLE oauth_clients (
    issuer       TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    sealed       BLOB NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (issuer, redirect_uri)
) STRICT, WITHOUT ROWID;

-- Why a sign-in is asked for, and with which scopes.
ALTER TABLE inbox_items ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox_items ADD COLUMN scopes TEXT NOT NULL DEFAULT 'null';

-- +goose Down
ALTER TABLE inbox_items DROP COLUMN scopes;
ALTER TABLE inbox_items DROP COLUMN reason;
DROP TABLE oauth_clients;
DROP TABLE oauth_records;
ALTER TABLE mcp_servers DROP COLUMN oauth;
