"""``rage verify`` finds every card that does not come from the seed, wherever it lies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from rage import Game, NotAllowed
from rage.engine.deal import Deal, commitment, word_commitment
from rage.notation import Record, record_of
from rage.notation.fair import conclusion, verify
from rage.rules.hands import Cards
from rage.rules.values import Card

SEED = b"a fair game"


def played() -> Record:
    game = Game("poof+schedule:2", 3, seed=SEED)
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    return record_of(game, seed=SEED.hex(), commitment=commitment(SEED))


def found(record: Record) -> list[bool | None]:
    """What is right: the commitment, and the deal of the round. (Nobody added to the deal.)"""
    first, words, *rounds = verify(record)
    assert words.reason.code == "verify.no_words"
    return [first.ok, *(finding.ok for finding in rounds)]


def with_stock(record: Record, stock: Iterable[Card]) -> Record:
    deal = record.rounds[0].deal
    record.rounds[0].deal = Deal(deal.dealer, deal.hands, stock)
    return record


def test_a_stock_with_two_cards_exchanged_is_found_wherever_they_lie() -> None:
    stock = played().rounds[0].deal.stock
    assert len(stock) == 104
    for i in range(len(stock) - 1):
        forged = list(stock)
        forged[i], forged[i + 1] = forged[i + 1], forged[i]
        assert found(with_stock(played(), forged)) == [True, Cards(forged) == stock], i


def test_a_stock_may_be_cut_short_but_not_go_on_with_another_card() -> None:
    stock = played().rounds[0].deal.stock
    for length in (1, 8, 9, 50, 103, 104):
        assert found(with_stock(played(), stock[:length])) == [True, True]
        other = next(card for card in stock if card != stock[length - 1])
        assert found(with_stock(played(), (*stock[: length - 1], other))) == [True, False]


# --- the words -------------------------------------------------------------------------------

HASHES = [word_commitment(commitment(SEED), word) for word in ("owl", "Ñ 🂡", "語")]
RIGHT, WRONG, OPEN = True, False, None


def spoken(words: Any, hashes: Any = None, dealt: list[str] | None = None, **more: Any) -> Record:
    """A game dealt with some words (``dealt``, where its record says something else)."""
    given = [word or "" for word in words or ()] if dealt is None else dealt
    game = Game("poof+schedule:2", ["A", "B", "C"], seed=SEED, words=given)
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    fields = {"seed": SEED.hex(), "commitment": commitment(SEED), "words": words}
    seating = list(game.names) if hashes else None
    return record_of(game, **{**fields, "word_commitments": hashes, "seating": seating, **more})


@pytest.mark.parametrize(
    ("record", "found", "comes_to"),
    [
        (spoken(None), [(OPEN, "no_words")], "proven.no_words"),
        (spoken(["", "", None]), [(OPEN, "no_words")], "proven.no_words"),
        (spoken(None, [None] * 3, [""] * 3), [(OPEN, "no_words")], "proven.no_words"),
        (spoken(["", "owl", ""]), [(OPEN, "words_open")], "proven.words_open"),
        (
            spoken(["owl", "Ñ 🂡", "語"], HASHES),
            [(RIGHT, "word_right")] * 3,
            "proven",
        ),
        (
            spoken([None, "Ñ 🂡", None], [None, HASHES[1].upper(), None]),
            [(RIGHT, "word_right")],
            "proven",
        ),
        (
            spoken(["owl", None, ""], HASHES),
            [(RIGHT, "word_right"), (OPEN, "word_withheld"), (OPEN, "word_withheld")],
            "proven.withheld",
        ),
        (spoken(None, HASHES, ["", "", ""]), [(OPEN, "word_withheld")] * 3, "proven.all_withheld"),
        (spoken(["eule", None, None], [HASHES[0], None, None]), [(WRONG, "word_wrong")], "not"),
        (spoken(["owl", None, None], [HASHES[1], None, None]), [(WRONG, "word_wrong")], "not"),
        (
            spoken(["owl", "late", None], [HASHES[0], None, None]),
            [(RIGHT, "word_right"), (WRONG, "word_uncommitted")],
            "not",
        ),
        (spoken(["owl", None, None], [None] * 3), [(WRONG, "word_uncommitted")], "not"),
        (
            spoken(["owl", None, None], [HASHES[0], None, None], commitment=None),
            [(RIGHT, "word_right")],
            "proven.no_commitment",
        ),
    ],
)
def test_each_word_is_held_against_its_commitment(
    record: Record, found: list[tuple[bool | None, str]], comes_to: str
) -> None:
    findings = list(verify(record))
    assert [
        (each.ok, each.reason.code) for each in findings[1:-1] if "seat" not in each.reason.code
    ] == [(right, f"verify.{code}") for right, code in found]
    assert findings[-1].ok
    due = {"not": "verify.not_proven"}.get(comes_to, f"verify.{comes_to}")
    assert conclusion(findings).code == due


def test_a_word_is_bound_to_the_commitment_of_its_seed() -> None:
    """A second commitment, to another seed, has nothing to show for the words."""
    other = b"a second seed"
    record = spoken(["owl", None, None], [HASHES[0], None, None])
    record.extra["seed"], record.extra["commitment"] = other.hex(), commitment(other)
    codes = [each.reason.code for each in verify(record) if each.ok is False]
    assert codes == ["verify.word_wrong", "verify.round_wrong"]


@pytest.mark.parametrize("given", [[commitment(SEED)], 12, True, {}])
def test_a_commitment_that_is_not_text_is_not_right(given: Any) -> None:
    finding = next(iter(verify(spoken(None, commitment=given))))
    assert (finding.ok, finding.reason.code) == (False, "verify.commitment_no_text")


@pytest.mark.parametrize("bad", [[], "owl", [None], [1, 2, 3], {"0": "a"}])
def test_commitments_that_are_not_one_a_seat_are_refused(bad: Any) -> None:
    with pytest.raises(NotAllowed, match="word_commitments must be a list of 3"):
        list(verify(spoken(None, bad)))


def seated(seating: Any, **more: Any) -> Record:
    return spoken(["owl", None, None], [HASHES[0], None, None], seating=seating, **more)


EARLIER = [{"round": 1, "players": ["A", "C", "B"], "bots": [None, None, "steady"]}]


@pytest.mark.parametrize(
    ("record", "found"),
    [
        (seated(["A", "B", "C"]), ["seating_right"]),
        (seated(["B", "A", "C"]), ["seat_exchanged", "seat_exchanged"]),
        (seated(["B", "C", "A"]), ["seat_exchanged"] * 3),
        (seated(["Ann", "B", "C"]), ["seat_renamed"]),
        (seated(["A", "C", "B"]), ["seat_exchanged"] * 2),
        (seated(["A", "C", "B"], earlier=EARLIER), ["seating_right"]),
        (seated(["A", "B", "C"], earlier=[{"round": 1, "players": 7}]), ["seating_right"]),
        (seated(None), ["no_seating"]),
    ],
)
def test_the_first_round_is_dealt_to_those_who_sat_there(record: Record, found: list[str]) -> None:
    codes = [each.reason.code.partition(".")[2] for each in verify(record)]
    assert [code for code in codes if "seat" in code] == found
    wrong = "seat_exchanged" in found
    assert conclusion(verify(record)).code == ("verify.not_proven" if wrong else "verify.proven")


@pytest.mark.parametrize("bad", ["A", ["A"], ["A", "B", None], [1, 2, 3], {"0": "A"}])
def test_a_seating_that_is_not_one_name_a_seat_is_refused(bad: Any) -> None:
    with pytest.raises(NotAllowed, match="seating must be a list of 3"):
        list(verify(seated(bad)))


def test_who_had_a_seat_later_is_named_as_the_record_has_it() -> None:
    """A seat that changes hands proves nothing and disproves nothing: the record alone says it."""
    game = Game("poof+schedule:1.1", ["Vic", "Host"], seed=SEED, words=["owl", ""])
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    record = record_of(
        game,
        seed=SEED.hex(),
        commitment=commitment(SEED),
        words=["owl", None],
        word_commitments=[HASHES[0], None],
        seating=["Host", "Vic"],
        earlier=[{"round": 1, "players": ["Host", "Vic"], "bots": [None, None]}],
    )
    found = [each for each in verify(record) if "seat" in each.reason.code]
    assert [(each.ok, each.reason.code) for each in found] == [
        (True, "verify.seating_right"),
        (None, "verify.seat_later"),
        (None, "verify.seat_later"),
    ]
    assert found[1].reason.params == {"round": 2, "seat": 0, "before": "Host", "name": "Vic"}
    record.rounds, record.first_round = record.rounds[1:], 2  # such as a game from a position
    assert [each for each in verify(record) if "seat" in each.reason.code] == found[1:]
    assert conclusion(verify(record)).code == "verify.proven"
