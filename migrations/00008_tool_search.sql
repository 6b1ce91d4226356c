-- +goose Up
-- What the tools that can be offered to a model are found by. A server's rows are
-- made anew when its digest is another: the digest is of what they were made from.
CREATE VIRTUAL TABLE tool_search USING fts5 (
    server UNINDEXED, tool UNINDEXED, names, title, description,
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '3'
);

CREATE TABLE tool_search_digests (
    server TEXT NOT NULL PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- A virtual table can't refer to another, and "config" is no server's.
-- +goose StatementBegin
CREATE TRIGGER tool_search_of_deleted_servers AFTER DELETE ON mcp_servers BEGIN
    DELETE FROM tool_search WHERE server = old.name;
    DELETE FROM tool_search_digests WHERE server = old.name;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER tool_search_of_deleted_servers;
DROP TABLE tool_search_digests;
DROP TABLE tool_search;
