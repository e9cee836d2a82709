"""The limits of a place, in one table: what an address, a person, a table, a sheet, a connection
and the whole of it may cost.

Everything that somebody may ask for, and everything that is kept for them, has its limit here, with
the reason. A :class:`Rate` is so many at once, and then one more every so many seconds. How they
are counted is in ``limiting.py``.
"""

from __future__ import annotations

from typing import Final

from rage.place.rate import Rate

# By address: all of this is for PEOPLE people, and grows with `--people-per-address`.

#: How many people share an address unless configured: a family and its guests.
PEOPLE: Final = 20
#: How many connections each of them may have open: a page has six, and a table one.
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
    # A game that begins: 5 kB of the store when it is over, up to 30, for a year.
    "begin": Rate(200, 18),
    # A wrong code; of one person (below) fewer, so that one of them cannot spoil it for the others.
    "guess": Rate(300, 1),
    # Five kB of a game that somebody was given: some 20 ms of a processor.
    "given": Rate(60, 2),
    # The image of a link: up to 40 ms.
    "qr": Rate(40, 1),
    # Advice: some 50 ms of a processor. A person costs nothing, so also by address.
    "advice": Rate(60, 1),
    # An analysis: 5 s of a processor at most.
    "analysis": Rate(12, 30),
    # A score sheet that this server does not know yet: 16 kB of memory.
    "sheet": Rate(20, 30),
    # A WebSocket that is opened.
    "socket": Rate(120, 0.5),
    # A handover that is used: it could be a guess.
    "handover": Rate(10, 30),
    # Sessions that are ended: kept for ever.
    "sessions": Rate(10, 600),
}
#: How many characters of a given game count as one.
GIVEN_UNIT: Final = 5000
#: The longest such game, in characters, and the longest record that is answered, in bytes (a link
#: is deflated, and may hold more than it shows). Thirty rounds of eight take half of it.
MAX_GAME: Final = 128 * 1024
#: The remarks that are told of such a game, and how many characters each may have.
MAX_REMARKS: Final = 200
MAX_REMARK: Final = 500
#: People who join a table.
ARRIVALS: Final = Rate(20, 1 / 4)
#: Phones that join a sheet.
JOINS: Final = Rate(60, 0.5)
#: Open tables, which everybody finds; people who look at one table from outside; sheets.
MAX_OPEN_FROM: Final = 20
MAX_OUTSIDE_FROM: Final = 10
MAX_SHEETS_FROM: Final = 20
#: For how many open tables it is remembered which address opened them.
MAX_OPENED: Final = 10_000

# By person.

#: Wrong codes from one address, with the same cookie or without one.
GUESSES: Final = Rate(30, 10)
#: How many wrong codes are remembered: who asks for the same one again does not guess.
MAX_GUESSED: Final = 10_000
#: What somebody who has a seat may still do when others at the address have used up its limit: load
#: the page, come back to the table, and begin the next game.
BY_SEAT: Final = {
    "request": Rate(60, 4),
    "any": Rate(60, 4),
    "socket": Rate(10, 10),
    "begin": Rate(3, 1200),
}
#: How many such people are remembered.
MAX_SEATED: Final = 2000
BY_PERSON: Final = {
    "open": Rate(20, 20),
    "begin": Rate(60, 60),
    "name": Rate(20, 3),
    "list": Rate(30, 1),
    # The games of the same deals: up to nine records are read.
    "same": Rate(30, 2),
    "handover": Rate(8, 30),
    "sessions": Rate(5, 60),
    # A whole finished game.
    "game": Rate(60, 1),
    # Some 50 ms of a processor each, at most a second.
    "advice": Rate(30, 2),
}
#: Open tables that one is host of.
MAX_OPEN: Final = 5
#: Finished games that are kept for one who has played, and for one who has watched: as many as a
#: list shows. A game is kept while anybody has it.
MAX_GAMES: Final = 200
#: What else lists name: tables, games of the same deals, and results of a day beside one's own.
MAX_TABLES: Final = 30
MAX_SAME: Final = 8
MAX_RESULTS: Final = 100

# By table.

#: Games that begin there.
BY_TABLE: Final = {"begin": Rate(30, 60)}
#: How often one person may send commands other than moves to a table, and chat there.
COMMANDS: Final = Rate(20, 1 / 4)
CHAT: Final = Rate(10, 1)
#: The same for all spectators of a table together.
SPECTATOR_COMMANDS: Final = Rate(120, 1 / 8)
SPECTATOR_CHAT: Final = Rate(10, 1 / 2)
#: How many persons, or addresses, each limit of a table remembers.
MAX_KEYS_PER_TABLE: Final = 300
#: People who look at it from outside. Whoever comes then takes the place of another.
MAX_OUTSIDE: Final = 50
#: Events, and bytes of them, after which the table is stored as a snapshot in their place; and the
#: events that are kept all the same for clients that were away, who otherwise get the whole table.
SNAPSHOT_AFTER: Final = 1000
SNAPSHOT_AFTER_BYTES: Final = 100_000
MAX_MISSED: Final = 200
#: Bytes of the chat. (The table itself keeps its last lines, ``rage.table.state``.)
MAX_CHAT_BYTES: Final = 64_000

# By sheet that is shown.

#: How often a phone may bid, and its keeper may write; how many addresses or phones are remembered.
BIDS: Final = Rate(60, 0.5)
WRITES: Final = Rate(60, 0.5)
MAX_KEYS_PER_SHEET: Final = 300
#: After how many seconds without its keeper it is forgotten.
FORGET_AFTER: Final = 24 * 3600

# By request.

#: The bytes of a body, and of one that holds a game, whose quotes and line feeds are escaped in it.
MAX_BODY: Final = 16_384
MAX_GAME_BODY: Final = 2 * MAX_GAME
#: The characters of the name of a rule set.
MAX_RULES: Final = 500

# By connection.

#: Messages; and how often missed events or hints may be asked for.
MESSAGES: Final = Rate(100, 1 / 45)
REPLAYS: Final = Rate(20, 1 / 4)
#: How many commands may be refused for coming too fast before the connection is closed.
WARNINGS: Final = Rate(50, 1)
#: The longest message, in bytes, and how many may wait to be answered.
MAX_MESSAGE: Final = 4096
MAX_UNANSWERED: Final = 64
#: How many pings, pongs and continuations of messages one may send.
CONTROL_FRAMES: Final = Rate(100, 1 / 10)
#: How many bytes may be unsent for a client, and for how many seconds it may read none of them.
MAX_UNSENT: Final = 128 * 1024
MAX_STALL: Final = 5.0

# Of the whole server.

#: Bytes of a megabyte, as ``--max-store`` counts.
MB: Final = 1_000_000
#: Connections (as many as fit into 256 MB), and the bytes of a request before its body.
MAX_CONNECTIONS: Final = 4000
MAX_HEAD: Final = 16_384
#: Bytes of the store, beyond which no table is opened and no game begins: 300,000 finished games.
MAX_STORE: Final = 2_000_000_000
#: Sheets that are shown.
MAX_SHEETS: Final = 500
#: Handover tokens that are remembered as used.
MAX_SPENT: Final = 10_000
#: After how many milliseconds a table where nobody is connected is dropped from memory, and how
#: many of them stay until then. If there are more, the least recently used are dropped first, but
#: not within the last number of milliseconds, when somebody may be about to join. So a crowd that
#: opens tables and leaves cannot exhaust the memory.
IDLE_AFTER: Final = 60_000
MAX_IDLE: Final = 200
IDLE_AFTER_IN_CROWD: Final = 5_000

# Seconds of a processor. What bots, advice and analyses take of one waits in a queue in which
# addresses take turns (rage.server.fair_queue).

#: For how many seconds bots play on at a table where nobody is connected.
REST_AFTER: Final = 60.0
#: For how many seconds a bot or an adviser may look ahead, and for how many while other work waits.
THINKING: Final = 1.0
THINKING_IN_CROWD: Final = 0.25
#: An analysis tries each decision in this many worlds, and plays each round this often, but fewer
#: where the game is long: as many as make this many moves, which take some 4 s and 1 s. What a
#: decision takes besides is as much as some moves.
WORLDS: Final = range(2, 301)
MOVES_IN_WORLDS: Final = 6_500_000
MOVES_BESIDES: Final = 700
TIMES: Final = range(5, 61)
MOVES_AGAIN: Final = 40_000
#: Games that are analysed at once, of an address (piece by piece in turn) and in all.
MAX_ANALYSING_FROM: Final = 2
MAX_ANALYSING: Final = 12
#: Bytes of analyses that are kept: some 150 usual ones.
MAX_ANALYSES_BYTES: Final = 16_000_000
