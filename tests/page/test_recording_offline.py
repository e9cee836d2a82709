"""A game with real cards, recorded card by card: ``web/src/offline`` against the kernel."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import oracle
from page.comparing import plain, played_games, random_rules, reason_data
from page.conftest import Ask
from rage import Deal, Game
from rage.game.history import Round
from rage.notation import BrokenRule, Record, RoundRecord, parse_record, replay, write_record
from rage.notation.writer import rules_data
from rage.rules.hands import cards_of
from rage.rules.ruleset import RuleSet, pack
from rage.rules.values import letter_of
from rage.score.file import write_sheet
from rage.score.sheet import Sheet
from score.entering import begin_round, enter, new_sheet

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eva", "Фёдор", "Gül", 'Hans "H"')


def turned(current: Round) -> list[str]:
    """The cards turned over in a round, in order."""
    return [str(card) for change in current.trump_changes for card in change.cards]


def plays(current: Round) -> list[str]:
    """The cards of a round in the order in which they fell."""
    return [str(move) for trick in current.tricks for move in trick.moves]


def as_dealt(current: Round) -> dict[str, Any]:
    """What is known of a round before its cards fall."""
    seats = list(range(len(current.bids)))
    dealt = {"seats": seats, "hand_size": current.hand_size, "dealer": current.dealer}
    return {**dealt, "bids": list(current.bids)}


def question(game: Game) -> dict[str, Any]:
    """A whole game, to be entered card by card."""
    rounds = [
        {**as_dealt(each), "turned": turned(each), "plays": plays(each)} for each in game.rounds
    ]
    names = NAMES[: game.players]
    return {"rules": rules_data(game.rules), "players": names, "rounds": rounds}


def asked(rules: RuleSet, current: Round) -> list[Any]:
    """What has to be asked for in a round, by the kernel: a card that is turned over, or that of a
    seat; with the trump by then."""
    assert current.deal is not None
    one = rules.replace(schedule=(current.hand_size,))
    game = Game(one, current.players, deals=[current.deal])
    found: list[Any] = ["turned"] * len(game.position.turned)
    for move in current.moves:
        before = len(game.position.turned)
        if not move.is_bid:
            found.append([game.to_act, letter_of(game.trump)])
        game.play(move)
        found += ["turned"] * (len(game.position.turned) - before)
    return found


def test_games_that_are_recorded_are_the_games_played(ask: Ask, cases: int) -> None:
    """Whose turn it is, the trump, the winners and what they have won; and the record."""
    games = [game for game, _ in zip(played_games(Random(41)), range(cases // 12), strict=False)]
    assert {game.players for game in games} == set(range(2, 9))
    for game, answer in zip(games, ask("recorded", map(question, games)), strict=True):
        for current, found in zip(game.rounds, answer["rounds"], strict=True):
            assert found["asked"] == asked(game.rules, current)
            assert found["winners"] == [trick.winner for trick in current.tricks]
            assert (found["breaks"], found["kept"]) == ([], True)
            assert found["whole"]["won"] == list(current.won or ())
            assert current.deal is not None
            dealt = [sorted(map(str, hand)) for hand in current.deal.hands]
            assert [sorted(hand) for hand in found["hands"]] == dealt
        assert answer["left"] == []
        [stretch] = answer["stretches"]
        same(game, stretch["text"])


def same(game: Game, text: str) -> None:
    """Check that a record is what Python would write, and that its game comes out as another."""
    record = parse_record(text.encode())
    assert write_record(record).decode() == text
    again = replay(record)
    assert [each.points for each in again.rounds] == [each.points for each in game.rounds]
    assert (again.scores, again.winners) == (game.scores, game.winners)


def winners(rules: RuleSet, given: dict[str, Any]) -> Iterator[int]:
    """Who wins each trick of a round that may break the rules, by the oracle."""
    players = len(given["seats"])
    leader = (given["dealer"] + 1) % players
    trumps = iter([card[0] for card in given["turned"] if card[0] in oracle.LETTERS])
    trump, tricks = next(trumps), list(in_tricks(given["plays"], players))
    for trick in tricks:
        out = False
        for code in trick:
            if code == "X":
                trump, out = None, rules.out == "trick"
            elif code[0] == "C":
                trump, out = (code[1] if code[1:] else next(trumps)), False
        leader = (leader + oracle.winner(rules, trick, trump)) % players
        yield leader
        if out and trick is not tricks[-1]:
            trump = next(trumps)


def in_tricks(codes: Sequence[str], players: int) -> Iterator[list[str]]:
    for at in range(0, len(codes), players):
        yield list(codes[at : at + players])


def broken(rules: RuleSet, given: dict[str, Any], hands: list[list[str]]) -> BrokenRule | None:
    """What Python finds wrong first in the record of a round."""
    deal = Deal(given["dealer"], hands, given["turned"])
    tricks = list(in_tricks(given["plays"], len(hands)))
    written = RoundRecord(deal, given["bids"], tricks)
    only = rules.replace(schedule=(given["hand_size"],))
    try:
        replay(Record(only, list(NAMES[: len(hands)]), [written]))
    except BrokenRule as error:
        return error
    return None


def spoiled(current: Round, rng: Random) -> dict[str, Any]:
    """A round in which somebody plays two coloured cards the other way round."""
    given: dict[str, Any] = as_dealt(current)
    given |= {"turned": turned(current), "plays": plays(current)}
    codes, players = given["plays"], len(current.bids)
    places = [(trick.leader + at) % players for trick in current.tricks for at in range(players)]
    seat = rng.randrange(players)
    own = [at for at, place in enumerate(places) if place == seat and codes[at][1:].isdigit()]
    if len(own) > 1:
        a, b = rng.sample(own, 2)
        codes[a], codes[b] = codes[b], codes[a]
    return given


def test_a_revoke_is_found_where_python_finds_it(ask: Ask, cases: int) -> None:
    rng = Random(42)
    rounds, questions = [], []
    for game, _ in zip(played_games(rng), range(cases // 25), strict=False):
        rules, given = game.rules, spoiled(rng.choice(game.rounds), rng)
        rules = rules.replace(schedule=(given["hand_size"],))
        rounds.append((rules, given))
        names = NAMES[: game.players]
        questions.append({"rules": rules_data(rules), "players": names, "rounds": [given]})
    found = 0
    answers = ask("recorded", questions)
    for (rules, given), answer in zip(rounds, answers, strict=True):
        [mine] = answer["rounds"]
        assert mine["winners"] == list(winners(rules, given))
        assert all(len(hand) == given["hand_size"] for hand in mine["hands"])
        error = broken(rules, given, mine["hands"])
        if error is None:
            assert (mine["breaks"], len(answer["stretches"])) == ([], 1)
            continue
        found += 1
        first = mine["breaks"][0]
        assert error.trick is not None
        assert first["played"]["trick"] + 1 == error.trick
        assert first["at"] == (error.trick - 1) * len(given["seats"]) + (error.card or 0) - 1
        why = error.reason.params["why"].params["why"]
        assert plain(first["why"]) == reason_data(why)
        [left] = answer["left"]
        assert left["round"] == 1
        assert left["why"]["params"]["trick"] == error.trick
        assert answer["stretches"] == []
    assert found > cases // 100


def test_a_correction_leaves_what_was_turned_over_with_its_card(ask: Ask, cases: int) -> None:
    """A coloured card more, one less, another one, and back: everything is as it was, but for a
    trump that nothing turned up any more in between."""
    rng = Random(43)
    questions: list[dict[str, Any]] = []
    due: list[dict[str, Any]] = []
    for game, _ in zip(played_games(rng), range(cases // 25), strict=False):
        current = rng.choice(game.rounds)
        codes = plays(current)
        places = [at for at, code in enumerate(codes) if code[1:].isdigit()]
        if not places:
            continue
        lists = [[*map(str, each.cards)] for each in current.trump_changes]
        cards = {"turned": [each for each in lists if each], "plays": codes}
        at = rng.choice(places)
        there, back = rng.choice(
            [((1, ["R1"]), (1, [codes[at]])), ((0, ["R1"]), (1, [])), ((1, []), (0, [codes[at]]))]
        )
        changes = [{"at": at, "out": out, "moves": moves} for out, moves in (there, back)]
        given = {"rules": rules_data(game.rules), "round": as_dealt(current)}
        questions.append({**given, "cards": cards, "changes": changes})
        due.append(cards)
    lost = 0
    for question, right, answer in zip(questions, due, ask("corrected", questions), strict=True):
        assert answer["plays"] == right["plays"]
        if question["changes"][0]["out"] == len(question["changes"][0]["moves"]):
            assert answer["turned"] == right["turned"]
        for now, before in zip(answer["turned"], right["turned"], strict=False):
            assert now in (before, [])
        lost += answer["turned"] != right["turned"]
    assert lost < len(questions) // 10


def test_a_change_takes_what_it_turned_up_with_it(ask: Ask) -> None:
    """Three players; the second card of the first trick was a Change that turned up blue."""
    round_ = {"seats": [0, 1, 2], "hand_size": 2, "dealer": 2, "bids": [0, 0, 0]}
    cards = {"turned": [["R1"], ["+", "B2"], ["Y3"]], "plays": ["G1", "C", "X", "G2"]}
    given = {"rules": {"edition": "amigo"}, "round": round_, "cards": cards}
    changes: list[list[dict[str, Any]]] = [
        [{"at": 1, "out": 1, "moves": ["G5"]}],
        [{"at": 1, "out": 1, "moves": ["C"]}],
        [{"at": 1, "out": 1, "moves": []}],
        [{"at": 0, "out": 0, "moves": ["C"]}],
        [{"at": 2, "out": 1, "moves": ["G5"]}],
    ]
    answers = ask("corrected", [{**given, "changes": each} for each in changes])
    assert [each["turned"] for each in answers] == [
        [["R1"], ["Y3"]],
        cards["turned"],
        [["R1"], ["Y3"]],
        [["R1"], [], ["+", "B2"]],  # the Out has come to the second trick, which is the last
        [["R1"], ["+", "B2"]],
    ]


# --- which rounds a record holds -----------------------------------------------------------------


def recorded_sheet(rng: Random, rounds: int) -> tuple[Sheet, Game]:
    """A sheet whose rounds were all recorded with their cards, and the game that was played."""
    rules, players = random_rules(rng)
    size = rng.randint(1, 3)
    rules = rules.replace(schedule=(size,) * rounds, bid_total="any", teams=None)
    deck = pack(rules)
    deals = []
    for number in range(rounds):
        rng.shuffle(deck)
        hands = [cards_of(deck[seat * size : (seat + 1) * size]) for seat in range(players)]
        deals.append(Deal(number % players, hands, cards_of(deck[players * size :])))
    game = Game(rules, players, deals=deals)
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    sheet = new_sheet(rules, NAMES[:players])
    for current in game.rounds:
        won = [[str(m) for t in current.tricks if t.winner == s for m in t.moves]
               for s in range(players)]  # fmt: skip
        sheet = enter(begin_round(sheet), bids=current.bids)
        sheet = enter(
            sheet,
            won=current.won or (),
            bonus=[cards.count("+") for cards in won],
            mad=[cards.count("-") for cards in won],
        )
        lists = [str(each.cards) for each in current.trump_changes if each.cards]
        tricks = [" ".join(map(str, trick.moves)) for trick in current.tricks]
        last = sheet.rounds[-1]._replace(extra={"turned": lists, "tricks": tricks})
        sheet = sheet._replace(rounds=(*sheet.rounds[:-1], last))
    return sheet, game


def test_each_stretch_of_rounds_is_a_record(ask: Ask) -> None:
    """Of the sheet file, as it is kept: with rounds that were not recorded, or whose results are
    not those of their cards."""
    rng = Random(44)
    data, due = [], []
    for _ in range(200):
        sheet, game = recorded_sheet(rng, rng.randint(3, 8))
        written = json.loads(write_sheet(sheet))
        bad: dict[int, str] = {}
        for at, each in enumerate(written["rounds"]):
            what = rng.choice(("none", "missing", "differs", "", "", "", "", ""))
            if what == "none":
                del each["tricks"]
            elif what == "missing" and each["tricks"][-1][-1].isdigit():
                each["tricks"][-1] = each["tricks"][-1].rpartition(" ")[0]
            elif what == "differs" and max(each["won"]) == each["hand_size"]:
                each["won"].append(each["won"].pop(0))
                del each["points"]
                each.pop("bonus", None)
                each.pop("mad", None)
            else:
                continue
            bad[at] = what
        for name in ("scores", "winners"):
            written.pop(name, None)
        data.append(written)
        due.append((game, bad))
    for (game, bad), answer in zip(due, ask("records", data), strict=True):
        left = {each["round"] - 1: each["why"]["code"].split(".")[-1] for each in answer["left"]}
        assert left == bad
        covered: list[int] = []
        for each in answer["stretches"]:
            again = replay(parse_record(each["text"].encode()))
            assert (again.first_round, len(again.rounds)) == (
                each["first"],
                each["last"] - each["first"] + 1,
            )
            assert again.over == (each["last"] == len(game.rounds))
            numbers = range(each["first"] - 1, each["last"])
            covered += numbers
            due_points = [game.rounds[number].points for number in numbers]
            assert [current.points for current in again.rounds] == due_points
        assert covered == [at for at in range(len(game.rounds)) if at not in bad]
        gaps = sum(b - a > 1 for a, b in pairwise(covered))
        assert len(answer["stretches"]) == (gaps + 1 if covered else 0)


def test_what_was_agreed_otherwise_makes_a_schedule_of_its_own(ask: Ask) -> None:
    """Fewer cards than the schedule says, and other seats from the second round on."""
    ann = {"hand_size": 1, "dealer": 0, "bids": [0, 1], "won": [0, 1]}
    ann |= {"turned": ["R1"], "tricks": ["G3 G2"]}
    ben = {**ann, "seats": [1, 0], "dealer": 1, "turned": ["X R1"]}
    sheet = {"format": "rage-score", "version": 1, "rules": {"edition": "poof"}}
    [answer] = ask("records", [{**sheet, "players": ["Ann", "Ben"], "rounds": [ann, ben]}])
    first, second = (parse_record(each["text"].encode()) for each in answer["stretches"])
    assert first.rules.schedule[:2] == (1, 9)
    assert second.rules.schedule[:2] == (10, 1)
    assert (first.names, second.names) == (["Ann", "Ben"], ["Ben", "Ann"])
    for each in (first, second):
        assert replay(each).scores == [5, 11]


def test_cards_that_cannot_be_are_none(ask: Ask) -> None:
    """More than the pack holds, more than were dealt, or none at all."""
    base: dict[str, Any] = {"hand_size": 1, "dealer": 0, "bids": [0, 1], "won": [0, 1]}
    base |= {"turned": ["R1"], "tricks": ["G3 G2"]}
    odd: list[dict[str, Any]] = [
        {"tricks": ["G3 G3"]},
        {"tricks": ["G3 R1"]},
        {"tricks": ["G3 G2", "G4 G5"]},
        {"tricks": ["G3 G16"]},
        {"tricks": "G3 G2"},
        {"tricks": [3]},
        {"turned": ["R1 R2"]},
        {"turned": ["R1", "R2"]},
        {"turned": ["WR R1"]},
        {"turned": None},
    ]
    sheet = {"format": "rage-score", "version": 1, "rules": {"edition": "poof"}}
    given = [{"players": ["Ann", "Ben"], "rounds": [{**base, **each}]} for each in odd]
    answers = ask("records", [{**sheet, **each} for each in given])
    for answer in answers:
        assert answer["stretches"] == []
        assert answer["left"] == [{"round": 1, "why": {"code": "page.record.left.none"}}]
