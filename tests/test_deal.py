"""Seeds as people type them, and deals that depend on everything that they should."""

from __future__ import annotations

import pytest

from rage import Game
from rage.deal import Deal, Dealer, commitment, new_seed, read_seed
from rage.editions import EDITIONS, ruleset
from rage.rules import pack
from rage.say import NotReadable

POOF = EDITIONS["poof"]


@pytest.mark.parametrize(
    ("typed", "seed"),
    [
        ("a table", b"a table"),
        ("ñ", b"\xc3\xb1"),
        ("hex:00ff", b"\x00\xff"),
        ("hex:00 FF", b"\x00\xff"),
        ("Hex:00", b"Hex:00"),
        ("\udcff", b"\xff"),
    ],
)
def test_a_seed_as_typed(typed: str, seed: bytes) -> None:
    assert read_seed(typed) == seed


@pytest.mark.parametrize("typed", ["", "hex:0", "hex:zz"])
def test_what_is_no_seed(typed: str) -> None:
    with pytest.raises(NotReadable, match="seed"):
        read_seed(typed)


@pytest.mark.parametrize("seed", [b"\x00", b"a table of friends"])
def test_a_game_is_dealt_from_its_seed_whatever_it_is(seed: bytes) -> None:
    first, again = Game("poof", 4, seed=seed), Game("poof", 4, seed=seed)
    assert first.rounds[0].deal == again.rounds[0].deal == Dealer(POOF, 4, seed).deal(1)


def test_a_new_seed_is_another_each_time() -> None:
    assert new_seed() != new_seed()
    assert len(new_seed()) == 16


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_of_the_pack_is_in_one_place(edition: str) -> None:
    rules = EDITIONS[edition]
    deal = Dealer(rules, 3, b"seed").deal(1)
    assert sorted([*sum(deal.hands, ()), *deal.stock]) == sorted(pack(rules))
    assert {len(hand) for hand in deal.hands} == {rules.schedule[0]}


def test_a_deal_depends_on_seed_words_and_round() -> None:
    deals: list[Deal] = [
        Dealer(POOF, 3, seed, words).deal(number)
        for seed in (b"a", b"b")
        for words in ([], ["", "", ""], ["x", "", ""], ["", "x", ""])
        for number in (1, 2)
    ]
    assert len({deal.hands for deal in deals}) == len(deals)


def test_the_deal_passes_to_the_left() -> None:
    dealer = Dealer(POOF, 3, b"seed")
    dealers = [dealer.deal(number).dealer for number in range(1, 11)]
    assert dealers == [(dealer.first_dealer() + i) % 3 for i in range(10)]


def test_every_seat_may_deal_first() -> None:
    assert {Dealer(POOF, 8, bytes([i])).first_dealer() for i in range(100)} == set(range(8))


def test_hands_are_as_large_as_the_schedule_says() -> None:
    rules = ruleset("amigo+schedule:15.1.6")
    dealer = Dealer(rules, 6, b"seed")
    sizes = [{len(hand) for hand in dealer.deal(number).hands} for number in (1, 2, 3)]
    assert sizes == [{15}, {1}, {6}]


def test_a_commitment_tells_seeds_apart() -> None:
    assert len({commitment(bytes([i])) for i in range(256)} | {commitment(b"")}) == 257


def test_a_whole_number_as_seed_is_its_digits_with_its_sign() -> None:
    """As ``--seed`` would take it."""

    def dealt(seed: bytes | str | int) -> Deal:
        deal = Game("poof", 4, seed=seed).rounds[0].deal
        assert deal is not None
        return deal

    for number in (7, -7, 0, 1, -1, 2**64, -(2**64)):
        text = str(number)
        assert dealt(number) == dealt(text) == dealt(text.encode())
    numbers = (-(2**64), -7, -1, 0, 1, 7, 2**64)
    assert len({dealt(number) for number in numbers}) == len(numbers)
