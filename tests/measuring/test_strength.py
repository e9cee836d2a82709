"""The matches of lab/strength: listed rightly, resumed, and a page of what was run."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from statistics import fmean
from time import monotonic
from types import SimpleNamespace

import pytest

from lab.benchmarks.progress import Failure
from lab.strength import __main__ as command
from lab.strength import listing, opponents, running
from lab.strength import outcome as outcomes
from lab.strength.__main__ import _is_over
from lab.strength.listing import Listed, Setup, arena_name, budgets, listed
from lab.strength.outcome import Outcome, hours_of, read_outcomes
from lab.strength.page import page
from lab.strength.rlcard import train
from lab.strength.running import least_sets, run
from rage import Game, Move, NotAllowed, View
from rage.arena import Played, open_ledger
from rage.bots import BOTS
from rage.bots import Budget as Worlds
from rage.bots.learned import LEVELS
from rage.bots.own import any_bot

NEVER = float("inf")
ROOT = Path(outcomes.__file__).parents[2]


def strength(*words: str) -> tuple[int, str]:
    """The exit status and the error output of the command."""
    command = [sys.executable, "-m", "lab.strength", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def small(*bots: str, deals: int = 40, at_least: float | None = 1.0) -> Listed:
    return Listed(bots, Setup("poof+schedule:2", 3, deals), "small", 1.0, at_least, None)


def play(match: Listed, folder: Path, until: float = NEVER) -> Outcome:
    found = run(match, until, 1, lambda _: None, folder)
    assert found is not None
    return found


def test_every_match_of_the_list_can_be_played() -> None:
    every = listed()
    assert len({each.name for each in every}) == len(every)
    for each in every:
        for bot in each.bots:
            assert bot in BOTS or bot in budgets() or bot in ("rlcard", "exploiter", "network")
            assert arena_name(bot) == bot or arena_name(bot).startswith("python:lab.")
            if bot in ("exploiter", "network"):  # the others are loaded below, or need more
                chosen = any_bot(arena_name(bot), 1).choose(first_view())
                assert chosen in first_view().legal_moves()
        assert 20 <= least_sets(each) <= each.setup.deals


class Noting:
    """A bot that notes how much it may think."""

    budget: Worlds | None = None

    def choose(self, view: View, budget: Worlds | None = None) -> Move:
        self.budget = budget
        return view.legal_moves()[0]


def test_an_opponent_thinks_with_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[tuple[str, int | None]]()
    noting = Noting()

    def make(kind: str, seed: int | None) -> Noting:
        made.append((kind, seed))
        return noting

    monkeypatch.setattr(opponents, "_made", make)
    for name, budget in budgets().items():
        any_bot(arena_name(name), 3).choose(first_view())
        assert made.pop() == (budget.bot, 3)
        assert noting.budget == Worlds(budget.worlds)


def first_view() -> View:
    game = Game("poof+schedule:4", 4, seed=b"budget")
    assert game.to_act is not None
    return game.view(game.to_act)


def test_a_match_stops_when_it_is_clear_and_goes_on_from_its_games(tmp_path: Path) -> None:
    match = small("steady", "random", deals=400)
    first = run(match, monotonic(), 1, lambda _: None, tmp_path)
    assert first is None, "no time for a set"
    found = play(match, tmp_path)
    assert found.ended == "clear"
    assert least_sets(match) <= found.deals < 400
    assert found.reached == "yes"
    assert found.interval is not None
    assert found.interval[0] > 1
    (path,) = tmp_path.iterdir()
    games = path.read_bytes()
    again = play(match, tmp_path)
    assert again._replace(milliseconds=found.milliseconds, hours=found.hours) == found
    assert path.read_bytes() == games


def test_a_match_that_is_interrupted_is_not_over_and_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, clock = small("steady", "random", deals=40, at_least=None), count()
    with monkeypatch.context() as patch:
        patch.setattr(running, "monotonic", lambda: next(clock))
        part = play(match, tmp_path / "twice", until=40)
    assert part.ended == "goes on"
    assert 0 < part.deals < 40
    assert not _is_over(match, part)
    twice, once = (play(match, tmp_path / folder) for folder in ("twice", "once"))
    assert twice._replace(milliseconds=once.milliseconds, hours=once.hours) == once


def test_what_was_published_stays_until_there_is_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games of a match stay on the machine that played it; a new clone begins with none."""
    monkeypatch.setattr(outcomes.Outcome.write, "__defaults__", (tmp_path,))
    monkeypatch.setattr(outcomes.read_outcomes, "__defaults__", (tmp_path,))
    published = made(("hard", "steady"), 3.0, 1.0, 2.0)
    for found, kept in (
        (published, published),
        (published._replace(deals=20), published),
        (published._replace(deals=101), published._replace(deals=101)),
        (published._replace(deals=20, digest="other"),) * 2,
    ):
        command._tell(found)
        assert read_outcomes([published.name]) == {published.name: kept}


def test_a_match_ends_with_its_deals_or_its_hours(tmp_path: Path) -> None:
    found = play(small("steady", "random", deals=3), tmp_path)
    assert (found.ended, found.deals, found.interval, found.reached) == (
        "all deals", 3, None, "unclear",
    )  # fmt: skip
    short = small("steady", "random", deals=300, at_least=None)._replace(hours=1e-6)
    stopped = play(short, tmp_path)
    assert stopped.ended == "hours"
    assert _is_over(short, stopped)
    assert not _is_over(short._replace(hours=1.0), stopped), "with more hours it goes on"


def test_hours_are_those_of_the_processor_and_not_of_the_clock() -> None:
    """On a busy machine the clock runs twice as fast."""
    four = (1.0, 1.0, 1.0, 1.0)
    game = Played(0, (0, 1, 1, 1), (1, 0, 0, 0), (0,), (1, 1, 1, 1), (9, 9, 9, 9), four, four)
    assert hours_of([game._replace(seconds=(900.0,) * 4)]) == pytest.approx(4 / 3600)
    assert hours_of([game._replace(worked=(900.0,) * 4)]) == pytest.approx(1)


def test_only_games_in_which_the_first_is_alone_count_where_that_is_asked(tmp_path: Path) -> None:
    match = small("steady", "random", deals=8, at_least=None)
    found = play(match._replace(alone=True), tmp_path)
    with open_ledger(match.match, next(tmp_path.iterdir())) as kept:
        apart = [
            each.points_of(0) - each.points_of(1)
            for each in kept.games
            if each.seating.count(0) == 1
        ]
    assert len(apart) == 8 * 3
    assert found.difference == pytest.approx(fmean(apart))
    assert found.difference != play(match, tmp_path).difference


def test_an_opponent_that_is_trained_here_is_trained_as_long_as_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (match,) = [each for each in listed() if "rlcard" in each.bots]
    assert match.minutes == 240
    monkeypatch.setattr(command, "_failure", lambda name: "")
    monkeypatch.setattr(command, "minutes_trained", lambda: 20.4)
    assert command._lacks(match) == "rlcard: trained for 20 of 240 minutes"
    monkeypatch.setattr(command, "minutes_trained", lambda: 240.2)
    assert not command._lacks(match)


def test_the_minutes_of_a_training_that_goes_on_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint every five minutes counts, the minutes after it don't."""
    monkeypatch.setattr(train, "RLCARD", tmp_path)
    (tmp_path / "dmc").mkdir()
    seconds = 0.0

    def sleep(more: float) -> None:
        nonlocal seconds
        if seconds % 300 > (seconds + more) % 300:
            train.checkpoint().write_text("")
            os.utime(train.checkpoint(), (seconds, seconds))
        seconds += more

    monkeypatch.setattr(train, "monotonic", lambda: seconds)
    monkeypatch.setattr(train, "sleep", sleep)
    running_on = SimpleNamespace(poll=lambda: None)
    assert train._wait(running_on, 0.0, 7.0, 12.0)  # type: ignore[arg-type]
    assert 7 + 12 <= train.minutes_trained() < 7 + 15.5
    ended = SimpleNamespace(poll=lambda: 1)
    assert not train._wait(ended, seconds, 22.0, 12.0)  # type: ignore[arg-type]
    assert train.minutes_trained() < 7 + 15.5


def test_the_bids_that_a_bot_meets_against_itself(tmp_path: Path) -> None:
    match = small("steady", deals=30, at_least=0.5)
    found = play(match, tmp_path)
    assert 0.3 < found.difference < 1
    assert found.met[0] == pytest.approx(found.difference)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])  # as a process that was killed leaves it
    again = play(match, tmp_path)
    assert again.difference == found.difference
    assert path.read_bytes().count(b"\n") == 31


def test_games_of_a_bot_that_has_changed_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = small("easy", "steady", deals=3)
    found = play(match, tmp_path)
    assert _is_over(match, found)
    assert not _is_over(match, None)
    assert not _is_over(match, found._replace(ended="goes on"))
    assert not _is_over(match._replace(at_least=2.0), found)
    assert not _is_over(match._replace(setup=match.setup._replace(deals=4)), found)
    softer = LEVELS["easy"]._replace(softness=9.0)
    monkeypatch.setitem(LEVELS, "easy", softer)
    assert not _is_over(match, found)
    again = play(match, tmp_path)
    assert again.difference != found.difference
    assert len([*tmp_path.iterdir()]) == 2


def test_an_opponent_is_another_one_with_another_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    match = small("flat+ as hard", "steady")
    before = match.digest
    known = budgets()
    more = known["flat+ as hard"]._replace(worlds=7)
    monkeypatch.setattr(listing, "budgets", lambda: {**known, "flat+ as hard": more})
    assert match.digest != before


def test_all_bots_are_others_when_what_they_build_on_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two players alone, too: steady's moves there are not those of four."""
    match = small("medium", "easy")._replace(setup=Setup("poof+schedule:2", 2, 40))
    before = match.digest
    monkeypatch.setattr(listing, "best_move_of", lambda position: position.legal()[0])
    assert match.digest == before, "remembered"
    listing._groundwork.cache_clear()
    assert match.digest != before
    listing._groundwork.cache_clear()


@pytest.mark.parametrize("bots", [("steady",), ("steady", "random")])
def test_nobody_else_plays_the_match_meanwhile(bots: tuple[str, ...], tmp_path: Path) -> None:
    match = small(*bots, deals=2)
    play(match, tmp_path)
    (path,) = tmp_path.iterdir()
    with open_ledger(match.match, path), pytest.raises(NotAllowed):
        play(match, tmp_path)


def test_what_came_of_a_match_is_written_and_read(tmp_path: Path) -> None:
    found = play(small("steady", "random", deals=2), tmp_path)
    found.write(tmp_path / "results")
    assert read_outcomes([found.name, "none"], tmp_path / "results") == {found.name: found}


def made(bots: tuple[str, ...], difference: float, half: float, at_least: float) -> Outcome:
    interval = difference - half, difference + half
    name = f"{'-'.join(bots)}@poof-4"
    rest = "clear", (1.0, 2.0), (0.5, 0.5), 1.5, None, "0.1", "abc", "a processor", "digest"
    return Outcome(name, bots, "poof", 4, "x", at_least, None, 100, difference, interval, *rest)


@pytest.mark.parametrize(
    ("at_least", "reached", "word"),
    [(2.0, "yes", "| met |"), (3.0, "unclear", "| undecided |"), (5.0, "no", "| **missed** |")],
)
def test_the_page_says_whether_a_figure_is_met(at_least: float, reached: str, word: str) -> None:
    found = made(("hard", "steady"), 3.0, 1.0, at_least)
    assert found.reached == reached
    text = page([found], drawn=False)
    assert word in text
    assert "| `hard` |  | +3.0 |" in text
    assert "| `steady` | -3.0 |  |" in text
    assert "svg" not in text
    (left,) = (line for line in text.splitlines() if line.startswith("Not played to the end"))
    assert f"of the {len(listed())} matches" in left
    assert "`hard-medium@poof-4`" in left
    assert "`hard-steady@poof-4`" not in left


def test_the_page_in_docs_is_what_the_results_say() -> None:
    found = [*read_outcomes(each.name for each in listed()).values()]
    written = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    assert written == page(found, (ROOT / "docs" / "strength.svg").exists())


def test_the_results_are_those_of_what_a_digest_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose settings, network or groundwork (`steady`, what a seat sees as numbers, worlds
    played out) have changed since is another one: its matches are to be played again. Of how it
    chooses by its worlds a digest sees nothing. All that can be told also where an opponent cannot
    be had."""
    monkeypatch.setattr(opponents, "import_module", lambda name: pytest.fail(name))
    by_name = {each.name: each for each in listed()}
    for name, found in read_outcomes(by_name).items():
        assert found.digest == by_name[name].digest, f"delete results/{name}.json and play it again"


def test_a_result_names_the_programs_of_others() -> None:
    known = {"openspiel": ("open_spiel",), "rlcard": ("rlcard", "torch")}
    for match in listed():
        bots = [budgets()[bot].bot if bot in budgets() else bot for bot in match.bots]
        assert outcomes._foreign(match) == sum((known.get(bot, ()) for bot in bots), ())


def test_the_drawing_is_the_same_for_the_same_results(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from lab.strength.plots import draw

    found = [made(("hard", "steady"), 3.0, 1.0, 2.0), made(("medium", "easy"), 5.0, 1.0, 5.0)]
    for name in ("one.svg", "two.svg"):
        draw(found, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--processes 0", "argument --processes: 0 is not a whole number from 1"),
        ("--minutes -1", "argument --minutes: -1 is not a number above 0"),
        ("--minutes nan", "argument --minutes: nan is not a number above 0"),
        ("--only nothing", "strength: no match is called nothing"),
    ],
)
def test_a_wrong_option_is_one_clear_error(words: str, said: str) -> None:
    status, told = strength(*words.split())
    assert status == 2
    assert said in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("no [ toml", "matches.toml: "),
        ("seed = 'x'", "matches.toml: 'match' is missing"),
        ("match = 3\nbids = []", "matches.toml: "),
        (
            "hours = 1\nseed = ''\nmatch = [{bots = [], tables = [], at_least = 1, alone = true}]",
            "matches.toml: a match asks either for at_least or for alone",
        ),
        (
            "seed = 'x'\nhours = 1\n[[match]]\nbots = ['hard', 'easy']\ntables = [['no', 4, 2]]",
            "matches.toml: .*no",
        ),
    ],
)
def test_a_broken_list_is_named(
    written: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "matches.toml").write_text(written)
    monkeypatch.setattr(listing, "_LIST", tmp_path / "matches.toml")
    listing._written.cache_clear()
    try:
        with pytest.raises(Failure, match=said):
            listed()
    finally:
        listing._written.cache_clear()


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"name": "x"}'])
def test_a_broken_result_is_named(written: str, tmp_path: Path) -> None:
    (tmp_path / "a-b@poof-4.json").write_text(written)
    with pytest.raises(Failure, match=r"a-b@poof-4\.json is damaged; without it"):
        read_outcomes(["a-b@poof-4"], tmp_path)
