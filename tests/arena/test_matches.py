"""Matches: who sits where, equal deals, equal games from equal seeds, and what they come to."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import permutations
from socket import gethostname
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rage
from arena.comparing import untimed
from networks import lose_network
from rage import Game, NotAllowed, View
from rage.arena import (
    Match,
    Planned,
    Played,
    Results,
    Watch,
    evaluate,
    plan,
    play,
    play_all,
    seatings,
)
from rage.arena import playing as arena_playing
from rage.arena.cluster import _do_there
from rage.bots import Bot, Budget
from rage.bots.custom import any_bot
from rage.cli.reports import tables
from rage.rules.values import Move

SHORT = "poof+schedule:3.1"


def match(
    *bots: str, rules: str = SHORT, players: int = 4, seed: str = "a table of friends"
) -> Match:
    return Match.of(bots or ("steady", "random"), rules, players, seed)


def found(which: Match, deals: int, games: list[Played] | None = None) -> Results:
    played = games if games is not None else [*play_all(which, plan(which, deals), 1)]
    result = evaluate(which, played, deals)
    assert result is not None
    return result


# --- who sits where ------------------------------------------------------------------------


@pytest.mark.parametrize("bots", range(2, 7))
@pytest.mark.parametrize("sides", range(2, 9))
def test_all_bots_and_all_seats_are_treated_alike(bots: int, sides: int) -> None:
    every = seatings(bots, sides)
    assert len(every) == len({*every})
    for seat in range(sides):
        assert len({*Counter(seating[seat] for seating in every).values()}) == 1
    for pair in permutations(range(bots), 2):
        mine = [seating for seating in every if {*seating} == {*pair}]
        assert len(mine) == (2 if sides == 2 else 2 * sides)
    mixed = [{*seating} for seating in every if len({*seating}) > 2]
    assert bool(mixed) == (bots > 2 and sides > 2)
    met = Counter(pair for each in mixed for pair in permutations(each, 2))
    assert len({*met.values()}) <= 1
    assert not mixed or len(met) == bots * (bots - 1)


def test_a_team_is_one_bot() -> None:
    teams = match(rules="poof+two-teams+schedule:2")
    assert teams.sides == 2
    games = [*play_all(teams, plan(teams, 2), 1)]
    assert [each.seating for each in games] == [(0, 1), (1, 0)] * 2
    for each in games:
        assert len(each.points) == len(each.met) == 2
        assert sum(each.moves) == 4 * (1 + 2)


# --- the games -----------------------------------------------------------------------------


def test_all_games_of_a_set_have_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: dict[int, set[Any]] = {}

    class Noting(Game):
        def __init__(self, rules: Any, players: Any, *, deals: Any) -> None:
            super().__init__(rules, players, deals=deals)
            dealt.setdefault(number, set()).add(deals)

    monkeypatch.setattr(arena_playing, "Game", Noting)
    which = match()
    for each in plan(which, 3):
        number = each.number
        play(which, each)
    assert [len(deals) for deals in dealt.values()] == [1, 1, 1]
    (first,), (second,), _ = dealt.values()
    assert first != second
    assert [len(deal.hands[0]) for deal in first] == [3, 1]
    assert match("random", "flat").deals(0) == first  # no matter who plays
    assert match(seed="another").deals(0) != first


@pytest.mark.parametrize(
    ("rules", "side_of"), [(SHORT, [0, 1, 2, 3]), ("poof+two-teams", [0, 1] * 2)]
)
def test_every_seat_is_played_by_the_bot_of_its_side_with_its_seed(
    rules: str, side_of: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[tuple[str, int]]()

    def note(name: str, seed: int) -> Bot:
        made.append((name, seed))
        return any_bot(name, seed)

    monkeypatch.setattr(arena_playing, "any_bot", note)
    which = match(rules=rules)
    for seating in seatings(2, which.sides):
        made.clear()
        play(which, Planned(3, seating))
        names = [which.bots[seating[side]] for side in side_of]
        assert made == [(name, which.seed_for(3, seat)) for seat, name in enumerate(names)]


def test_equal_seeds_give_equal_games_however_many_processes_play() -> None:
    which = match("steady", "random", "flat", players=3)
    alone = [*play_all(which, plan(which, 2), 1)]
    assert untimed(alone) == untimed([*play_all(which, plan(which, 2), 1)])
    together = [*play_all(which, plan(which, 2), 2)]
    assert sorted(untimed(together)) == sorted(untimed(alone))
    one, other = (found(which, 2, games) for games in (alone, together))
    assert one.ratings == other.ratings
    assert [each.ahead for each in one.pairs] == [each.ahead for each in other.pairs]


def test_a_bot_sees_only_its_view_and_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[View] = []

    def watching(name: str, seed: int) -> Any:
        class Watching:
            def choose(self, view: View, budget: Budget | None = None) -> Move:
                views.append(view)
                return any_bot(name, seed).choose(view)

        return Watching()

    monkeypatch.setattr(arena_playing, "any_bot", watching)
    play(match(), Planned(0, (0, 1, 1, 1)))
    assert {view.names for view in views} == {tuple(f"Player {n}" for n in (1, 2, 3, 4))}
    assert all(view.seat == view.to_act for view in views)


def test_a_move_that_is_not_allowed_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def choose(self, view: View, budget: Budget | None = None) -> Move:
            return Move("R4")

    monkeypatch.setattr(arena_playing, "any_bot", lambda *_: Wrong())
    with pytest.raises(NotAllowed, match="Bids come first"):
        play(match(), Planned(0, (0, 1, 1, 1)))


def test_a_process_that_dies_is_one_clear_error(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "dying_bots.py").write_text(
        "import multiprocessing, os\n"
        "class Dying:\n"
        "    def __init__(self, seed): pass\n"
        "    def choose(self, view): os._exit(1)\n"
    )
    which = match("python:dying_bots:Dying", "random")
    with pytest.raises(NotAllowed, match="a process of the arena has died"):
        [*play_all(which, plan(which, 1), 2)]


def test_a_bot_without_its_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table steady sits in; here that would measure steady under another name."""
    lose_network(monkeypatch)
    with pytest.raises(NotAllowed, match=r"hard cannot play: .* general\.safetensors is missing"):
        match("hard", "random")
    match("steady", "random")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("rage.__version__", "0.0.1", r"has Rage 0\.0\.1, and .* is needed"),
        ("rage.bots.stand_in.COMPILED", False, "hard cannot play: "),
        ("rage.arena.match.network", lambda name: SimpleNamespace(digest="f"), "another network"),
    ],
)
def test_a_machine_of_a_cluster_where_bots_would_play_otherwise_is_refused(
    name: str, value: object, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = match("hard", "random")
    same, planned = (rage.__version__, here.network), Planned(0, (0, 1))
    monkeypatch.setattr(name, value)
    with pytest.raises(NotAllowed, match=f"{gethostname()}.*{said}"):
        _do_there(same, here.bots, partial(play, here, planned))


# --- what they come to ---------------------------------------------------------------------


@settings(max_examples=15)
@given(
    st.sampled_from([(SHORT, 4), (SHORT, 2), ("amigo+schedule:2.1", 3), (SHORT + "+two-teams", 4)]),
    st.integers(0, 1000),
)
def test_the_difference_of_two_bots_turns_with_their_order(
    table: tuple[str, int], seed: int
) -> None:
    rules, players = table
    one, other = (
        found(match(*bots, rules=rules, players=players, seed=str(seed)), 3)
        for bots in (("steady", "random"), ("random", "steady"))
    )
    (ours,), (theirs,) = one.pairs, other.pairs
    assert theirs.ahead.mean == pytest.approx(-ours.ahead.mean)
    assert theirs.ahead.half_95 == pytest.approx(ours.ahead.half_95)
    for mine, its in zip(ours.alone, theirs.alone[::-1], strict=True):
        assert its[:3] == pytest.approx(mine[:3])
    for first, second in zip(ours.tallies, theirs.tallies[::-1], strict=True):
        assert first[:2] == pytest.approx(second[:2])


def made(number: int, seating: tuple[int, ...], points: tuple[int, ...], **given: Any) -> Played:
    sides = len(seating)
    best = max(points)
    winners = tuple(side for side in range(sides) if points[side] == best)
    usual = {"met": (1,) * sides, "moves": (5,) * sides, "seconds": (0.01,) * sides}
    usual["worked"] = (0.005,) * sides
    return Played(number, seating, points, winners, **{**usual, **given})


def test_what_games_come_to_is_worked_out_by_hand() -> None:
    """Two sides, one hand after the other of 3 and 1 cards: two rounds."""
    which = match(players=2)
    games = [
        made(0, (0, 1), (10, 4), met=(2, 0)),
        made(0, (1, 0), (3, 5)),
        made(1, (0, 1), (7, 7)),
        made(1, (1, 0), (8, 4), seconds=(0.02, 0.03)),
    ]
    result = found(which, 2, games)
    (pair,) = result.pairs
    assert pair.ahead.mean == (4 + -2) / 2  # of the sets: (6 + 2) / 2 and (0 - 4) / 2
    assert pair.ahead.half_95 == pytest.approx(12.7062 * 3, rel=1e-4)
    steady, rival = pair.tallies
    assert (steady.wins, rival.wins) == (2.5 / 4, 1.5 / 4)
    assert (steady.bids_met, rival.bids_met) == (5 / 8, 3 / 8)
    assert steady.ms_per_move == pytest.approx(1000 * 0.06 / 20)
    assert rival.ms_per_move == pytest.approx(1000 * 0.05 / 20)
    assert rival.cpu_ms_per_move == pytest.approx(1000 * 0.02 / 20)
    assert result.mixed is None


def test_mixed_tables_tell_how_far_each_is_ahead_of_all_others() -> None:
    which = match("steady", "random", "flat", players=3)
    points = {0: 9, 1: 0, 2: 6}
    games = [made(0, each, tuple(points[bot] for bot in each)) for each in seatings(3, 3)]
    result = found(which, 1, games)
    assert result.mixed is not None
    assert [each.mean for each in result.mixed] == [9 - 3, 0 - 7.5, 6 - 4.5]
    assert [each.ahead.mean for each in result.pairs] == [9, 3, -6]
    assert result.ratings is not None
    assert result.ratings[0].mu > result.ratings[2].mu > 25 > result.ratings[1].mu


def test_only_whole_sets_of_deals_count_and_in_any_order() -> None:
    which = match()
    games = [*play_all(which, plan(which, 3), 1)]
    assert found(which, 3, games[::-1])[2:6] == found(which, 3, games)[2:6]
    assert found(which, 3, games[:-1])[1:3] == (2, 16)
    assert found(which, 2, games) == found(which, 2, games[:-1])
    assert evaluate(which, games[:7], 3) is None


def test_ratings_are_left_out_without_their_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    result = found(match(), 1)
    assert result.ratings is None
    assert result.as_data()["ratings"] is None
    assert "Ratings" not in "".join(tables(result, "en"))  # two bots: the pair says it all
    three = found(match("random", "steady", "easy", rules="poof+schedule:1", players=3), 1)
    assert "Ratings need a package" in "".join(tables(three, "en"))


# --- when to stop --------------------------------------------------------------------------


def stopped(which: Match, points: float, games: list[Played]) -> int | None:
    watch = Watch(which, points, 60)
    for game in games:
        watch.add(game)
    return watch.clear_after


def test_a_match_stops_after_the_same_set_in_whatever_order_the_games_come() -> None:
    which = match(rules="poof+schedule:2", players=3)
    games = [*play_all(which, plan(which, 60), 1)]
    after = stopped(which, 0, games)
    assert after is not None
    assert after >= 20
    assert stopped(which, 0, games[: 6 * after]) == after
    assert stopped(which, 0, games[: 6 * after - 1]) is None, "the set is not complete"
    assert stopped(which, 0, games[::-1]) == after
    low, high = found(which, after, games).as_data()["pairs"][0]["sequence_95"]
    assert low > 0
    assert stopped(which, (low + high) / 2, games[: 6 * after]) is None
    before = found(which, after - 1, games).as_data()["pairs"][0]["sequence_95"]
    assert before is None or before[0] <= 0
