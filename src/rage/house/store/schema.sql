-- The embedded store; docs/hosting.md says how it grows. Each row has a checksum
-- (rage.house.store.checking).
CREATE TABLE IF NOT EXISTS events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

-- Events that were unreadable, or followed a missing one, when a table continued without them.
CREATE TABLE IF NOT EXISTS lost (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (table_id, seq, at)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS snapshots (
    table_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    data BLOB NOT NULL,
    crc INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS changed_bids (table_id TEXT PRIMARY KEY, data BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tables (
    table_id TEXT PRIMARY KEY,
    phase TEXT NOT NULL,
    open INTEGER NOT NULL,
    due_at INTEGER,
    host TEXT,
    started INTEGER NOT NULL,
    used INTEGER NOT NULL,
    summary BLOB,
    stale INTEGER NOT NULL,
    crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS tables_open ON tables (host, used) WHERE open = 1 AND phase <> 'over';
CREATE INDEX IF NOT EXISTS tables_used ON tables (used);
CREATE INDEX IF NOT EXISTS tables_over ON tables (used, table_id) WHERE phase = 'over';

CREATE TABLE IF NOT EXISTS people (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS people_at ON people (table_id);

CREATE TABLE IF NOT EXISTS chat (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS games (
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    line BLOB NOT NULL,
    record BLOB NOT NULL,
    deals_id TEXT,
    points INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (table_id, game)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_ended ON games (ended);
CREATE INDEX IF NOT EXISTS games_dealt ON games (deals_id, points DESC, ended) WHERE deals_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS players (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER,
    ended INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (person, table_id, game)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS players_last ON players (person, ended, seat);
CREATE INDEX IF NOT EXISTS players_of ON players (table_id, game);

-- Events: the version counts the changes.
CREATE TABLE IF NOT EXISTS contests (
    contest TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    used INTEGER NOT NULL,
    data BLOB NOT NULL,
    crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS contests_used ON contests (used);

CREATE TABLE IF NOT EXISTS entrants (
    person TEXT NOT NULL,
    contest TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (person, contest)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entrants_of ON entrants (contest);

CREATE TABLE IF NOT EXISTS names (
    person TEXT PRIMARY KEY, name TEXT NOT NULL, sign TEXT NOT NULL, at INTEGER NOT NULL, crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_at ON names (at, person);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (number INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, crc INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS codes (
    person TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, at INTEGER NOT NULL, crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passkeys (
    id BLOB PRIMARY KEY,
    person TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    at INTEGER NOT NULL,
    crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_of ON passkeys (person);
CREATE TABLE IF NOT EXISTS sessions (person TEXT PRIMARY KEY, number INTEGER NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS codes_at ON codes (at, person);
CREATE INDEX IF NOT EXISTS passkeys_at ON passkeys (at, person);
-- No query uses these, but if a whole page is lost, table and index differ.
CREATE INDEX IF NOT EXISTS changed_bids_whole ON changed_bids (crc);
CREATE INDEX IF NOT EXISTS chat_whole ON chat (crc);
CREATE INDEX IF NOT EXISTS settings_whole ON settings (crc);
CREATE INDEX IF NOT EXISTS sessions_whole ON sessions (crc);
