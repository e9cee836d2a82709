"""Seeds as people type them, and deals that depend on everything that they should: the same ones by
any program that does what docs/deals.md says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from documents import only
from generators import rules_from
from rage import Game
from rage.engine.deal import Deal, Deals, _below, commitment, new_seed, read_seed, word_commitment
from rage.rules.cards import CARD_CODES
from rage.rules.editions import ruleset
from rage.rules.ruleset import EDITIONS, pack
from rage.say import NotAllowed, NotReadable
from tools.node import run_node

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


def test_a_new_seed_is_another_each_time() -> None:
    assert new_seed() != new_seed()
    assert len(new_seed()) == 16


@pytest.mark.parametrize("number", [0, 11, -1, 1.5, None])
def test_a_round_that_is_not_in_the_schedule_is_not_dealt(number: Any) -> None:
    with pytest.raises(NotAllowed, match="rounds 1 to 10"):
        Deals(POOF, 3, b"seed").deal(number)


@pytest.mark.parametrize("first", [-1, 3, 9, 0.5])
def test_nobody_deals_first_from_a_seat_that_there_is_not(first: Any) -> None:
    with pytest.raises(NotAllowed, match="seats are 0 to 2"):
        Deals(POOF, 3, b"seed", first=first)


def test_a_whole_number_as_seed_is_its_digits_with_its_sign() -> None:
    """As ``--seed`` would take it."""

    def dealt(seed: bytes | str | int) -> Deal:
        deal = Game("poof", 4, seed=seed).rounds[0].deal
        assert deal is not None
        return deal

    for number in (7, -7, 0, 1, -1, 2**64, -(2**64)):
        text = str(number)
        assert dealt(number) == dealt(text) == dealt(text.encode())
    assert dealt(7) == dealt("hex:37")
    numbers = (-(2**64), -7, -1, 0, 1, 7, 2**64)
    assert len({dealt(number) for number in numbers}) == len(numbers)


# --- docs/deals.md -------------------------------------------------------------------------


def vectors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(only("docs/deals.md", "json"))
    return found


def random_cases(random: Random, count: int) -> Iterator[dict[str, Any]]:
    """Deals of this program by any rules, to compare with, in the form of the vectors."""
    for _ in range(count):
        rules, players = rules_from(random.choice)
        number = random.randint(1, len(rules.schedule))
        seed = random.randbytes(random.choice([1, 16, 40]))
        words = [random.choice(["", "owl", "Ñ", "🂡 ace", "a\nb"]) for _ in range(players)]
        words = random.choice([[], words])
        deal = Deals(rules, players, seed, words).deal(number)
        yield {
            "pack": codes(pack(rules)),
            "players": players,
            "size": rules.schedule[number - 1],
            "seed": seed.hex(),
            "words": words,
            "round": number,
            "commitment": commitment(seed),
            "word_commitments": [word_commitment(commitment(seed), word) for word in words],
            "deal": {
                "dealer": deal.dealer,
                "hands": [codes(hand.numbers) for hand in deal.hands],
                "stock": codes(deal.stock.numbers),
            },
        }


def codes(cards: list[int]) -> list[str]:
    return [CARD_CODES[card] for card in cards]


def test_the_vectors_are_the_deals_of_this_program() -> None:
    assert len(vectors()) >= 5
    for vector in vectors():
        rules = ruleset(vector["rules"])
        seed = bytes.fromhex(vector["seed"])
        deal = Deals(rules, vector["players"], seed, vector["words"]).deal(vector["round"])
        assert commitment(seed) == vector["commitment"]
        assert vector["word_commitments"] == [
            word_commitment(vector["commitment"], word) if word else None
            for word in vector["words"]
        ]
        assert rules.schedule[vector["round"] - 1] == vector["size"]
        assert deal.dealer == vector["dealer"]
        assert [*map(str, deal.hands)] == vector["hands"]
        assert str(deal.stock).startswith(vector["stock"])


def by_python(cases: list[dict[str, Any]]) -> list[Any]:
    page: dict[str, Any] = {}
    exec(only("docs/deals.md", "python"), page)
    return [
        [
            page["commitment"](seed := bytes.fromhex(case["seed"])),
            [page["word_commitment"](case["commitment"], word) for word in case["words"]],
            page["deal"](
                case["pack"], case["players"], case["size"], seed, case["words"], case["round"]
            ),
        ]
        for case in cases
    ]


def by_javascript(cases: list[dict[str, Any]]) -> list[Any]:
    program = only("docs/deals.md", "javascript") + _DRIVER
    found: list[Any] = json.loads(run_node("-e", program, given=json.dumps(cases)))
    return found


def made(cases: list[dict[str, Any]]) -> list[Any]:
    """What the program makes of them."""
    return [[case["commitment"], case["word_commitments"], case["deal"]] for case in cases]


def test_the_python_of_the_page_gives_the_same_deals() -> None:
    cases = list(random_cases(Random(1), 200))
    assert by_python(cases) == made(cases)


#: Reads cases from the standard input and writes what the page's functions make of them.
_DRIVER = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((c) => { const seed = Buffer.from(c.seed, "hex");
  const words = c.words.map((word) => wordCommitment(c.commitment, word));
  return [commitment(seed), words, deal(c.pack, c.players, c.size, seed, c.words, c.round)]; })));
"""


def test_the_javascript_of_the_page_gives_the_same_deals() -> None:
    cases = list(random_cases(Random(2), 200))
    assert by_javascript(cases) == made(cases)


def test_the_javascript_of_the_page_is_short() -> None:
    assert len(only("docs/deals.md", "javascript").splitlines()) <= 12


def test_the_deck_is_shuffled_from_a_stated_order() -> None:
    in_order = codes(pack(ruleset("amigo")))
    assert in_order[:17] == [*(f"R{rank}" for rank in range(16)), "O0"]
    assert in_order[96:] == ["W"] * 2 + ["C"] * 4 + ["X"] * 4 + ["+"] * 3 + ["-"] * 3


def test_numbers_that_would_favour_some_cards_are_discarded() -> None:
    """ "if it is 2³² - (2³² mod n) or more, discard it and take the next" """
    for n in (3, 7, 110, 112):
        limit = 2**32 - 2**32 % n
        assert _below(iter([2**32 - 1, limit, limit - 1, 5]), n) == n - 1
        assert _below(iter([0, 5]), n) == 0


# --- games, and chance -----------------------------------------------------------------------


def test_a_game_deals_from_its_seed_also_from_the_middle() -> None:
    game = Game("poof", 3, seed=b"middle", first_round=8)
    dealer = Deals(POOF, 3, b"middle")
    while not game.over:
        game.play(game.legal_moves[0])
    assert [each.number for each in game.rounds] == [8, 9, 10]
    assert [each.deal for each in game.rounds] == [dealer.deal(number) for number in (8, 9, 10)]


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_deals_are_fair() -> None:
    """Where a card comes to lie, and what lies in a place, over 1,500 seeds: within four standard
    deviations of what chance gives (the sum has mean c - 1 and variance 2(c - 1) for c cells)."""
    rules, places, cards, dealers = POOF, Counter[int](), Counter[int](), Counter[int]()
    for seed in range(1500):
        deal = Deals(rules, 5, seed.to_bytes(2, "big")).deal(1)
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
