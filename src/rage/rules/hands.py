"""Sequences of cards and moves: cards in any order, sorted hands, and moves."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final, Self, SupportsIndex, overload

from rage.rules.cards import N_CARDS
from rage.rules.values import CARDS, MOVES, Card, Colour, Move
from rage.say import NotAllowed, NotReadable, in_words


class Cards(tuple[Card, ...]):
    """Cards in a given order, such as a stock: ``Cards("R15 X R15")``, or from cards and codes.
    ``in`` and ``count`` take a card or its code, slices have the same type, and ``str`` is the form
    in a record."""

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[Card | str] = ()) -> Self:
        """Raise :class:`rage.NotReadable` for anything but cards and their codes."""
        return tuple.__new__(cls, map(Card, _listed(cards, "cards.no_cards")))

    @property
    def numbers(self) -> list[int]:
        """The numbers of the cards, for the fast layer."""
        return [card.number for card in self]

    def of(self, colour: Colour | str | None) -> Self:
        """The cards of a colour (a colour or its letter); none for ``None``."""
        wanted = None if colour is None else Colour(colour)
        return self._with(card for card in self if card.colour is wanted and wanted)

    def count(self, card: Card | str) -> int:
        """The number of copies of a card."""
        return super().count(Card(card))

    def index(
        self, card: Card | str, start: SupportsIndex = 0, stop: SupportsIndex = N_CARDS
    ) -> int:
        """The index of a card. Raises ValueError if it is not there."""
        return super().index(Card(card), start, stop)

    def __contains__(self, card: Any) -> bool:
        return tuple.__contains__(self, Card(card))

    @overload
    def __getitem__(self, at: SupportsIndex) -> Card: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Card | Self:
        found = super().__getitem__(at)
        return found if isinstance(found, Card) else self._with(found)

    def __add__(self, cards: str | Iterable[Card | str]) -> Self:  # type: ignore[override]  # takes codes, too
        return type(self)([*self, *Cards(cards)])

    def __sub__(self, cards: Card | str | Iterable[Card | str]) -> Self:
        """Take away cards, one for each. Raises :class:`rage.NotAllowed` if one is missing."""
        left = list(self)
        for card in Cards([cards] if isinstance(cards, Card) else cards):
            if card not in left:
                raise NotAllowed("cards.missing", card=str(card), cards=str(self))
            left.remove(card)
        return self._with(left)

    def __str__(self) -> str:
        return _codes(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_codes(self)!r})"

    def _with(self, cards: Iterable[Card]) -> Self:
        """Some of the cards, in their order."""
        return tuple.__new__(type(self), cards)


class Hand(Cards):
    """The cards of a hand, always sorted: ``Hand("R4 X R15")`` is ``Hand("R15 R4 X")``. Duplicates
    stay."""

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[Card | str] = ()) -> Self:
        """Raise :class:`rage.NotReadable` for anything but cards and their codes."""
        found = map(Card, _listed(cards, "cards.no_cards"))
        return tuple.__new__(cls, sorted(found, key=_PLACE))


class Moves(tuple[Move, ...]):
    """Moves in order: ``Moves("0 1 2")``, or from moves and codes. ``in`` takes what :class:`Move`
    takes, and raises :class:`rage.NotReadable` for anything else; ``str`` is the form in a
    record."""

    __slots__ = ()

    def __new__(cls, moves: str | Iterable[Move | Card | str] = ()) -> Self:
        """Raise :class:`rage.NotReadable` for anything but moves and their codes."""
        return tuple.__new__(cls, map(Move, _listed(moves, "moves.no_moves")))

    def __contains__(self, move: Any) -> bool:
        return tuple.__contains__(self, Move(move))

    def __str__(self) -> str:
        return _codes(self)

    def __repr__(self) -> str:
        return f"Moves({_codes(self)!r})"


_PLACE: Final = attrgetter("_place")
_PLACES: Final = tuple(map(_PLACE, CARDS))
_IN_ORDER: Final = tuple(sorted(CARDS))


def hand_of(numbers: Iterable[int]) -> Hand:
    """The hand with these numbers of the fast layer, which are not checked."""
    places = sorted([_PLACES[number] for number in numbers])
    return tuple.__new__(Hand, [_IN_ORDER[place] for place in places])


def moves_of(numbers: Iterable[int]) -> Moves:
    """The moves with these numbers of the fast layer, which are not checked."""
    return tuple.__new__(Moves, [MOVES[number] for number in numbers])


def cards_of(numbers: Iterable[int]) -> Cards:
    """The cards with these numbers of the fast layer, which are not checked."""
    return tuple.__new__(Cards, [CARDS[number] for number in numbers])


def _listed(values: Any, code: str) -> Iterable[Any]:
    """The items of an iterable, or the codes in a text."""
    try:
        return values.split() if isinstance(values, str) else iter(values)
    except TypeError:
        raise NotReadable(code, given=in_words(values)) from None


def _codes(values: Iterable[Card | Move]) -> str:
    return " ".join(map(str, values))
