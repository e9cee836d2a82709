-- The embedded store. Version 1; docs/hosting.md says how it grows.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    phase TEXT NOT NULL,
    open INTEGER NOT NULL,
    due_at INTEGER,
    used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_open ON tables (used) WHERE open = 1 AND phase <> 'over';

CREATE TABLE people (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID;
CREATE INDEX people_at ON people (table_id);

CREATE TABLE games (
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (table_id, game)
) WITHOUT ROWID;

CREATE TABLE players (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER,
    PRIMARY KEY (person, table_id, game)
) WITHOUT ROWID;

CREATE TABLE names (person TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tokens (token BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
