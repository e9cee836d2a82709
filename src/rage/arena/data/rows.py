"""The rows of simulated games: decisions and their results, column by column.

Compiled, because a row is written for each decision of games that take a fifth of a millisecond.
The numbers of a row are written in the order of its columns in `schema.py`.
"""

from __future__ import annotations

from array import array
from typing import Any

from rage.arena.data.schema import TABLES

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.arena.data.uncompiled import Log
    from rage.engine.kernel import BIDDING, Rules, legal_set
    from rage.engine.position import Position
    from rage.engine.uncompiled import RuleTable, State

    MAX_COLUMNS = 64

    def numbers(values: array[int]) -> Any:
        """How a struct refers to an array: by address when compiled."""
        return values

    def put(log: Log, at: int, number: int) -> None:
        """Write a number into a row of the next column."""
        log.columns[log.column][at] = number
        log.column += 1

    uint8s = int16s = numbers


def begin_log(log: Log, number: int) -> None:
    """Begin the rows of the game with this number."""
    log.number = number
    log.begun = log.at
    for i in range(8):
        log.scores[i] = 0


def note_decision(log: Log, s: State, r: RuleTable, move: int) -> None:
    """Write a row of ``decisions``: the situation of the seat to act, and its move."""
    at = log.at
    legal = legal_set(s, r)
    bidding = s.phase == BIDDING
    log.column = 0
    put(log, at, log.number)
    put(log, at, s.round + 1)
    put(log, at, 0 if bidding else s.tricks + 1)
    put(log, at, 1 + (s.turn - s.leader + r.n) % r.n)
    put(log, at, s.turn)
    put(log, at, s.held[2 * s.turn])
    put(log, at, s.held[2 * s.turn + 1])
    put(log, at, legal.lo)
    put(log, at, legal.hi)
    put(log, at, s.trump)
    put(log, at, s.led)
    put(log, at, s.bids[s.turn])
    put(log, at, s.won[s.turn])
    put(log, at, move)
    log.at = at + 1


def note_round(log: Log, s: State, r: RuleTable) -> None:
    """Write a row of ``rounds`` for each seat, once the round is over, and into each of its
    decisions the points of its side."""
    for i in range(log.begun, log.at):
        side = log.seat[i] % r.sides
        log.points[i] = s.scores[side] - log.scores[side]
    for seat in range(r.n):
        at = log.round_at + seat
        side = seat % r.sides
        bid = won = 0
        mate = side
        while mate < r.n:
            bid += s.bids[mate]
            won += s.won[mate]
            mate += r.sides
        log.column = log.round_columns
        put(log, at, log.number)
        put(log, at, s.round)
        put(log, at, seat)
        put(log, at, s.hand)
        put(log, at, s.dealer)
        put(log, at, s.bids[seat])
        put(log, at, s.won[seat])
        put(log, at, s.bonus_mad[seat] & 15)
        put(log, at, s.bonus_mad[seat] >> 4)
        put(log, at, bid == won)
        put(log, at, s.scores[side] - log.scores[side])
        put(log, at, s.scores[side])
    log.round_at += r.n
    log.begun = log.at
    for i in range(r.sides):
        log.scores[i] = s.scores[i]


def note_game(log: Log, s: State, r: RuleTable) -> None:
    """Write a row of ``games`` for each seat, once the game is over."""
    for seat in range(r.n):
        at = log.game_at + seat
        log.column = log.game_columns
        put(log, at, log.number)
        put(log, at, seat)
        put(log, at, s.scores[seat % r.sides])
        put(log, at, s.met[seat % r.sides])
    log.game_at += r.n


class Rows:
    """The rows of ``games`` whole games, in order: ``tables`` has an array of numbers for each
    column of a table that is not derived. 6 is no colour, and 255 is no bid."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.log = cython.address(self.own_log)

    def __init__(self, rules: Rules, games: int) -> None:
        if not cython.compiled:
            self.log = Log()
        self.rules = rules
        self.games = games
        players, schedule = rules.players, rules.ruleset.schedule
        seats, tricks = games * players, sum(schedule)
        sizes = (seats * (tricks + len(schedule)), seats * len(schedule), seats)
        self.tables = {
            name: {each.name: array(each.code, [0]) * size for each in columns if each.code}
            for (name, columns), size in zip(TABLES.items(), sizes, strict=True)
        }
        log = self.log
        columns = [column for table in self.tables.values() for column in table.values()]
        assert len(columns) <= MAX_COLUMNS
        for i in range(len(columns)):
            log.columns[i] = numbers(columns[i])
            log.widths[i] = columns[i].itemsize
        decisions = self.tables["decisions"]
        log.seat = uint8s(decisions["seat"])
        log.points = int16s(decisions["points"])
        log.round_columns = len(decisions)
        log.game_columns = len(decisions) + len(self.tables["rounds"])
        log.at = log.round_at = log.game_at = 0

    def begin(self, number: int) -> None:
        """Begin the game with this number."""
        if self.log.game_at == self.games * self.rules.players:
            raise IndexError(f"more than {self.games} games")
        begin_log(self.log, number)

    def note(self, position: Position, move: int) -> None:
        """Write the row of a legal move that is about to be made."""
        if self.log.at == len(self.tables["decisions"]["move"]):
            raise IndexError(f"more than {self.games} games")
        note_decision(self.log, position.s, position.r, move)

    def end_round(self, position: Position) -> None:
        """Write the rows of a round that is over, before the next is dealt."""
        if self.log.round_at == len(self.tables["rounds"]["seat"]):
            raise IndexError(f"more than {self.games} games")
        note_round(self.log, position.s, position.r)

    def end_game(self, position: Position) -> None:
        """Write the rows of a game that is over."""
        if self.log.game_at == len(self.tables["games"]["seat"]):
            raise IndexError(f"more than {self.games} games")
        note_game(self.log, position.s, position.r)
