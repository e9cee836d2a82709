"""A table at one moment as JSON, from which it continues without the earlier events.

The state is written field by field as declared, so a new field needs no extra code. Only three
things have another form: the rules are written by name, the chat is left out (it is not part of the
events), and the game is written as its deals and moves, from which it is replayed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Any, get_origin

import msgspec

from rage.engine.deal import Deal, Deals
from rage.game.game import Game
from rage.rules.editions import ruleset
from rage.rules.hands import Moves
from rage.rules.values import Move
from rage.say import NotReadable
from rage.table.parts import TableGame
from rage.table.state import MAX_CHAT_LINES, State


@dataclass(slots=True)
class _Round:
    """One round of the game: its deal and its moves, in order, as codes."""

    dealer: int
    hands: list[str]
    stock: str
    moves: str


@dataclass(slots=True)
class _Game:
    """The game: the names of its players, and its rounds."""

    names: tuple[str, ...]
    rounds: list[_Round]


@dataclass(slots=True)
class _Snapshot:
    """The content of a snapshot: the state and the game, each without the parts in other fields."""

    rules: str
    state: State
    play: TableGame | None = None
    game: _Game | None = None


def write_snapshot(state: State) -> bytes:
    """A state as JSON, including everything hidden. The table must be open."""
    play = state.play
    return msgspec.json.encode(
        _Snapshot(
            state.ruleset().name,
            replace(state, rules=None, play=None),
            play,
            None if play is None else _game_data(play.game),
        ),
        enc_hook=_plain,
    )


def _game_data(game: Game) -> _Game:
    rounds = []
    for each in game.rounds:
        assert each.deal is not None
        hands = [str(hand) for hand in each.deal.hands]
        rounds.append(_Round(each.dealer, hands, str(each.deal.stock), str(each.moves)))
    return _Game(game.names, rounds)


def read_snapshot(data: bytes) -> State:
    """The state of a snapshot. Raises :class:`rage.NotReadable`."""
    try:
        found = msgspec.json.decode(data, type=_Snapshot, dec_hook=_placeholder)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotReadable("table.snapshot", reason=str(error)) from None
    state = found.state
    state.chat = deque(maxlen=MAX_CHAT_LINES)
    state.rules = ruleset(found.rules).for_players(len(state.seats))
    if found.play is not None and found.game is not None:
        state.play = _play(state, found.play, found.game)
    return state


def _plain(value: object) -> str | None:
    """A move as its code; ``None`` for an object that :func:`read_snapshot` recreates."""
    return str(value) if isinstance(value, Move) else None


def _placeholder(kind: type, value: Any) -> Any:
    """A move, or an empty object in place of one that is recreated later: game, dealer, chat."""
    if kind is Move:
        return Move(value)
    whole: Any = get_origin(kind) or kind
    return whole.__new__(whole)


def _play(state: State, play: TableGame, data: _Game) -> TableGame:
    """The table's game, with the kernel's game replayed."""
    rules, seed = state.ruleset(), bytes.fromhex(state.seed)
    play.game = game = Game(rules, data.names, deals=())
    play.dealer = Deals(rules, len(data.names), seed, play.words, play.given_dealer)
    for each in data.rounds:
        game.deal(Deal(each.dealer, each.hands, each.stock))
        for move in Moves(each.moves):
            game.play(move)
    return play
