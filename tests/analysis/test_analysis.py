"""What decisions cost: judged by what was known, never below 0, and the same each time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import combinations
from math import isclose, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import games, shuffled
from networks import lose_network
from properties.worlds import indistinguishable_game
from rage import Game
from rage.analysis import Analysis, Work, analyse
from rage.analysis.decisions import choices, judge
from rage.analysis.luck import luck_of
from rage.bots import bot
from rage.bots.advice import Advice
from rage.bots.net import network
from rage.bots.root import CalledOff
from rage.cli.reports import report, tell_cost
from rage.engine.deal import Deal
from rage.game.account import leads
from rage.notation import record_of, write_record
from rage.rules.cards import CARD_NUMBERS
from rage.rules.editions import ruleset
from rage.rules.hands import cards_of
from rage.say import sentence

seeds = st.integers(0, 2**32 - 1)


@cache
def mixed() -> Analysis:
    """A game of bots that play well, and of one that plays at random."""
    names = ["hard", "steady", "medium", "random"]
    game = Game("poof+schedule:6.5.4.3", names, seed=b"mixed")
    bots = [bot(name, 1) for name in names]
    while game.to_act is not None:
        game.play(bots[game.to_act].choose(game.view(game.to_act)))
    return analyse(game, 60)


def test_random_play_costs_much_more() -> None:
    found = mixed()
    costs = [found.cost(seat) for seat in range(4)]
    assert costs[3] > 3 * max(costs[:3])
    worst = found.costliest(3)
    assert [each.cost for each in worst] == sorted((each.cost for each in worst), reverse=True)
    assert len(worst) == 3
    assert worst[0].clear


def test_every_decision_is_there_and_costs_nothing_where_there_is_no_choice() -> None:
    found = mixed()
    assert len(found.decisions) == found.game.ply
    for each in found.decisions:
        assert each.cost >= 0
        assert (each.cost == 0) == (each.best == each.move) or each.cost < 1e-9
        if each.advice is None:
            assert each.cost == each.error == 0


def test_no_decision_keeps_more_of_the_game_than_its_own_round() -> None:
    """All views of earlier rounds at once took 100 MB for a game of a thousand characters."""
    found = [each.view for each in choices(mixed().game) if each.view is not None]
    assert len(found) > 40
    assert {len(each.rounds) for each in found} == {1}


def test_luck_skill_and_rest_add_up_to_what_was_won() -> None:
    sides = mixed().sides()
    assert [side.points for side in sides] == mixed().game.scores
    assert [side.ahead for side in sides] == pytest.approx(leads(mixed().game.scores), abs=0.051)
    assert isclose(sum(side.luck for side in sides), 0, abs_tol=0.2)


@settings(max_examples=12, deadline=None)
@given(games(most=3))
def test_who_lost_least_by_decisions_has_most_skill(game: Game) -> None:
    """And what is shown adds up to the tenth, of the game and of each round."""
    data = Analysis(
        game, 2, 1,
        tuple(judge(each, 2, 1) for each in choices(game)),
        tuple(each for each in (luck_of(game, played, 2, 1) for played in game.rounds) if each),
    ).as_data()  # fmt: skip
    sides = data["sides"]
    lost = [sum(data["players"][seat]["cost"] for seat in side["seats"]) for side in sides]
    for one, other in combinations(range(len(sides)), 2):
        less = round(lost[one] - lost[other], 1)
        more = round(sides[other]["skill"] - sides[one]["skill"], 1)
        assert (less > 0) == (more > 0), (lost, sides)
        assert (less == 0) == (more == 0), (lost, sides)
    for side in sides:
        assert round(side["luck"] + side["skill"] + side["rest"], 1) == side["ahead"]
    for each in data["rounds"]:
        parts = zip(each["luck"], each["skill"], each["rest"], strict=True)
        assert [sum(three) for three in parts] == pytest.approx(leads(each["points"]), abs=0.051)


def test_who_is_dealt_the_best_cards_is_lucky() -> None:
    """Two Wilds and two 15s against low cards."""
    rules = ruleset("poof+schedule:4").for_players(3)
    codes = ["W W R15 B15", "R1 O1 Y1 G1", "R2 O2 Y2 G2", "P0"]
    *hands, turn_up = [tuple(CARD_NUMBERS[code] for code in each.split()) for each in codes]
    stock = shuffled(rules, Random(1))
    for card in (*turn_up, *(card for hand in hands for card in hand)):
        stock.remove(card)
    game = Game(rules, 3, deals=[Deal(0, map(cards_of, hands), cards_of((*turn_up, *stock)))])
    while game.to_act is not None:
        game.play(bot("steady").choose(game.view(game.to_act)))
    found = luck_of(game, game.rounds[0], 100, 1)
    assert found is not None
    best, one, two = found.ahead
    assert best > 2
    assert max(one, two) < 0
    assert 0 < max(found.error) < 1


def test_luck_can_be_called_off() -> None:
    """Between two games with the same cards."""
    game = mixed().game
    with pytest.raises(CalledOff):
        luck_of(game, game.rounds[0], 10**9, 1, lambda: True)


def test_luck_is_the_mean_of_what_bots_get_with_its_standard_error() -> None:
    game = mixed().game
    played = game.rounds[1]
    assert played.deal is not None
    found = luck_of(game, played, 12, 5)
    assert found is not None
    points = []
    for again in range(12):
        other = Game(game.rules, game.names, deals=[played.deal], first_round=played.number)
        player = bot("medium", 5 + again)
        while other.to_act is not None:
            other.play(player.choose(other.view(other.to_act)))
        made = other.rounds[0].points
        assert made is not None
        points.append(made)
    for side in range(4):
        ahead = [4 / 3 * (each[side] - sum(each) / 4) for each in points]
        assert found.bots[side] == pytest.approx(mean(each[side] for each in points))
        assert found.ahead[side] == pytest.approx(mean(ahead))
        assert found.error[side] == pytest.approx(stdev(ahead) / sqrt(12))
    assert found.points == played.points


def test_the_chart_follows_the_game_to_its_result() -> None:
    """And every decision is told where it was made."""
    found = mixed()
    chart = found.chart()
    deals = [each.deal for each in found.game.rounds if each.deal is not None]
    again = Game(found.game.rules, found.game.names, deals=deals)
    total = ahead = [0.0] * 4
    for each, shown in zip(found.decisions, chart, strict=True):
        made = len([*again.rounds[-1].moves])
        assert each.place == (again.rounds[-1].number, made // 4, made % 4 + 1)
        assert (each.advice is None) == (len(again.legal_moves) == 1)
        ahead = [*ahead]
        if each.advice is not None:
            ahead[each.seat] = leads(total)[each.seat] + each.advice.of(each.move).points
        number = len(again.rounds)
        again.play(each.move)
        if again.over or len(again.rounds) > number:
            total = [*again.scores]
            ahead = [*leads(total)]
        assert shown == pytest.approx(ahead)
    assert chart[-1] == pytest.approx(leads(found.game.scores))


def test_a_round_with_too_little_of_its_stock_has_no_luck() -> None:
    """Bots may turn more of it over than the record has."""
    for seed in range(40):
        game = Game("amigo+schedule:3", 3, seed=seed)
        while game.to_act is not None:
            game.play(game.legal_moves[-1])
        deal = game.rounds[0].deal
        assert deal is not None
        stock = game.position.turned  # no more than was needed
        short = Game(game.rules, 3, deals=[deal.replace(stock=cards_of(stock))])
        for move in game.moves:
            short.play(move)
        if luck_of(short, short.rounds[0], 20, 1) is None:
            return
    pytest.fail("no deal was found that bots play with more of the stock")


def test_as_data_it_is_stable() -> None:
    data = json.loads(json.dumps(mixed().as_data()))
    assert list(data) == [
        "format", "version", "rules", "worlds", "seed", "network", "players", "sides", "rounds",
        "decisions", "chart",
    ]  # fmt: skip
    assert data["network"] == network("general").digest
    assert data["decisions"][0].keys() == {
        "round", "trick", "card", "seat", "move", "best", "points", "best_points", "cost", "error",
        "clear", "worlds", "all_worlds", "exact", "moves",
    }  # fmt: skip
    for player in data["players"]:
        for index in player["costliest"]:
            assert data["decisions"][index]["seat"] == player["seat"]
    for each in data["decisions"]:
        if each["moves"]:
            assert each["moves"][each["move"]] == each["points"]
            assert next(iter(each["moves"])) == each["best"]


def test_of_an_exact_cost_it_is_said_that_all_possible_deals_were_tried() -> None:
    """A Wild is the last card of a round of one card: only its colour is chosen."""
    game = Game("poof+schedule:1", 2, deals=[Deal(1, ["R9", "W"], "B4 G1 G2")])
    for code in ("1", "1", "R9", "WG"):
        game.play(code)
    *_, choice = choices(game)
    last = judge(choice, 20, 1)
    assert last.advice is not None
    assert last.advice.exact
    said = sentence(tell_cost(last), edition="poof")
    assert "points, on average over all possible deals: " in said
    assert "possible deals" not in sentence(tell_cost(last.replace(advice=inexact(last.advice))))


def inexact(advice: Advice) -> Advice:
    return advice.replace(exact=False)


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    lose_network(monkeypatch)


@pytest.mark.usefixtures("_no_network")
def test_that_there_was_no_network_is_said() -> None:
    found = analyse(Game("poof+schedule:1", 3, seed=b"alone"), worlds=2)
    assert found.as_data()["network"] is None
    said = "\n".join(report(found, record_of(found.game), "en"))
    assert "network of the bots cannot be read: moves were judged by letting Steady play on" in said


@pytest.mark.usefixtures("_no_network")
def test_without_a_network_luck_is_not_certain_either() -> None:
    """As it would seem if a bot that always plays alike had played the deals again."""
    game = Game("poof+schedule:5", 3, seed=b"luck")
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    found = luck_of(game, game.rounds[0], 30, seed=1)
    assert found is not None
    assert all(each > 0 for each in found.error)


def test_ctrl_c_ends_it_in_the_middle_of_a_decision(tmp_path: Path) -> None:
    """Which is tried in more worlds than anybody can wait for."""
    game = Game("poof+schedule:8", 4, seed=b"long")
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    record = tmp_path / "long.rage.json"
    record.write_bytes(write_record(record_of(game)))
    command = [sys.executable, "-m", "rage", "analyse", str(record), "--worlds", "1000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        tasks = Path(f"/proc/{running.pid}/task")
        while tasks.exists() and len([*tasks.iterdir()]) < 2:  # until its threads work
            time.sleep(0.05)
        time.sleep(1 if tasks.exists() else 3)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        try:
            assert running.wait(20) == 130
        finally:
            running.kill()


@settings(max_examples=6, deadline=None)
@given(games(rounds=1, most=3), st.integers(2, 3))
def test_any_game_can_be_analysed_with_any_number_of_threads(game: Game, threads: int) -> None:
    work = Work(game, 3, seed=5)
    assert [*work.run(threads)][-1:] == [len(work)]
    assert work.result() == analyse(game, 3, seed=5)
    json.dumps(work.result().as_data())


@settings(max_examples=25, deadline=None)
@given(games(rounds=1, most=4), seeds)
def test_hidden_cards_change_no_cost(game: Game, seed: int) -> None:
    """The last decision of a seat in two games that look the same to it."""
    seat = game.to_act
    if seat is None:
        return
    other = indistinguishable_game(game, seat, Random(seed))
    move = game.legal_moves[0]
    game.play(move)
    other.play(move)
    one, two = ([*choices(each)][-1] for each in (game, other))
    assert (one.place, one.move) == (two.place, two.move)
    assert judge(one, 5, 1) == judge(two, 5, 1)


def test_a_round_that_is_not_over_has_no_luck() -> None:
    game = Game("poof+schedule:2", 3, seed=b"not over")
    assert luck_of(game, game.rounds[0], 2, 1) is None
    found = analyse(game, 2)
    assert (found.decisions, found.rounds, found.chart()) == ((), (), [])
    assert json.dumps(found.as_data())
