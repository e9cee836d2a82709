"""Colours, cards and moves as objects, over the integers of :mod:`rage.rules.cards`. Sequences of
them are in :mod:`rage.rules.hands`.

A value is made from its code (``docs/record.md``), and printed as it. There is one object for each
colour, card and move, so they can be compared with ``is``. Whatever takes a value also takes its
code. For the fast layer (:class:`rage.engine.position.Position`) each has a ``number``, and ``of``
returns the value with a number.
"""

from __future__ import annotations

from enum import Enum
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    TypeVar,
    final,
)

from rage.rules.cards import (
    ACTIONS,
    BID,
    CARD_CODES,
    CARD_OF_MOVE,
    LETTERS,
    MAX_BID,
    MOVE_CODES,
    N_CARDS,
    N_COLOURED,
    N_COLOURS,
    N_MOVES,
    PLAY_CHANGE_TURNED_UP,
    PLAY_WILD,
    WILD,
)
from rage.rules.frozen import Frozen
from rage.rules.number import as_int, whole_number
from rage.say import NotReadable, card_name, check_kind, in_words

Action = Literal["wild", "change", "out", "bonus", "mad"]


class _Ordered:
    """A value ordered by ``_place``, among its own kind only."""

    __slots__ = ()
    _place: int

    def __lt__(self, other: object) -> bool:
        return self._place < other._place if isinstance(other, type(self)) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._place <= other._place if isinstance(other, type(self)) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self._place > other._place if isinstance(other, type(self)) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self._place >= other._place if isinstance(other, type(self)) else NotImplemented


class _Coded(_Ordered, Frozen):
    """A value with a code; there is one object for each."""

    __slots__ = ("_code", "_place", "number")
    number: int
    _code: str

    if TYPE_CHECKING:  # so that type checkers allow ``"R15" in hand``, too

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def name_in(self, language: str, edition: str | None = None) -> str:
        """Its name in a language, with the card names of an edition: ``Gr5`` for ``G5`` in German
        (``de``), ``Joker`` for ``W`` in ``amigo``. Raises :class:`rage.NotReadable` for another
        language."""
        check_kind(language, str, "text")
        return card_name(self._code, language, edition)

    def __str__(self) -> str:
        return self._code

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._code!r})"

    def __format__(self, spec: str) -> str:
        return format(self._code, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._code,))


def _set(value: object, **fields: object) -> None:
    """Set the fields of a new value."""
    for name, each in fields.items():
        object.__setattr__(value, name, each)


class Colour(_Ordered, Enum):
    """A colour: ``Colour("R")``, ``Colour.RED``. Ordered as in the pack."""

    RED = "R"
    ORANGE = "O"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"
    PURPLE = "P"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise NotReadable("colour.no_letter", colour=in_words(value))

    @classmethod
    def of(cls, number: int) -> Colour:
        """The colour of a number from 0 to 5. Raises :class:`rage.NotReadable`."""
        return _of(COLOURS, number, "colour.no_number")

    @property
    def letter(self) -> str:
        """Its letter in codes."""
        return str(self._value_)

    @property
    def number(self) -> int:
        """Its number in the fast layer."""
        return LETTERS.index(self._value_)

    @property
    def _place(self) -> int:  # type: ignore[override]  # the mixin only reads it
        return LETTERS.index(self._value_)

    def __str__(self) -> str:
        return self.letter

    def __repr__(self) -> str:
        return f"Colour.{self._name_}"

    def __deepcopy__(self, memo: object) -> Self:
        return self


COLOURS: Final = tuple(Colour)


@final
class Card(_Coded):
    """A card: ``Card("R15")``, ``Card("X")`` or ``Card.OUT``. Cards are ordered as in a hand: by
    colour, high cards first, action cards last. ``colour`` and ``rank`` are ``None`` for an action
    card, ``action`` is ``None`` for a coloured card."""

    __slots__ = ("action", "colour", "rank")
    action: Action | None
    colour: Colour | None
    rank: int | None
    WILD: ClassVar[Card]
    CHANGE: ClassVar[Card]
    OUT: ClassVar[Card]
    BONUS: ClassVar[Card]
    MAD: ClassVar[Card]

    def __new__(cls, code: Card | str) -> Card:
        """Raise :class:`rage.NotReadable` for anything but a card or its code."""
        try:
            return _CARD_OF[code]
        except (KeyError, TypeError):
            raise NotReadable("card.no_code", card=in_words(code)) from None

    @classmethod
    def of(cls, number: int) -> Card:
        """The card of a number from 0 to 100. Raises :class:`rage.NotReadable`."""
        return _of(CARDS, number, "card.no_number")


def _new_card(number: int) -> Card:
    card: Card = object.__new__(Card)
    coloured = number < N_COLOURED
    colour, rank = divmod(number, 16)
    _set(
        card,
        number=number,
        _code=CARD_CODES[number],
        _place=16 * colour + 15 - rank if coloured else number,
        colour=COLOURS[colour] if coloured else None,
        rank=rank if coloured else None,
        action=None if coloured else ACTIONS[number - WILD],
    )
    return card


CARDS: Final = tuple(map(_new_card, range(N_CARDS)))
_CARD_OF: Final[dict[Card | str, Card]] = {key: card for card in CARDS for key in (card, str(card))}
Card.WILD, Card.CHANGE, Card.OUT, Card.BONUS, Card.MAD = CARDS[WILD:]


@final
class Move(_Coded):
    """One decision: a bid, ``Move("3")`` or ``Move.bid(3)``, or a card played, with the colour if
    one is named: ``Move("R15")``, ``Move("WR")``. Moves are ordered as legal moves are listed:
    cards by colour and rank, action cards, bids.

    ``tricks`` is the number of tricks bid, ``card`` the card played; the other is ``None``.
    ``colour`` is the colour of the card played, or the one called or named; ``rank`` is the rank of
    a coloured card."""

    __slots__ = ("card", "colour", "is_bid", "rank", "tricks")
    card: Card | None
    colour: Colour | None
    is_bid: bool
    rank: int | None
    tricks: int | None

    def __new__(cls, code: Move | Card | str) -> Move:
        """Take a move, its code, or the :class:`Card` it plays, except a Wild, which needs its
        colour. Raises :class:`rage.NotReadable` for anything else."""
        try:
            return MOVE_OF[code]
        except (KeyError, TypeError):
            raise _no_move(code) from None

    @classmethod
    def bid(cls, tricks: int) -> Move:
        """The bid of a number of tricks, from 0 to 15. Raises :class:`rage.NotReadable`."""
        number = whole_number(tricks)
        if not 0 <= number <= MAX_BID:
            raise NotReadable("move.no_bid", bid=in_words(tricks), most=MAX_BID)
        return MOVES[BID + number]

    @classmethod
    def of(cls, number: int) -> Move:
        """The move of a number from 0 to 127. Raises :class:`rage.NotReadable`."""
        return _of(MOVES, number, "move.no_number")


def _new_move(number: int) -> Move:
    move: Move = object.__new__(Move)
    card = CARDS[CARD_OF_MOVE[number]] if number < BID else None
    colour = card.colour if card else None
    if PLAY_WILD <= number < PLAY_CHANGE_TURNED_UP:
        colour = COLOURS[(number - PLAY_WILD) % N_COLOURS]
    _set(
        move,
        number=number,
        _code=MOVE_CODES[number],
        _place=number,
        card=card,
        colour=colour,
        is_bid=card is None,
        rank=card.rank if card else None,
        tricks=None if card else number - BID,
    )
    return move


def _no_move(given: object) -> NotReadable:
    """The error for something that is not a move."""
    number = as_int(given)
    if number is not None and 0 <= number <= MAX_BID:
        return NotReadable("move.bid_or_card", given=in_words(given), n=number)
    if given is Card.WILD or given == str(Card.WILD):
        return NotReadable("move.no_colour", card=str(Card.WILD))
    return NotReadable("move.no_code", card=in_words(given))


MOVES: Final = tuple(map(_new_move, range(N_MOVES)))
#: Moves by move, by code and, if no colour is named with it, by card.
MOVE_OF: Final[dict[Move | Card | str, Move]] = {
    key: move for move in MOVES for key in (move, str(move), _CARD_OF.get(str(move), move))
}

V = TypeVar("V", Colour, Card, Move)


def _of(values: tuple[V, ...], given: int, code: str) -> V:
    """The value with a number."""
    number = as_int(given)
    if number is None or not 0 <= number < len(values):
        raise NotReadable(code, number=in_words(given), last=len(values) - 1)
    return values[number]


def letter_of(colour: Colour | None) -> str | None:
    """The letter of a colour; ``None`` for no colour."""
    return None if colour is None else colour.letter
