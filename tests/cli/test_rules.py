"""``rage rules``: rules, differences, settings and the box, at the command line."""

from __future__ import annotations

import io
import re

import pytest

from rage.cli import main
from rage.rules.editions import PRESETS, ruleset
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import LABORATORY, PRINTED, SETTINGS
from refusals import refused


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["rules", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_without_a_name_it_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys)
    starts = [
        line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "
    ]
    assert status == 0
    assert starts == [*PRINTED, *VARIANTS, *PRESETS]


def test_it_prints_the_rules_in_chapters(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "amigo+sweep", "--players", "4")
    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert status == 0
    assert heads == [
        "Rage (AMIGO 00990) + Winner takes all: the rules",
        "The goal",
        "Terms",
        "The cards",
        "The deal",
        "Bidding",
        "Action cards",
        "Play",
        "Rulings for disputes",
        "Scoring a round",
        "The end of the game",
        "An example round",
        "Variants in force",
    ]
    assert "  - Players: 4.\n" in out
    assert max(map(len, out.splitlines())) <= 80


def test_unlike_prints_the_differences_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "poof", "--unlike", "fundex") == (
        0,
        (
            "poof, unlike fundex:\n  - it is for 2 to 8 players\n"
            "  - among players level on points, the one who met more bids wins\n"
        ),
        "",
    )
    assert run(capsys, "poof", "--unlike", "poof") == (
        0,
        "poof and poof have the same rules.\n",
        "",
    )


def test_settings_have_meaning_values_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--settings")
    assert status == 0
    for setting in SETTINGS:
        assert (f"\n  {setting.name} " in "\n" + out) == (setting.name not in LABORATORY)
    assert out.count("allowed: ") == out.count("source: ") == len(SETTINGS) - len(LABORATORY)


def test_each_setting_shows_how_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--settings", "amigo")
    examples = re.findall("written: (.*)", out)
    assert len(examples) == len(SETTINGS) - len(LABORATORY)
    assert "schedule:10.9.8.7.6.5.4.3.2.1" in examples
    assert ruleset("+".join(["amigo", *examples])) == ruleset("amigo")


@pytest.mark.parametrize(
    ("typed", "edition"),
    [
        ("1\n", "poof"),
        ("2\n", "amigo"),
        ("3\n1\n", "fundex"),
        ("3\n2\n", "poof"),
        ("3\n3\n2\n", "fundex"),
        ("4\n1\n", "amigo"),
        ("4\n2\n1\n", "fundex"),
        ("4\n\nseven\n0\n9\n2\n 2 \n", "poof"),
        ("4\n3\n4\n1\n1", "poof"),
    ],
)
def test_which_box(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, edition: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status, out, _ = run(capsys, "--which")
    assert status == 0
    said = " ".join(out.split())
    assert said.endswith(f"To play by its rules: rage play --rules {edition}")
    assert ("what Wikipedia says of the Fundex edition" in said) == (edition == "fundex")


@pytest.mark.parametrize("typed", ["", "4\n", "4\n2\n", "4\n3\n4\n3\n4\n", "x\n" * 5])
def test_which_box_when_the_input_ends_or_nothing_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status, out, err = run(capsys, "--which")
    assert (status, err) == (1, "")
    assert "It may be one of several: " in out
    assert "unlike" in out


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["nonsense"], 2),
        (["--unlike", "poof"], 2),
        (["amigo", "--lang", "xx"], 2),
        (["amigo", "--players", "2"], 1),
        (["poof+miss:-101"], 1),
        (["poof", "--unlike", "oh_hell"], 2),
        (["poof+colours:4"], 2),
        (["poof", "--which"], 1),
        (["--players", "4"], 1),
        (["poof", "--unlike", "amigo", "--players", "4"], 1),
        (["--settings", "--players", "4"], 1),
        (["--which", "--players", "4"], 1),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int
) -> None:
    refused(capsys, "rules", *words, status=status)


def test_an_unknown_name_gets_the_list_of_what_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refused(capsys, "rules", "chess", status=2)
    assert all(name in said for name in (*PRINTED, *VARIANTS, *PRESETS))
