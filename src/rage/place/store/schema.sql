-- The embedded store; docs/hosting.md says how it grows.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

CREATE TABLE snapshots (
    table_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    data BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE changed_bids (table_id TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    phase TEXT NOT NULL,
    open INTEGER NOT NULL,
    due_at INTEGER,
    host TEXT,
    started INTEGER NOT NULL,
    used INTEGER NOT NULL,
    summary BLOB
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_open ON tables (host, used) WHERE open = 1 AND phase <> 'over';
CREATE INDEX tables_used ON tables (used);

CREATE TABLE people (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID;
CREATE INDEX people_at ON people (table_id);

CREATE TABLE chat (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

CREATE TABLE games (
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    line BLOB NOT NULL,
    record BLOB NOT NULL,
    deals_id TEXT,
    points INTEGER NOT NULL,
    PRIMARY KEY (table_id, game)
) WITHOUT ROWID;
CREATE INDEX games_ended ON games (ended);
CREATE INDEX games_dealt ON games (deals_id, points DESC, ended) WHERE deals_id IS NOT NULL;

CREATE TABLE players (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER,
    ended INTEGER NOT NULL,
    PRIMARY KEY (person, table_id, game)
) WITHOUT ROWID;
CREATE INDEX players_last ON players (person, ended, seat);
CREATE INDEX players_of ON players (table_id, game);

CREATE TABLE names (
    person TEXT PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE spent (number INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE);
CREATE TABLE codes (
    person TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (person TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
