"""The limits of the server: what a table, a person, an address and a connection may cost.

Everything that people can request, and everything kept for them, has its limit here; how much a
table holds, such as its people and the length of a name, is said in :mod:`rage.table`, beside what
it limits. A :class:`Rate` allows a burst, and then one more every few seconds.
"""

from __future__ import annotations

from typing import Final

from rage.house.limits.rate import Rate

# By address: these are for PEOPLE people, and grow with `--people-per-address`.

#: The people who share an address unless configured: a family and its guests.
PEOPLE: Final = 20
#: The open connections of each of them: a page has six, and a table one.
CONNECTIONS: Final = 10
BY_ADDRESS: Final = {
    # Any request or WebSocket. A page is some fifteen files.
    "request": Rate(1500, 0.02),
    # A request to the API.
    "any": Rate(200, 0.05),
    # A new person, and a new name: kept for a year.
    "person": Rate(60, 10),
    "name": Rate(60, 10),
    # A list: some 5 ms of the event loop, and of the thread that reads the store.
    "list": Rate(100, 0.2),
    # A new table: up to 300 kB of the store, for days.
    "open": Rate(40, 60),
    # A new event: up to twenty tables a round, for days.
    "event": Rate(12, 300),
    # Taking part in an event, or directing one.
    "direct": Rate(200, 1),
    # A game that begins: 5 kB of the store when it is over, up to 30, for a year.
    "begin": Rate(200, 18),
    # A wrong code; fewer for one person (below), who cannot lock out the others.
    "guess": Rate(300, 1),
    # Five kB of a submitted game: some 20 ms of a processor.
    "given": Rate(60, 2),
    # The image of a link: up to 40 ms.
    "qr": Rate(40, 1),
    # Advice: some 50 ms of a processor. A person costs nothing, so also by address.
    "advice": Rate(60, 1),
    # An analysis: 5 s of a processor at most.
    "analysis": Rate(12, 30),
    # A score sheet that this server does not know yet: 16 kB of memory.
    "sheet": Rate(20, 30),
    # A new WebSocket.
    "socket": Rate(120, 0.5),
    # The use of a handover: it could be a guess.
    "handover": Rate(10, 30),
    # The use of a recovery code: it could be a guess. Of a passkey: some 20 ms of a processor.
    "recovery": Rate(10, 30),
    # Ending all sessions: kept forever.
    "sessions": Rate(10, 600),
    # Exporting or erasing all data of a person: reads the whole store.
    "data": Rate(10, 600),
    "erase": Rate(6, 900),
    # A report: 4 kB of the store, for three months.
    "report": Rate(20, 600),
}
#: The limits on data that the store keeps: the networks around an address get less
#: (``networks.py``).
KEPT: Final = ("person", "name", "open", "event", "begin", "sessions", "report")
#: The largest number in a configured limit.
MAX_LIMIT: Final = 100_000_000
#: The characters of a submitted game that count as one request.
GIVEN_UNIT: Final = 5000
#: The longest such game, in characters, and the longest record in an answer, in bytes (a link is
#: compressed, and may hold more). Thirty rounds of eight take half of it.
MAX_GAME: Final = 128 * 1024
#: The most remarks on such a game, and their greatest length.
MAX_REMARKS: Final = 200
MAX_REMARK: Final = 500
#: People who join a table.
ARRIVALS: Final = Rate(20, 1 / 4)
#: Phones that join a sheet.
JOINS: Final = Rate(60, 0.5)
#: Open tables, which anyone can find; visitors of one table; sheets.
MAX_OPEN_FROM: Final = 20
MAX_VISITORS_FROM: Final = 10
MAX_SHEETS_FROM: Final = 20
#: The most open tables whose address is remembered.
MAX_OPENED: Final = 10_000

# By person.

#: Wrong codes from one address, with the same cookie or without one.
GUESSES: Final = Rate(30, 10)
#: The wrong codes that are remembered: asking for the same one again is not a guess.
MAX_GUESSED: Final = 10_000
#: What people with a seat may still do when others at the address have used up its limit: load the
#: page, come back to the table, and begin the next game.
BY_SEAT: Final = {
    "request": Rate(60, 4),
    "any": Rate(60, 4),
    "socket": Rate(10, 10),
    "begin": Rate(3, 1200),
}
#: The most such people remembered.
MAX_SEATED: Final = 2000
BY_PERSON: Final = {
    "open": Rate(20, 20),
    "event": Rate(6, 600),
    "direct": Rate(60, 3),
    "begin": Rate(60, 60),
    "name": Rate(20, 3),
    "list": Rate(30, 1),
    # The games of the same deals: up to nine records are read.
    "same": Rate(30, 2),
    "handover": Rate(8, 30),
    # A new recovery code, in place of the last one; the options for a passkey, and the passkey.
    "code": Rate(10, 60),
    "sessions": Rate(5, 60),
    "report": Rate(5, 600),
    # A whole finished game.
    "game": Rate(60, 1),
    # Some 50 ms of a processor each, at most a second.
    "advice": Rate(30, 2),
}
#: Passkeys, and the bytes of each.
MAX_PASSKEYS: Final = 10
MAX_PASSKEY: Final = 2048
#: Open tables of a host.
MAX_OPEN: Final = 5
#: Finished games kept for a person, and as many that they only watched: the length of a list. A
#: game is kept while anyone has it.
MAX_GAMES: Final = 200
#: The most tables, games of the same deals, and results of a day in a list.
MAX_TABLES: Final = 30
MAX_SAME: Final = 8
MAX_RESULTS: Final = 100
#: The most days in a person's list of deals of the day.
MAX_DAYS: Final = 400

# By table.

#: Games that begin there.
BY_TABLE: Final = {"begin": Rate(30, 60)}
#: Commands other than moves that one person may send to a table, chat lines, and reactions.
COMMANDS: Final = Rate(20, 1 / 4)
CHAT: Final = Rate(10, 1)
REACTIONS: Final = Rate(4, 2)
#: The same for all spectators of a table together.
SPECTATOR_COMMANDS: Final = Rate(120, 1 / 8)
SPECTATOR_CHAT: Final = Rate(10, 1 / 2)
SPECTATOR_REACTIONS: Final = Rate(6, 1)
#: The persons, or addresses, that each limit of a table remembers.
MAX_KEYS_PER_TABLE: Final = 300
#: Visitors. One more replaces another.
MAX_VISITORS: Final = 50
#: Events, and bytes of them, after which a snapshot of the table replaces them; and the events that
#: are kept anyway for clients that were away, which otherwise get the whole table.
SNAPSHOT_AFTER: Final = 1000
SNAPSHOT_AFTER_BYTES: Final = 100_000
MAX_MISSED: Final = 200
#: Milliseconds without use after which a snapshot replaces all events of a table whose game is
#: over: it then takes a tenth of the space, not counting its finished game.
FINISHED_AFTER: Final = 3_600_000
#: Bytes of the chat. (The table itself keeps its last lines, ``rage.table.state``.)
MAX_CHAT_BYTES: Final = 64_000

# By shown sheet.

#: Bids of a phone, and updates of its keeper; the addresses or phones that are remembered.
BIDS: Final = Rate(60, 0.5)
WRITES: Final = Rate(60, 0.5)
MAX_KEYS_PER_SHEET: Final = 300
#: Seconds without its keeper after which it is forgotten.
FORGET_AFTER: Final = 24 * 3600

# By request.

#: The bytes of a body, and of one that holds a game, whose quotes and line feeds are escaped in it.
MAX_BODY: Final = 16_384
MAX_GAME_BODY: Final = 2 * MAX_GAME
#: The characters of the name of a rule set.
MAX_RULES: Final = 500

# By connection.

#: Messages; and requests for missed events or hints.
MESSAGES: Final = Rate(100, 1 / 45)
REPLAYS: Final = Rate(20, 1 / 4)
#: Commands refused for coming too fast before the connection is closed.
WARNINGS: Final = Rate(50, 1)
#: The longest message, in bytes, and the most messages waiting to be answered.
MAX_MESSAGE: Final = 4096
MAX_UNANSWERED: Final = 64
#: Pings, pongs and continuations of messages.
CONTROL_FRAMES: Final = Rate(100, 1 / 10)
#: The most unsent bytes for a client, and the seconds for which it may read none of them.
MAX_UNSENT: Final = 128 * 1024
MAX_STALL: Final = 5.0

# Of the whole server.

#: Bytes of a megabyte, as ``--max-store`` counts.
MB: Final = 1_000_000
#: Connections (as many as fit into 256 MB), and the bytes of a request before its body.
MAX_CONNECTIONS: Final = 4000
MAX_HEAD: Final = 16_384
#: Bytes of the store, beyond which no table is opened and no game begins: 380,000 finished games.
MAX_STORE: Final = 2_000_000_000
#: The shares of it beyond which only people who have finished a game here open tables and begin
#: games, and then only if that was a day ago (milliseconds): strangers cannot lock them out.
STRANGERS: Final = 0.8
NEWCOMERS: Final = 0.9
DAY: Final = 24 * 3600 * 1000
#: Probes of the store for ``/readyz``, each of which writes a row.
PROBES: Final = Rate(10, 1)
#: Sheets that are shown.
MAX_SHEETS: Final = 500
#: Wrong recovery codes from everywhere, beyond which the log warns; people mistype far fewer.
WRONG_CODES: Final = Rate(300, 0.5)
#: Handover tokens that are remembered as used.
MAX_SPENT: Final = 10_000
#: Milliseconds after which a table with no one connected is dropped from memory, and the most that
#: stay until then. If there are more, the least recently used are dropped first, but only after the
#: last number of milliseconds, because a person may be about to join. So a crowd that opens tables
#: and leaves cannot exhaust the memory.
IDLE_AFTER: Final = 60_000
MAX_IDLE: Final = 200
IDLE_AFTER_IN_CROWD: Final = 5_000

#: Reports of people: the characters of each, the lines of the chat with it, how many there are (one
#: more replaces the oldest), and the days for which they are kept.
MAX_REPORT: Final = 300
REPORTED_LINES: Final = 10
MAX_REPORTS: Final = 500
REPORT_DAYS: Final = 90
#: A time that never comes, in milliseconds.
FOREVER: Final = 2**53

# Of the processors. Bots, advice and analyses wait for one in a queue in which addresses take turns
# (rage.server.work.fair_queue).

#: Seconds that bots keep playing at a table with no one connected.
REST_AFTER: Final = 60.0
#: Seconds that a bot or an adviser may look ahead, and fewer while other work waits.
THINKING: Final = 1.0
THINKING_IN_CROWD: Final = 0.25
#: An analysis tries each decision in this many worlds, and plays each round this often: fewer in a
#: long game, to stay within these numbers of moves, which take some 4 s and 1 s. The overhead of a
#: decision counts as some moves.
WORLDS: Final = range(2, 301)
MOVES_IN_WORLDS: Final = 6_500_000
MOVES_BESIDES: Final = 700
TIMES: Final = range(5, 61)
MOVES_AGAIN: Final = 40_000
#: Games analysed at once, from one address (piece by piece in turn) and in all.
MAX_ANALYSING_FROM: Final = 2
MAX_ANALYSING: Final = 12
#: Bytes of cached analyses: some 150 usual ones.
MAX_ANALYSES_BYTES: Final = 16_000_000
