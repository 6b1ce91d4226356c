-- +goose Up
DROP INDEX tool_calls_open;

-- +goose Down
CREATE INDEX tool_calls_open ON tool_calls (id) WHERE ended_at IS NULL;
