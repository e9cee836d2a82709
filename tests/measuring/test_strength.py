"""The matches of lab/strength: listed rightly, resumed, and a page of what was run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from lab.benchmarks.progress import Failure
from lab.strength import __main__ as command
from lab.strength import listing, opponents
from lab.strength import outcome as outcomes
from lab.strength.__main__ import _is_over
from lab.strength.listing import Listed, Setup, arena_name, budgets, listed
from lab.strength.outcome import Outcome, hours_of, read_outcomes
from lab.strength.page import page
from lab.strength.running import least_sets, run
from rage import Game, View
from rage.arena import Played
from rage.bots import BOTS
from rage.bots.custom import any_bot
from rage.bots.learned import LEVELS

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
                assert chosen in first_view().legal_moves
        assert 20 <= least_sets(each) <= each.setup.deals


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


def test_hours_are_those_of_the_processor_and_not_of_the_clock() -> None:
    """On a busy machine the clock runs twice as fast."""
    four = (1.0, 1.0, 1.0, 1.0)
    game = Played(0, (0, 1, 1, 1), (1, 0, 0, 0), (0,), (1, 1, 1, 1), (9, 9, 9, 9), four, four)
    assert hours_of([game._replace(seconds=(900.0,) * 4)]) == pytest.approx(4 / 3600)
    assert hours_of([game._replace(worked=(900.0,) * 4)]) == pytest.approx(1)


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


def test_all_bots_are_others_when_what_they_build_on_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two players alone, too: steady's moves there are not those of four."""
    match = small("medium", "easy")._replace(setup=Setup("poof+schedule:2", 2, 40))
    before = match.digest
    monkeypatch.setattr(listing, "best_move_of", lambda position: position.legal_moves[0])
    assert match.digest == before, "remembered"
    listing._groundwork.cache_clear()
    assert match.digest != before
    listing._groundwork.cache_clear()


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


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"name": "x"}'])
def test_a_broken_result_is_named(written: str, tmp_path: Path) -> None:
    (tmp_path / "a-b@poof-4.json").write_text(written)
    with pytest.raises(Failure, match=r"a-b@poof-4\.json is damaged; without it"):
        read_outcomes(["a-b@poof-4"], tmp_path)
