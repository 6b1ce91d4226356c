-- +goose Up
-- 0 is the default, as with the other limits.
ALTER TABLE mcp_servers ADD COLUMN max_message_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mcp_servers ADD COLUMN sse_idle_timeout_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mcp_servers ADD COLUMN reconnect_initial_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mcp_servers ADD COLUMN reconnect_max_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mcp_servers ADD COLUMN reconnect_max_attempts INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE mcp_servers DROP COLUMN reconnect_max_attempts;
ALTER TABLE mcp_servers DROP COLUMN reconnect_max_ms;
ALTER TABLE mcp_servers DROP COLUMN reconnect_initial_ms;
ALTER TABLE mcp_servers DROP COLUMN sse_idle_timeout_ms;
ALTER TABLE mcp_servers DROP COLUMN max_message_bytes;
