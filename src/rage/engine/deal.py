"""Deals from a seed, so that anyone can recompute them, and the commitment to a seed.

``docs/deals.md`` describes this in words, with ten equivalent lines of JavaScript.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from operator import index
from typing import Final, Self

from rage.rules.frozen import Value
from rage.rules.hands import Cards, cards_of
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet, pack
from rage.rules.values import Card
from rage.say import NotAllowed, NotReadable, check_kind

SEED_BYTES: Final = 16
#: A SHA-256 digest as eight numbers.
_NUMBERS: Final = struct.Struct(">8I")
#: By n, the largest multiple of n that 32 bits can count to; for packs of up to 116 cards.
_LIMITS: Final = (0, *(2**32 - 2**32 % n for n in range(1, 128)))


class Deal(Value):
    """The cards of one round: the dealer's seat, the hands by seat, in the order dealt, and the
    stock, top first; what of it is never turned over can be left out. Hands and stock can also be
    codes: ``Deal(0, ["R15 X", "B3 B4"], "Y7")``."""

    dealer: int
    hands: tuple[Cards, ...]
    stock: Cards

    def __init__(
        self,
        dealer: int,
        hands: Iterable[str | Iterable[Card | str]],
        stock: str | Iterable[Card | str],
    ) -> None:
        """Raise :class:`rage.NotReadable` for anything but cards and hands, and
        :class:`rage.NotAllowed` for a dealer without a hand; dealing them checks whether they
        fit."""
        if isinstance(hands, str | Cards) or not isinstance(hands, Iterable):
            raise NotReadable("deal.no_hands", given=hands)
        dealt = tuple(hand if type(hand) is Cards else Cards(hand) for hand in hands)
        if not dealt:
            raise NotReadable("deal.no_hands", given="[]")
        seat = as_int(dealer)
        if seat is None or not 0 <= seat < len(dealt):
            raise NotAllowed("deal.no_seat", dealer=dealer, last=len(dealt) - 1)
        kept = stock if type(stock) is Cards else Cards(stock)
        self._set(dealer=seat, hands=dealt, stock=kept)

    def numbers(self) -> tuple[int, list[list[int]], list[int]]:
        """The dealer, the hands and the stock as numbers, as ``Position.deal`` takes them."""
        return self.dealer, [hand.numbers for hand in self.hands], self.stock.numbers


class NamedSeed(bytes):
    """A seed chosen by a person to repeat its deals. It is not secret."""


class GivenSeed(bytes):
    """A seed that repeats the deals called ``deals_id``, of an earlier game or of a day. They also
    depend on the ``words`` by seat and the first ``dealer`` of that game. ``moves``: by round, the
    moves already made, as codes, if the game continues from a moment of that game."""

    deals_id: str
    words: tuple[str, ...]
    dealer: int | None
    moves: tuple[str, ...]

    def __new__(
        cls,
        seed: bytes,
        deals_id: str,
        words: Sequence[str] = (),
        dealer: int | None = None,
        moves: Sequence[str] = (),
    ) -> Self:
        """A seed, and the other inputs of its deals."""
        given = super().__new__(cls, seed)
        given.deals_id, given.words, given.dealer = deals_id, tuple(words), dealer
        given.moves = tuple(moves)
        return given


def new_seed() -> bytes:
    """A secret seed from the operating system."""
    return os.urandom(SEED_BYTES)


def read_seed(text: str) -> NamedSeed:
    """A seed as people type it: ``hex:`` and hexadecimal digits, or any other text, whose UTF-8
    bytes are the seed. Raises :class:`rage.NotReadable`."""
    if not isinstance(text, str):
        raise NotReadable("seed.not_text", seed=text)
    if not text:
        raise NotReadable("seed.empty")
    if not text.startswith("hex:"):
        try:
            return NamedSeed(text.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise NotReadable("seed.not_text", seed=text) from None
    try:
        seed = NamedSeed.fromhex(text[4:])
    except ValueError:
        raise NotReadable("seed.not_hex", seed=text) from None
    if not seed:
        raise NotReadable("seed.empty")
    return seed


def commitment(seed: bytes) -> str:
    """The commitment to a seed, published before the game: SHA-256 of ``rage-commitment-1``, a line
    feed and the seed in hexadecimal, as hexadecimal digits."""
    check_kind(seed, bytes, "bytes")
    return sha256(b"rage-commitment-1\n" + seed.hex().encode()).hexdigest()


def word_commitment(commitment: str, word: str) -> str:
    """A player's commitment to a word, published before any word is shown: SHA-256 of the lines
    ``rage-word-1``, the seed's ``commitment`` and the hash of the word, as hexadecimal digits."""
    check_kind(commitment, str, "text")
    check_kind(word, str, "text")
    lines = [b"rage-word-1", _encoded(commitment), _hash(word)]
    return sha256(b"\n".join(lines)).hexdigest()


def _hash(word: str) -> bytes:
    """SHA-256 of a word's UTF-8 bytes, as hexadecimal digits."""
    return sha256(_encoded(word)).hexdigest().encode()


def _encoded(word: str) -> bytes:
    try:
        return word.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        raise NotReadable("words.not_texts") from None


class Deals:
    """The deals of a game, from its seed and the players' words: none, or one for each seat, empty
    if its player added none. ``first``: the seat that deals the first round, instead of the one
    drawn from the seed. Raises :class:`rage.NotAllowed` for a wrong number of words and for a
    ``first`` that is no seat, and :class:`rage.NotReadable` for words that are not text."""

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        seed: bytes,
        words: Sequence[str] = (),
        first: int | None = None,
    ) -> None:
        check_kind(rules, RuleSet, "rules")
        check_kind(seed, bytes, "bytes")
        self.rules: RuleSet = rules.for_players(players)
        self.players: int = index(players)
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise NotReadable("words.not_texts")
        self.words: tuple[str, ...] = tuple(words)
        if not all(isinstance(word, str) for word in self.words):
            raise NotReadable("words.not_texts")
        if self.words and len(self.words) != self.players:
            raise NotAllowed("words.refused", words=len(self.words), players=self.players)
        self.seed: bytes = seed
        self.first: int | None = as_int(first)
        if first is not None and self.first not in range(self.players):
            raise NotAllowed("deal.no_seat", dealer=first, last=self.players - 1)
        lines = [b"rage-deal-1", seed.hex().encode()]
        lines += [_hash(word) for word in self.words]
        self._key = sha256(b"\n".join(lines)).digest()
        self._first = self.first
        if self._first is None:
            self._first = _below(self._numbers(0), self.players)

    def __repr__(self) -> str:  # without the seed, which may be secret
        return f"<Deals {self.rules.edition}, {self.players} players>"

    def first_dealer(self) -> int:
        """The seat that deals the first round of the schedule."""
        assert self._first is not None
        return self._first

    def deal(self, number: int) -> Deal:
        """The deal of a round, by its number in the schedule, from 1. Raises
        :class:`rage.NotAllowed` for a number that is not in it."""
        schedule = self.rules.schedule
        at = as_int(number)
        if at is None or not 1 <= at <= len(schedule):
            raise NotAllowed("deal.no_round", round=number, last=len(schedule))
        cards = pack(self.rules)
        numbers = self._numbers(at)
        for i in range(len(cards) - 1, 0, -1):
            number, n = next(numbers), i + 1
            while number >= _LIMITS[n]:
                number = next(numbers)
            j = number % n
            cards[i], cards[j] = cards[j], cards[i]
        size = schedule[at - 1]
        dealt = size * self.players
        hands = tuple(cards_of(cards[i : i + size]) for i in range(0, dealt, size))
        dealer = (self.first_dealer() + at - 1) % self.players
        return Deal(dealer, hands, cards_of(cards[dealt:]))

    def _numbers(self, stream: int) -> Iterator[int]:
        """The counter stream: 32-bit numbers, eight from each SHA-256 of key, stream, block."""
        start = self._key + stream.to_bytes(4, "big")
        digests = (sha256(start + block.to_bytes(4, "big")).digest() for block in count())
        return chain.from_iterable(map(_NUMBERS.unpack, digests))


def _below(numbers: Iterator[int], n: int) -> int:
    """A uniform number from 0 to n - 1: numbers at or above the largest multiple of n are
    rejected."""
    while (number := next(numbers)) >= _LIMITS[n]:
        pass
    return number % n
