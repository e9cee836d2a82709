"""The rows of simulated games: what was decided, and what came of it, column by column.

Compiled, because a row is written for each decision of games that take a fifth of a millisecond.
``docs/data.md`` describes the columns.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.arena.data.uncompiled import Log
    from rage.engine.kernel import BIDDING, Rules, legal_set
    from rage.engine.position import Position
    from rage.engine.uncompiled import RuleTable, State

    def wholes(values: array[int]) -> Any:
        """How a struct refers to an array: by address when compiled."""
        return values

    octets = shorts = words = wholes

#: The columns of each table, with the type of its numbers as in :mod:`array`.
DECISIONS = {
    "game": "i", "round": "B", "trick": "B", "place": "B", "seat": "B",
    "hand_low": "Q", "hand_high": "Q", "legal_low": "Q", "legal_high": "Q",
    "trump": "B", "led": "B", "bid": "B", "won": "B", "move": "B", "points": "h",
}  # fmt: skip
ROUNDS = {
    "game": "i", "round": "B", "seat": "B", "hand_size": "B", "dealer": "B", "bid": "B", "won": "B",
    "bonus": "B", "mad": "B", "met": "B", "points": "h", "score": "h",
}  # fmt: skip
RESULTS = {"game": "i", "seat": "B", "points": "h", "met": "B"}


def begin_log(log: Log, number: int) -> None:
    """The next game begins."""
    log.number = number
    log.begun = log.at
    for i in range(8):
        log.scores[i] = 0


def note_decision(log: Log, s: State, r: RuleTable, move: int) -> None:
    """A row of ``decisions``: what the seat to act knows of itself, and its move."""
    at = log.at
    legal = legal_set(s, r)
    bidding = s.phase == BIDDING
    log.game[at] = log.number
    log.round[at] = s.round + 1
    log.trick[at] = 0 if bidding else s.tricks + 1
    log.place[at] = 1 + (s.turn - s.leader + r.n) % r.n
    log.seat[at] = s.turn
    log.hand_low[at] = s.held[2 * s.turn]
    log.hand_high[at] = s.held[2 * s.turn + 1]
    log.legal_low[at] = legal.lo
    log.legal_high[at] = legal.hi
    log.trump[at] = s.trump
    log.led[at] = s.led
    log.bid[at] = s.bids[s.turn]
    log.won[at] = s.won[s.turn]
    log.move[at] = move
    log.at = at + 1


def note_round(log: Log, s: State, r: RuleTable) -> None:
    """A row of ``rounds`` for each seat, once the round is over, and the points of its side for
    each of its decisions."""
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
        log.round_game[at] = log.number
        log.round_round[at] = s.round
        log.round_seat[at] = seat
        log.round_hand[at] = s.hand
        log.round_dealer[at] = s.dealer
        log.round_bid[at] = s.bids[seat]
        log.round_won[at] = s.won[seat]
        log.round_bonus[at] = s.bonus_mad[seat] & 15
        log.round_mad[at] = s.bonus_mad[seat] >> 4
        log.round_met[at] = bid == won
        log.round_points[at] = s.scores[side] - log.scores[side]
        log.round_score[at] = s.scores[side]
    log.round_at += r.n
    log.begun = log.at
    for i in range(r.sides):
        log.scores[i] = s.scores[i]


def note_game(log: Log, s: State, r: RuleTable) -> None:
    """A row of ``games`` for each seat, once the game is over."""
    for seat in range(r.n):
        at = log.game_at + seat
        log.game_game[at] = log.number
        log.game_seat[at] = seat
        log.game_points[at] = s.scores[seat % r.sides]
        log.game_met[at] = s.met[seat % r.sides]
    log.game_at += r.n


class Rows:
    """The rows of ``games`` whole games, in order: ``decisions``, ``rounds`` and ``results`` are
    arrays of numbers by the name of their column. A colour is 6, and a bid 255, where there is
    none."""

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
        self.decisions = empty(DECISIONS, games * players * (sum(schedule) + len(schedule)))
        self.rounds = empty(ROUNDS, games * players * len(schedule))
        self.results = empty(RESULTS, games * players)
        log, made, over, ended = self.log, self.decisions, self.rounds, self.results
        log.at = log.round_at = log.game_at = 0
        log.game = wholes(made["game"])
        log.round = octets(made["round"])
        log.trick = octets(made["trick"])
        log.place = octets(made["place"])
        log.seat = octets(made["seat"])
        log.hand_low = words(made["hand_low"])
        log.hand_high = words(made["hand_high"])
        log.legal_low = words(made["legal_low"])
        log.legal_high = words(made["legal_high"])
        log.trump = octets(made["trump"])
        log.led = octets(made["led"])
        log.bid = octets(made["bid"])
        log.won = octets(made["won"])
        log.move = octets(made["move"])
        log.points = shorts(made["points"])
        log.round_game = wholes(over["game"])
        log.round_round = octets(over["round"])
        log.round_seat = octets(over["seat"])
        log.round_hand = octets(over["hand_size"])
        log.round_dealer = octets(over["dealer"])
        log.round_bid = octets(over["bid"])
        log.round_won = octets(over["won"])
        log.round_bonus = octets(over["bonus"])
        log.round_mad = octets(over["mad"])
        log.round_met = octets(over["met"])
        log.round_points = shorts(over["points"])
        log.round_score = shorts(over["score"])
        log.game_game = wholes(ended["game"])
        log.game_seat = octets(ended["seat"])
        log.game_points = shorts(ended["points"])
        log.game_met = octets(ended["met"])

    def begin(self, number: int) -> None:
        """The next game begins, with this number."""
        if self.log.game_at == self.games * self.rules.players:
            raise IndexError(f"more than {self.games} games")
        begin_log(self.log, number)

    def note(self, position: Position, move: int) -> None:
        """A legal move is about to be made in a position."""
        if self.log.at == len(self.decisions["move"]):
            raise IndexError(f"more than {self.games} games")
        note_decision(self.log, position.s, position.r, move)

    def end_round(self, position: Position) -> None:
        """A round is over, and the next is not dealt yet."""
        if self.log.round_at == len(self.rounds["seat"]):
            raise IndexError(f"more than {self.games} games")
        note_round(self.log, position.s, position.r)

    def end_game(self, position: Position) -> None:
        """The game is over."""
        if self.log.game_at == len(self.results["seat"]):
            raise IndexError(f"more than {self.games} games")
        note_game(self.log, position.s, position.r)


def empty(columns: dict[str, str], size: int) -> dict[str, array[int]]:
    """Columns of zeros."""
    return {name: array(code, bytes(size * array(code).itemsize)) for name, code in columns.items()}
