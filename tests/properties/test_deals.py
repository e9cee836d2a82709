"""Deals from a seed: recomputed in ten lines that share no code, and fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from generators import rules_from
from rage import Game, ruleset
from rage.engine.deal import Dealer, _below, commitment
from rage.rules.cards import CARD_CODES
from rage.rules.ruleset import pack


def anybody(deck: list[str], seed: bytes, words: list[str], players: int, number: int,
            size: int) -> tuple[int, list[list[str]], list[str]]:  # fmt: skip
    """docs/deals.md, by somebody who has never seen the program."""
    hashed = ["rage-deal-1", seed.hex(), *(sha256(w.encode()).hexdigest() for w in words)]
    key = sha256("\n".join(hashed).encode()).digest()

    def stream(n: int) -> Iterator[int]:
        for block in range(2**32):
            data = sha256(key + n.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
            yield from (int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))

    def below(numbers: Iterator[int], n: int) -> int:
        while (x := next(numbers)) >= 2**32 // n * n:
            pass
        return x % n

    deck, numbers = deck[:], stream(number)
    for i in reversed(range(1, len(deck))):
        j = below(numbers, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
    return (below(stream(0), players) + number - 1) % players, hands, deck[players * size :]


seeds = st.binary(min_size=1, max_size=40)


@given(st.data(), seeds, st.text(st.characters(exclude_categories=["Cs"])))
def test_anybody_can_recompute_a_deal(data: st.DataObject, seed: bytes, word: str) -> None:
    rules, players = rules_from(lambda options: data.draw(st.sampled_from(options)))
    words = data.draw(st.sampled_from([[], [""] * players, [word, *"abcdefg"][:players]]))
    deck = [f"{c}{r}" for c in "ROYGBP" for r in range(16)]
    deck += "".join(k * n for k, n in zip("WCX+-", rules.pack, strict=True))
    for number, size in enumerate(rules.schedule, 1):
        deal = Dealer(rules, players, seed, words).deal(number)
        dealer, hands, stock = anybody(deck, seed, words, players, number, size)
        assert deal.dealer == dealer
        assert [str(hand).split() for hand in deal.hands] == hands
        assert str(deal.stock).split() == stock


def test_the_deck_is_shuffled_from_a_stated_order() -> None:
    codes = [CARD_CODES[card] for card in pack(ruleset("amigo"))]
    assert codes[:17] == [*(f"R{rank}" for rank in range(16)), "O0"]
    assert codes[96:] == ["W"] * 2 + ["C"] * 4 + ["X"] * 4 + ["+"] * 3 + ["-"] * 3


def test_a_seed_that_is_published_gives_these_cards_for_ever() -> None:
    """A change of the scheme would break every record."""
    deal = Dealer(ruleset("poof"), 3, b"a table of friends").deal(10)
    assert deal.dealer == 2
    assert [str(hand[0]) for hand in deal.hands] == ["Y4", "R1", "C"]
    assert str(deal.stock[:6]).split() == ["O1", "X", "Y0", "R11", "-", "O12"]


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    expected = sha256(b"rage-commitment-1\n00ff10").hexdigest()
    assert commitment(bytes([0, 255, 16])) == expected


@given(seeds)
def test_words_change_the_deal_and_their_order_matters(seed: bytes) -> None:
    rules = ruleset("poof")
    deals = [
        Dealer(rules, 3, seed, words).deal(1).stock
        for words in (
            [], ["", "", ""], [*"abc"], [*"bac"], [*"cab"], ["a\nb", "c", ""], ["ab", "c", ""],
        )
    ]  # fmt: skip
    assert len(set(deals)) == len(deals)


@given(seeds, st.integers(1, 9))
def test_every_round_is_another_deal_and_the_same_again(seed: bytes, number: int) -> None:
    one, two = (Dealer(ruleset("poof"), 4, seed) for _ in range(2))
    assert one.deal(number) == two.deal(number)
    assert one.deal(number).hands[0][:1] + one.deal(number).stock[:20] != (
        one.deal(number + 1).hands[0][:1] + one.deal(number + 1).stock[:20]
    )


def test_numbers_that_would_favour_some_cards_are_discarded() -> None:
    """ "if it is 2³² - (2³² mod n) or more, discard it and take the next" """
    for n in (3, 7, 110, 112):
        limit = 2**32 - 2**32 % n
        assert _below(iter([2**32 - 1, limit, limit - 1, 5]), n) == n - 1
        assert _below(iter([0, 5]), n) == 0


def test_a_game_deals_from_its_seed_also_from_the_middle() -> None:
    game = Game("poof", 3, seed=b"middle", first_round=8)
    dealer = Dealer(ruleset("poof"), 3, b"middle")
    while not game.over:
        game.play(game.legal_moves()[0])
    assert [each.deal for each in game.rounds] == [dealer.deal(number) for number in (8, 9, 10)]


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_deals_are_fair() -> None:
    """Where a card comes to lie, and what lies in a place, over 1,500 seeds: within four standard
    deviations of what chance gives (the sum has mean c - 1 and variance 2(c - 1) for c cells)."""
    rules, places, cards, dealers = ruleset("poof"), Counter[int](), Counter[int](), Counter[int]()
    for seed in range(1500):
        deal = Dealer(rules, 5, seed.to_bytes(2, "big")).deal(1)
        _, hands, stock = deal.numbers()
        row = [card for hand in hands for card in hand] + stock
        places[row.index(37)] += 1
        cards[min(row[0], 96)] += 1
        dealers[deal.dealer] += 1
    assert abs(chi_square(places, 110) - 109) < 4 * (2 * 109) ** 0.5
    assert abs(chi_square(dealers, 5) - 4) < 4 * 8**0.5
    actions = cards.pop(96)
    assert abs(chi_square(cards, 96) - 95) < 4 * (2 * 95) ** 0.5
    assert abs(actions - 1500 * 14 / 110) < 4 * (1500 * 14 / 110) ** 0.5
