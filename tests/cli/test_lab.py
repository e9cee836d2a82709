"""``rage lab`` as it is typed, and what its measures are."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from rage.arena.data.variants import Played, Study, evaluate, play_sets, shares
from rage.arena.data.variants import _sums as sums_of
from rage.cli import main
from rage.say import LANGUAGES
from refusals import refused

Captured = pytest.CaptureFixture[str]
SHORT = "amigo+schedule:3.2"


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def lab(*words: str) -> int:
    return main(["lab", "--rules", SHORT, "--deals", "30", *words])


def test_a_rule_that_adds_points_is_seen_set_by_set(capsys: Captured) -> None:
    assert lab("--against", f"{SHORT}+sweep", "--json", "--processes", "1") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["same_deals"] is True
    assert found["rules"] == [SHORT, "amigo+sweep+schedule:3.2"]
    measures = found["measures"]
    assert measures["moves"]["difference"]["mean"] == 0
    assert measures["moves"]["values"][0]["mean"] == 4 * (4 + 3)
    assert measures["points"]["difference"]["mean"] > 0
    low, high = measures["points"]["values"][0]["interval_95"]
    apart = measures["points"]["difference"]["interval_95"]
    assert apart[1] - apart[0] < (high - low) / 2  # because the deals are the same
    for at in (0, 1):
        parts = [measures[name]["values"][at]["mean"] for name in ("skill", "cards", "rest")]
        assert sum(parts) == pytest.approx(1)
    assert measures["skill"]["values"][0]["mean"] > 0.1


def test_the_table_is_the_same_by_any_number_of_processes(capsys: Captured) -> None:
    words = ["--against", "poof+schedule:3.2", "--plot", "lab.svg"]
    assert lab(*words, "--processes", "1") == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{SHORT} against poof+schedule:3.2, 4 players, 30 sets of deals, ")
    assert "The deals are not the same" in told
    assert "share of skill" in told
    assert Path("lab.svg").read_bytes().startswith(b"<?xml")
    assert lab(*words[:2], "--processes", "2") == 0
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_languages(language: str, capsys: Captured) -> None:
    words = ["lab", "--rules", SHORT, "--against", f"{SHORT}+sweep", "--deals", "1"]
    words += ["--processes", "1"]
    assert main(["--lang", language, *words]) == 0
    assert "±" not in capsys.readouterr().out  # one set has no interval


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"--against {SHORT}", f"--rules and --against both name {SHORT}"),
        ("--against poof --bots steady", "--bots takes two different bots"),
        ("--against poof --bots steady,steady", "--bots takes two different bots"),
        ("--against nothing", "nothing"),
        ("--against poof --deals 0", "--deals must be 1 or more, not 0"),
        ("--against fundex --players 8", "fundex is for 2 to 6 players"),
        ("--against poof --plot lab.txt", "lab.txt should end in .svg"),
    ],
)
def test_a_refusal_is_one_line(words: str, said: str, capsys: Captured) -> None:
    assert said in refused(capsys, "lab", "--rules", SHORT, *words.split())


def test_the_shares_are_those_that_the_leads_are_made_of() -> None:
    """Leads drawn as skill, cards and the rest, each with a variance that is known."""
    draw = random.Random(1)
    sets = []
    for _ in range(20_000):
        cards = draw.gauss(0, 2)
        one, other = (draw.gauss(sign * 3 + cards, 1) for sign in (1, -1))
        sets.append(Played((), (one,), (other,)))
    assert shares(sums_of(sets)) == pytest.approx((9 / 14, 4 / 14, 1 / 14), abs=0.01)


def test_an_interval_of_shares_holds_what_many_sets_come_to() -> None:
    study = Study.of(SHORT, f"{SHORT}+sweep", 3, ("steady", "random"), "5")
    many = shares(sums_of(play_sets(study, 0, 0, 2000)[2]))
    some = [play_sets(study, which, 2000, 100)[2] for which in (0, 1)]
    for measured, true in zip(evaluate(some)[-3:], many, strict=True):
        value = measured.values[0]
        assert value.half_99 is not None
        assert abs(value.mean - true) < 1.3 * value.half_99
