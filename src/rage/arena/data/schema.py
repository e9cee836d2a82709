"""The columns of simulated games: their types, units and meanings (``docs/data.md``)."""

from __future__ import annotations

from typing import Final, NamedTuple

#: The types of numbers in :mod:`array`.
_CODES: Final = {
    "int16": "h", "int32": "i", "uint8": "B", "uint64": "Q", "bool": "B", "colour": "B",
}  # fmt: skip


class Column(NamedTuple):
    """A column: its type in Arrow's words (``colour``, ``bot`` and ``code`` are text of a few
    values, stored once), its meaning, whether it can be null, and whether it is derived from other
    columns."""

    name: str
    type: str
    says: str
    nullable: bool = False
    derived: bool = False

    @property
    def code(self) -> str:
        """The type of its numbers in the rows, as in :mod:`array`; empty if it has none there."""
        return "" if self.derived else _CODES[self.type]


_GAME: Final = Column("game", "int32", "number of the game, from 0")
_ROUND: Final = Column("round", "uint8", "number of the round in the schedule, from 1")
_SEAT: Final = Column("seat", "uint8", "seat, from 0, clockwise")
_SIDE: Final = Column(
    "side", "uint8", "side that the seat scores for: itself, or its team", derived=True
)
_BOT: Final = Column("bot", "bot", "name of the bot in the seat", derived=True)

#: The columns of each table, in order.
TABLES: Final = {
    "decisions": (
        _GAME,
        _ROUND,
        Column("trick", "uint8", "number of the trick, from 1; 0 while bidding"),
        Column("place", "uint8", "place in the order of the trick or the bidding, from 1"),
        _SEAT,
        _BOT,
        Column("hand_low", "uint64", "cards held before the move, bits 0 to 63"),
        Column("hand_high", "uint64", "cards held before the move, bits 64 to 127"),
        Column("legal_low", "uint64", "legal moves 0 to 63"),
        Column("legal_high", "uint64", "legal moves 64 to 127"),
        Column("trump", "colour", "trump colour before the move; null: none", True),
        Column("led", "colour", "colour that was led; null: none yet", True),
        Column("bid", "uint8", "bid of the seat, in tricks; null: none yet", True),
        Column("won", "uint8", "tricks that the seat has won in the round"),
        Column("move", "uint8", "number of the move made"),
        Column("points", "int16", "points that the side will make in the round"),
    ),
    "rounds": (
        _GAME,
        _ROUND,
        _SEAT,
        _SIDE,
        _BOT,
        Column("hand_size", "uint8", "cards dealt to each seat"),
        Column("dealer", "uint8", "seat that dealt"),
        Column("bid", "uint8", "bid of the seat, in tricks"),
        Column("won", "uint8", "tricks that the seat has won"),
        Column("bonus", "uint8", "Bonus cards in them"),
        Column("mad", "uint8", "Mad cards in them"),
        Column("met", "bool", "whether the side has won exactly what it bid"),
        Column("points", "int16", "points of the side for the round"),
        Column("score", "int16", "points of the side after the round"),
    ),
    "games": (
        _GAME,
        _SEAT,
        _SIDE,
        _BOT,
        Column("points", "int16", "points of the side"),
        Column("met", "uint8", "rounds in which the side has met its bid"),
        Column("winner", "bool", "whether the side has won, alone or with others", derived=True),
    ),
}
#: The columns that ``--wide`` adds to ``decisions``: cards and moves as codes (``docs/record.md``).
WIDE: Final = (
    Column("hand", "string", "cards held before the move, as codes", derived=True),
    Column("legal", "string", "legal moves, as codes", derived=True),
    Column("move_code", "code", "the move made, as its code", derived=True),
)
