"""The proof that deals were fair: every deal of a record, recomputed from its seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rage.cards import codes_of
from rage.deal import Deal, Dealer, commitment
from rage.notation import Record
from rage.say import NotAllowed, Reason


class Finding(NamedTuple):
    """One thing that was checked: whether it was right (``None``: it could not be checked), and
    the sentence."""

    right: bool | None
    reason: Reason


def verify(record: Record) -> Iterator[Finding]:
    """Check the commitment and every deal of a record against its ``seed`` and ``words``, as
    ``docs/deals.md`` says. Raises :class:`rage.NotAllowed` where there is no seed, no round,
    or the words are none."""
    seed = _seed(record)
    if not record.rounds:
        raise NotAllowed("verify.no_rounds")
    given = record.extra.get("commitment")
    if given is None:
        yield Finding(None, Reason("verify.no_commitment"))
    elif str(given).lower() == commitment(seed):
        yield Finding(True, Reason("verify.commitment_right"))
    else:
        params = {"given": str(given), "right": commitment(seed)}
        yield Finding(False, Reason("verify.commitment_wrong", params))
    players = len(record.players)
    dealer = Dealer(record.rules, players, seed, _words(record), _first_dealer(record))
    for number, written in enumerate(record.rounds, record.first_round):
        wrong = _difference(written.deal, dealer.deal(number))
        if wrong is None:
            yield Finding(True, Reason("verify.round_right", {"round": number}))
        else:
            yield Finding(False, Reason("verify.round_wrong", {"round": number, "what": wrong}))


def _seed(record: Record) -> bytes:
    written: Any = record.extra.get("seed")
    try:
        seed = bytes.fromhex(written)
    except (TypeError, ValueError):
        seed = b""
    if not seed:
        raise NotAllowed("verify.no_seed")
    return seed


def _words(record: Record) -> list[str]:
    """The players' words by seat: none at all, or one a seat, empty for who gave none."""
    words: Any = record.extra.get("words")
    if words is None:
        return []
    if (
        not isinstance(words, list)
        or len(words) != len(record.players)
        or not all(word is None or isinstance(word, str) for word in words)
    ):
        raise NotAllowed("verify.bad_words", players=len(record.players))
    return [word or "" for word in words]


def _first_dealer(record: Record) -> int | None:
    """Who dealt the first round of the schedule because the game before said so: no seat number
    stands for nobody, and then the seed says it."""
    given: Any = record.extra.get("first_dealer")
    fits = type(given) is int and 0 <= given < len(record.players)
    return given if fits else None


def _difference(given: Deal, right: Deal) -> Reason | None:
    """How a deal departs from the one of the seed; a hand may be written in any order, and a
    stock may be cut short."""
    if given.dealer != right.dealer:
        return Reason("verify.what.dealer", {"due": right.dealer})
    for seat, (hand, due) in enumerate(zip(given.hands, right.hands, strict=True)):
        if sorted(hand) != sorted(due):
            return Reason("verify.what.hand", {"seat": seat, "cards": codes_of(due)})
    if given.stock != right.stock[: len(given.stock)]:
        return Reason("verify.what.stock")
    return None
