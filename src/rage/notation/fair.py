"""Proof that deals were fair: recomputes every deal of a record from its seed and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rage.engine.deal import Deal, commitment, word_commitment
from rage.notation import Record, deals_of, names_by_round
from rage.rules.frozen import Value
from rage.say import NotAllowed, Reason, check_kind


class Finding(Value):
    """The result of one check: whether it passed (``None``: it could not be made), and the sentence
    that says so."""

    ok: bool | None
    reason: Reason


def verify(record: Record) -> Iterator[Finding]:
    """Check the commitments and every deal of a record against its ``seed`` and ``words``, as
    ``docs/deals.md`` describes: the seed first, then the words and the seating, then each round.
    Raises :class:`rage.NotAllowed` if there is no seed or no round, or if the words, their
    commitments or the names of the seating are not one per seat."""
    check_kind(record, Record, "record")
    seed = _seed(record)
    if not record.rounds:
        raise NotAllowed("verify.no_rounds")
    words = _texts(record, "words", "verify.bad_words")
    hashes = _texts(record, "word_commitments", "verify.bad_word_commitments")
    seating = seating_of(record)
    yield _check_commitment(record.extra.get("commitment"), commitment(seed))
    yield from _check_words(words, hashes, commitment(seed))
    if any(hashes):
        yield from _check_seating(seating, record)
    dealer = deals_of(record)
    assert dealer is not None  # seed and words were read above
    for number, written in enumerate(record.rounds, record.first_round):
        wrong = _difference(written.deal, dealer.deal(number))
        if wrong is None:
            yield Finding(True, Reason("verify.round_right", {"round": number}))
        else:
            yield Finding(False, Reason("verify.round_wrong", {"round": number, "what": wrong}))


def conclusion(findings: Iterable[Finding]) -> Reason:
    """What the findings prove together, even if someone knew the seed. Raises
    :class:`rage.NotReadable` for anything except findings."""
    found = list(findings) if isinstance(findings, Iterable) else [findings]
    for finding in found:
        check_kind(finding, Finding, "findings")
    codes = [finding.reason.code for finding in found]
    if any(finding.ok is False for finding in found):
        return Reason("verify.not_proven")
    for code in ("verify.no_commitment", "verify.no_words", "verify.words_open"):
        if code in codes:
            return Reason(f"verify.proven.{code.partition('.')[2]}")
    if withheld := codes.count("verify.word_withheld"):
        if "verify.word_right" not in codes:
            return Reason("verify.proven.all_withheld")
        return Reason("verify.proven.withheld", {"words": withheld, "deals": 2**withheld})
    return Reason("verify.proven")


def _check_commitment(recorded: Any, expected: str) -> Finding:
    if recorded is None:
        return Finding(None, Reason("verify.no_commitment"))
    if not isinstance(recorded, str):
        return Finding(False, Reason("verify.commitment_no_text"))
    if recorded.lower() == expected:
        return Finding(True, Reason("verify.commitment_right"))
    params = {"given": recorded, "right": expected}
    return Finding(False, Reason("verify.commitment_wrong", params))


def _check_words(
    words: list[str | None], hashes: list[str | None], seed_hash: str
) -> Iterator[Finding]:
    """Check each word against its commitment; without commitments, report what that leaves open."""
    if not any(words) and all(each is None for each in hashes):
        yield Finding(None, Reason("verify.no_words"))
    elif not hashes:
        yield Finding(None, Reason("verify.words_open"))
    for seat, recorded in enumerate(hashes):
        finding = _check_word(seat, words[seat] if words else None, recorded, seed_hash)
        if finding is not None:
            yield finding


def _check_word(
    seat: int, word: str | None, recorded: str | None, seed_hash: str
) -> Finding | None:
    if recorded is None:
        return Finding(False, Reason("verify.word_uncommitted", {"seat": seat})) if word else None
    if not word:
        return Finding(None, Reason("verify.word_withheld", {"seat": seat}))
    ok = recorded.lower() == word_commitment(seed_hash, word)
    code = "verify.word_right" if ok else "verify.word_wrong"
    return Finding(ok, Reason(code, {"seat": seat}))


def seating_of(record: Record) -> list[str]:
    """The names by seat when the words were fixed; empty if the record does not say. Raises
    :class:`rage.NotAllowed` for anything else."""
    names = [each for each in _texts(record, "seating", "verify.bad_seating") if each is not None]
    if len(names) not in (0, len(record.names)):
        raise NotAllowed("verify.bad_seating", players=len(record.names))
    return names


def _check_seating(seating: list[str], record: Record) -> Iterator[Finding]:
    """Check that the first round, if the record has it, was dealt to the players seated when the
    words were fixed. A different name may be new, or belong to a bot whose player left; but no one
    changes seats. Later, seats may change hands; the record says which."""
    if not seating:
        yield Finding(None, Reason("verify.no_seating"))
        return
    last = seating
    for number, dealt in names_by_round(record).items():
        if number == 1 and dealt == last:
            yield Finding(True, Reason("verify.seating_right"))
        for seat, (before, name) in enumerate(zip(last, dealt, strict=True)):
            if before == name:
                continue
            params: dict[str, Any] = {"seat": seat, "before": before, "name": name}
            if number > 1:
                yield Finding(None, Reason("verify.seat_later", {"round": number, **params}))
                continue
            moved = name in seating
            code = "verify.seat_exchanged" if moved else "verify.seat_renamed"
            yield Finding(False if moved else None, Reason(code, params))
        last = dealt


def _seed(record: Record) -> bytes:
    written: Any = record.extra.get("seed")
    try:
        seed = bytes.fromhex(written)
    except (TypeError, ValueError):
        seed = b""
    if not seed:
        raise NotAllowed("verify.no_seed")
    return seed


def _texts(record: Record, field: str, refused: str) -> list[str | None]:
    """Texts by seat, ``None`` for a seat without one; empty if there is no such field. Raises
    :class:`rage.NotAllowed` with the code ``refused`` for anything else."""
    texts: Any = record.extra.get(field)
    if texts is None:
        return []
    if (
        not isinstance(texts, list)
        or len(texts) != len(record.names)
        or not all(each is None or _is_text(each) for each in texts)
    ):
        raise NotAllowed(refused, players=len(record.names))
    return texts


def _is_text(value: Any) -> bool:
    """Return whether this is text that can be hashed: UTF-8 cannot encode half a surrogate pair."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _difference(recorded: Deal, expected: Deal) -> Reason | None:
    """How a deal differs from the one that the seed gives, or ``None``. Hands may be written in any
    order, and the stock may be cut short."""
    if recorded.dealer != expected.dealer:
        return Reason("verify.what.dealer", {"due": expected.dealer})
    for seat, (hand, dealt) in enumerate(zip(recorded.hands, expected.hands, strict=True)):
        if sorted(hand) != sorted(dealt):
            return Reason("verify.what.hand", {"seat": seat, "cards": str(dealt)})
    if recorded.stock != expected.stock[: len(recorded.stock)]:
        return Reason("verify.what.stock")
    return None
