"""The deals that the page makes from a seed, and its proof of a game, against the program's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generators import rules_from
from page.comparing import plain, reason_data
from page.conftest import Ask
from rage import Game
from rage.engine.deal import Deals, commitment, word_commitment
from rage.notation import NotARecord, record_of, write_record
from rage.notation.fair import conclusion, verify
from rage.notation.reader import record_from
from rage.notation.writer import rules_data
from rage.say import NotAllowed

ROOT = Path(__file__).parents[2]


def random_text(rng: Random) -> str:
    """Words that somebody may give: also none, and long ones."""
    letters = ["a", "Z", " ", "\n", "ñ", "Ä", "ß", "語", "🂡", "\x00", "\u202e", "{", '"']
    return "".join(rng.choice(letters) for _ in range(rng.choice((0, 1, 3, 10, 64, 200))))


def dealers(rng: Random) -> Iterator[tuple[Deals, list[int]]]:
    """Dealers of random games without end, and the rounds to ask for."""
    while True:
        rules, players = rules_from(rng.choice, rounds=30)
        seed = rng.randbytes(rng.choice((1, 16, 16, 16, 55, 200)))
        words = rng.choice(([], [random_text(rng) for _ in range(players)]))
        first = rng.choice((None, None, rng.randrange(players)))
        rounds = range(1, len(rules.schedule) + 1)
        yield Deals(rules, players, seed, words, first), list(rounds)


def dealing(dealer: Deals, rounds: list[int]) -> dict[str, Any]:
    return {
        "rules": rules_data(dealer.rules),
        "players": dealer.players,
        "first": dealer.first,
        "seed": dealer.seed.hex(),
        "words": dealer.words,
        "rounds": rounds,
    }


def deal_data(dealer: Deals, number: int) -> dict[str, Any]:
    deal = dealer.deal(number)
    codes = [str(hand).split() for hand in (*deal.hands, deal.stock)]
    return {"dealer": deal.dealer, "hands": codes[:-1], "stock": codes[-1]}


def test_deals_from_seeds_and_words(ask: Ask, cases: int) -> None:
    questions, due, count = [], [], 0
    for dealer, rounds in dealers(Random(12)):
        questions.append(dealing(dealer, rounds))
        deals = [deal_data(dealer, number) for number in rounds]
        due.append({"hash": commitment(dealer.seed), "deals": deals})
        count += len(rounds)
        if count >= cases:
            break
    assert ask("deals", questions) == due


def test_numbers_that_would_favour_some_cards_are_thrown_away(ask: Ask) -> None:
    """One in forty million numbers is: too few for random deals to show."""
    questions: list[dict[str, Any]] = []
    due: list[int] = []
    for n in (2, 3, 5, 7, 96, 110, 112):
        limit = 2**32 - 2**32 % n
        rows = [[0, 5], [limit - 1, 5], [2**32 - 1, limit, limit - 1, 5], [limit, 1]]
        questions += [{"numbers": row, "n": n} for row in rows]
        due += [next(number for number in row if number < limit) % n for row in rows]
    usable = [i for i, each in enumerate(questions) if max(each["numbers"]) < 2**32]
    assert ask("below", [questions[i] for i in usable]) == [due[i] for i in usable]


def test_other_numbers_of_players_and_words_are_refused(ask: Ask) -> None:
    rng = Random(13)
    questions = []
    due: list[Any] = []
    for _ in range(2000):
        rules, players = rules_from(rng.choice, rounds=3)
        players, words = (
            rng.choice((players, rng.randint(0, 9))),
            [""] * rng.choice((0, players, 2)),
        )
        questions.append(
            {
                "rules": rules_data(rules),
                "players": players,
                "first": None,
                "seed": "00",
                "words": words,
                "rounds": [],
            }
        )
        try:
            Deals(rules, players, b"\0", words)
            due.append(None)
        except NotAllowed as error:
            due.append(reason_data(error.reason))
    codes = {each["code"] for each in due if each}
    assert codes == {"players.refused", "teams.refused", "hand.refused", "words.refused"}
    assert None in due
    assert [each.get("refused") for each in ask("deals", questions)] == due


# --- the proof -------------------------------------------------------------------------------


def finished_record(rng: Random) -> dict[str, Any]:
    """The record of a game dealt from a seed, some of them begun in the middle."""
    rules, players = rules_from(rng.choice, rounds=4, most=5)
    seed = rng.randbytes(16)
    words = rng.choice(([], [""] * players, [random_text(rng)[:64] for _ in range(players)]))
    first = rng.choice((None, rng.randrange(players)))
    number = rng.randint(1, len(rules.schedule))
    dealer = Deals(rules, players, seed, words, first)
    game = Game(
        rules,
        players,
        first_round=number,
        deals=[dealer.deal(n) for n in range(number, len(rules.schedule) + 1)],
    )
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    fields = {
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "words": words or None,
        "word_commitments": committed(words, seed, rng),
        "first_dealer": first,
        "seating": rng.choice((None, list(game.names), rng.sample(game.names, players))),
        "earlier": rng.choice((None, [dealt_to(rng, number, players)])),
    }
    data: dict[str, Any] = json.loads(write_record(record_of(game, **fields)))
    return data


def dealt_to(rng: Random, number: int, players: int) -> dict[str, Any]:
    """A round that was dealt to others, as ``earlier`` has it: now and then not quite."""
    names = list("ABCDEFGH"[: players + rng.choice((0, 0, 0, 1))])
    bots = [rng.choice((None, "steady", None, 7)) for _ in range(players)]
    return {"round": rng.choice((number, number, 1)), "players": names, "bots": bots}


def committed(words: list[str], seed: bytes, rng: Random) -> list[str | None] | None:
    """The commitments to some words; to words that were not revealed, too. Half of all words were
    said openly."""
    if not words or rng.random() < 0.5:
        return None
    return [
        word_commitment(commitment(seed), word or "kept") if word or rng.random() < 0.5 else None
        for word in words
    ]


def other_words(record: dict[str, Any], rng: Random) -> None:
    """A word, or a commitment to one, that was not there before, or is there no more."""
    fields = [name for name in ("words", "word_commitments") if record.get(name)]
    if fields:
        texts = record[rng.choice(fields)]
        texts[rng.randrange(len(texts))] = rng.choice((None, "", "owl", "0" * 64))


def swap_cards(record: dict[str, Any], rng: Random) -> None:
    """Two players' first cards change places."""
    hands = rng.choice(record["rounds"])["hands"]
    one, other = rng.sample(range(len(hands)), 2)
    a, b = hands[one].split(" "), hands[other].split(" ")
    a[0], b[0] = b[0], a[0]
    hands[one], hands[other] = " ".join(a), " ".join(b)


def mix_hand(record: dict[str, Any], rng: Random) -> None:
    """The order of a hand is nobody's business."""
    hands = rng.choice(record["rounds"])["hands"]
    cards = hands[0].split(" ")
    rng.shuffle(cards)
    hands[0] = " ".join(cards)


def cut_stock(record: dict[str, Any], rng: Random) -> None:
    """A stock may be cut short."""
    current = rng.choice(record["rounds"])
    cards = current["stock"].split(" ")
    current["stock"] = " ".join(cards[: rng.randint(len(cards) // 2, len(cards))])


def turn_stock(record: dict[str, Any], rng: Random) -> None:
    current = rng.choice(record["rounds"])
    current["stock"] = " ".join(reversed(current["stock"].split(" ")))


def other_dealer(record: dict[str, Any], rng: Random) -> None:
    record["rounds"][0]["dealer"] = rng.randrange(-1, len(record["players"]) + 1)


def change(name: str, *values: Any) -> Callable[[dict[str, Any], Random], None]:
    def tamper(record: dict[str, Any], rng: Random) -> None:
        record[name] = rng.choice(values)

    return tamper


def drop(*names: str) -> Callable[[dict[str, Any], Random], None]:
    def tamper(record: dict[str, Any], rng: Random) -> None:
        fields = rng.choice((record, record["rounds"][-1]))
        fields.pop(rng.choice([name for name in names if name in fields] or [""]), None)

    return tamper


def spoil(record: dict[str, Any], rng: Random) -> None:
    """Something of a wrong kind, anywhere."""
    fields = rng.choice((record, record["rounds"][0]))
    needed = ("format", "version", "rules", "players", "rounds", "first_round", "dealer", "hands")
    name = rng.choice([each for each in (*needed, "stock") if each in fields])
    fields[name] = rng.choice((None, 3.5, "R16", ["R1"], [], {}, True, [["R1"]], "R1  R2", -1))


ENDS = ("withheld", "all_withheld", "words_open", "no_words", "no_commitment")
TAMPERS = (
    swap_cards,
    mix_hand,
    cut_stock,
    turn_stock,
    other_dealer,
    spoil,
    other_words,
    change("word_commitments", [], None, "owl", [""], ["", "", "ab"], [None] * 3, [1, 2, 3]),
    change("seed", "00", "", "0", " 0a 0B\n", "a b", None, 7, "0g"),
    change("commitment", "", "ABC", None, 12, "0" * 64),
    change(
        "words",
        [],
        None,
        "owl",
        [""],
        ["", "", "", "late"],
        [None] * 3,
        [1, 2, 3],
        ["\ud800", "", ""],
    ),
    change("seating", [], None, "owl", ["A"], ["A", "B", None], ["B", "A"], [1, 2]),
    change("first_dealer", 0, 1, 99, -1, None, "0"),
    change("players", ["a", "b", "c"], ["a"], ["a"] * 9, [1, 2, 3]),
    change("first_round", 1, 2, 0, 31, None),
    change("rounds", []),
    change("rules", {"edition": "poof"}, {"edition": "x"}, {"edition": "amigo", "miss": 101}, []),
    drop(
        "seed",
        "commitment",
        "words",
        "word_commitments",
        "rules",
        "players",
        "format",
        "version",
        "rounds",
        "dealer",
        "hands",
        "stock",
    ),
)


def findings(data: Any) -> Any:
    """What the program says of a record: each finding, and what they come to."""
    try:
        found = list(verify(record_from(data)))
        last = [None, reason_data(conclusion(found))]
        return [*([finding.ok, reason_data(finding.reason)] for finding in found), last]
    except NotARecord as error:
        return {"refused": reason_data(error.reason)}
    except NotAllowed as error:
        return {"refused": reason_data(error.reason)}


@pytest.mark.parametrize("games", [400, pytest.param(2000, marks=pytest.mark.long)])
def test_the_proof_of_whole_games_good_and_tampered_with(ask: Ask, games: int) -> None:
    rng = Random(14)
    questions, due = [], []
    for i in range(games):
        record = finished_record(rng)
        if i % 5:
            rng.choice(TAMPERS)(record, rng)
        questions.append(record)
        due.append(findings(record))
    whole = [finding for finding in due if isinstance(finding, list)]
    rights = [right for finding in whole for right, _ in finding[:-1]]
    assert min(rights.count(right) for right in (True, False, None)) > 25
    ends = [finding[-1][1]["code"] for finding in whole]
    kinds = ("not_proven", "proven", *(f"proven.{each}" for each in ENDS))
    assert min(ends.count(f"verify.{kind}") for kind in kinds) > games // 400
    answers = zip(ask("verify", questions), ask("conclusion", questions), strict=True)
    for mine, (page, end), record in zip(due, answers, questions, strict=True):
        said: Any = {"refused": plain(end["refused"])} if isinstance(page, dict) else None
        if said is None:
            said = [[each["right"], plain(each["reason"])] for each in page]
            said.append([None, plain(end)])
        assert said == mine, record


def test_a_commitment_that_is_not_text_is_not_right(ask: Ask) -> None:
    record = finished_record(Random(17))
    right = record["commitment"]
    given = [right, [right], [[right]], 12, True, {"0": right}]
    due = [(True, "right"), *[(False, "no_text")] * 5]
    answers = ask("verify", [{**record, "commitment": each} for each in given])
    first = [answer[0] for answer in answers]
    assert [(each["right"], each["reason"]["code"]) for each in first] == [
        (is_right, f"verify.commitment_{code}") for is_right, code in due
    ]


def test_a_record_that_is_no_object_is_refused(ask: Ask) -> None:
    for answer in ask("verify", [None, 1, "rage-game", [], [1]]):
        assert answer["refused"]["code"] == "notation.wrong_type"


def test_a_record_without_a_seed_has_nothing_to_prove(ask: Ask) -> None:
    file = ROOT / "tests" / "records" / "poof-example.rage.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    assert ask("verify", [record]) == [{"refused": {"code": "verify.no_seed", "params": {}}}]
