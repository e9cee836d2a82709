"""``rage arena`` as it is typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rage.cli import main
from refusals import refused

Captured = pytest.CaptureFixture[str]
SHORT = "poof+schedule:2.1"


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def arena(*words: str) -> subprocess.Popen[str]:
    program = "from rage.cli import main; raise SystemExit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", program, "arena", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def test_a_match_is_played_and_told_in_json() -> None:
    begun = time.monotonic()
    process = arena("steady", "random", "--deals", "4", "--json")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    data = json.loads(out)
    (pair,) = data["pairs"]
    assert pair["bots"] == ["steady", "random"]
    assert 20 < pair["difference"] < 60
    assert pair["interval_95"][0] > 0
    assert pair["deals"] == 4
    assert data["games"] == 4 * 8
    assert 0 < pair["ms_per_move"]["steady"] < 1000 * (time.monotonic() - begun)
    assert data["ratings"]["steady"]["mu"] > data["ratings"]["random"]["mu"]


def test_a_match_is_told_in_tables(capsys: Captured) -> None:
    words = ["steady", "random", "flat", "--rules", SHORT, "--players", "3", "--deals", "2"]
    assert main(["arena", *words, "--processes", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{SHORT}, 3 players, 2 sets of deals, 42 games, seed 1"
    assert lines[2].split()[:2] == ["two", "bots"]
    assert lines[3].startswith("steady - random ")
    assert "points at mixed tables" in lines[7]
    assert [line.split()[0] for line in lines[8:]] == ["steady", "random", "flat"]
    assert len({*map(len, lines[2:6])}) == len({*map(len, lines[7:])}) == 1


def test_numbers_have_the_decimal_sign_of_the_language(capsys: Captured) -> None:
    for language, sign in (("en", "."), ("de", ","), ("es", ",")):
        words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "3"]
        assert main(["--lang", language, *words, "--processes", "1"]) == 0
        found = re.findall(r"\d([.,])\d", capsys.readouterr().out.partition("\n\n")[2])
        assert {*found} == {sign}


def test_a_file_is_gone_on_with_and_another_match_refused(capsys: Captured) -> None:
    words = ["arena", "steady", "random", "--rules", SHORT, "--out", "m.jsonl", "--processes", "1"]
    assert main([*words, "--deals", "2", "--json"]) == 0
    first = capsys.readouterr().out
    played = Path("m.jsonl").read_bytes()
    assert main([*words, "--deals", "2", "--json"]) == 0
    again, whole = (json.loads(each)["pairs"][0] for each in (capsys.readouterr().out, first))
    for times in ("ms_per_move", "cpu_ms_per_move"):  # the file rounds them
        assert again.pop(times) == pytest.approx(whole.pop(times), rel=0.1)
    assert again == whole
    assert Path("m.jsonl").read_bytes() == played
    assert main([*words, "--deals", "2", "--seed", "2"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("rage: m.jsonl holds another match: steady random, poof")
    assert said.count("\n") == 1


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_with_nohup_a_match_outlives_its_terminal() -> None:
    words = ["steady", "flat", "--deals", "4", "--processes", "2", "--out", "m.jsonl", "--json"]
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which its processes inherit
    try:
        process = arena(*words)
    finally:
        signal.signal(signal.SIGHUP, before)
    deadline = time.monotonic() + 60
    while lines_of(Path("m.jsonl")) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGHUP)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert json.loads(out)["pairs"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_match_that_is_stopped_goes_on_and_leaves_no_process(stop: signal.Signals) -> None:
    words = ["steady", "flat", "--deals", "6", "--processes", "2", "--out", "m.jsonl", "--json"]
    process = arena(*words)
    path = Path("m.jsonl")
    deadline = time.monotonic() + 60
    while lines_of(path) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    if stop == signal.SIGINT:  # as a terminal sends it: to all processes at once
        os.killpg(process.pid, stop)
    else:
        process.send_signal(stop)
    out, err = process.communicate(timeout=60)  # its children hold its output, too
    assert out == ""
    if stop == signal.SIGINT:
        assert process.returncode == 130
        assert err == (
            "rage: stopped; the games played are in m.jsonl, "
            "and the same command continues the match\n"
        )
    played = path.read_bytes()
    whole = played[: played.rindex(b"\n") + 1]
    assert 4 <= whole.count(b"\n") < 49
    process = arena(*words)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert path.read_bytes().startswith(whole)
    assert json.loads(out)["games"] == 48 == lines_of(path) - 1


def test_a_team_game_has_the_players_that_make_its_teams(capsys: Captured) -> None:
    words = ["steady", "random", "--rules", f"{SHORT}+three-teams", "--deals", "1", "--json"]
    assert main(["arena", *words, "--processes", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["players"] == 6
    assert main(["deal", "--rules", "poof+three-teams", "--seed", "1", "--round", "1"]) == 0
    assert "seat 5: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("steady", "two bots or more"),
        ("steady stedy", "no bot called stedy"),
        ("steady steady", "named twice"),
        ("steady random --deals 0", "--deals must be 1 or more, not 0"),
        ("steady random --processes -1", "--processes must be 1 or more, not −1"),
        ("steady random --players 9", "9"),
        ("steady random --rules amigo --players 2", "2"),
        ("steady random --out nowhere/m.jsonl", "nowhere/m.jsonl: No such file"),
        ("steady random --rules poof+schedule:1 --deals 1 --out .", ".: "),
        # Some have no end: it read them until the memory was full.
        ("steady random --deals 1 --out /dev/full", "/dev/full is not a file that can hold games"),
        ("steady random --plot m.gif", "m.gif should end in .svg, .png or .pdf"),
        ("steady random --until-clear nan", "--until-clear is a number of points, not nan"),
        ("steady random --until-clear=-inf", "--until-clear is a number of points, not −inf"),
        ("steady random flat --until-clear 1", "--until-clear is for two bots"),
        ("steady program:./nothing --deals 1", "program:./nothing cannot be started"),
        ("steady python:nothing:Bot", "python:nothing:Bot cannot be loaded"),
    ],
)
def test_what_cannot_be_played_is_one_clear_error(words: str, said: str, capsys: Captured) -> None:
    assert said in refused(capsys, "arena", *words.split())


def test_it_stops_as_soon_as_it_is_clear(capsys: Captured, tmp_path: Path) -> None:
    """Only ``--deals`` bounds it otherwise; and from its file it knows that it has stopped."""
    path = tmp_path / "m.jsonl"
    short = ["--rules", "poof+schedule:2", "--players", "2", "--processes", "1"]
    words = ["arena", "steady", "random", *short, "--until-clear", "0", "--out", str(path)]
    assert main([*words, "--deals", "400"]) == 0
    out = capsys.readouterr().out
    assert "clearly different from 0" in out
    assert "not clearly different" not in out
    games = lines_of(path) - 1
    assert 40 <= games < 800
    assert main([*words, "--deals", "400", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == games == lines_of(path) - 1
    assert found["pairs"][0]["sequence_95"][0] > 0
    assert main([*words, "--deals", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["deals"] == 3, "no more than is asked for, though the file has more"
    assert main([*words[:-2], "--until-clear", "3", "--deals", "20"]) == 0
    assert "not clearly different from 3" in capsys.readouterr().out
    assert main([*words[:-2], "--deals", "2"]) == 0
    assert "only after 20 sets of deals" in capsys.readouterr().out


def test_a_bar_shows_how_far_it_is_only_on_a_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "2", "--processes", "1"]
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "Playing" in err
    assert "16/16" in err
    assert "Playing" not in out


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_differences_are_drawn(kind: str, capsys: Captured) -> None:
    words = ["arena", "steady", "random", "--rules", SHORT, "--deals", "3", "--processes", "1"]
    words += ["--seed", r"$\nothing$"]  # it is no mathematics
    assert main([*words, "--plot", f"m.{kind}", "--lang", "de"]) == 0
    data = Path(f"m.{kind}").read_bytes()
    assert data.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind])
    assert main([*words, "--plot", f"missing/m.{kind}"]) == 2
    assert f"missing/m.{kind}" in capsys.readouterr().err


def test_a_match_of_any_number_of_deals_begins_at_once(tmp_path: Path) -> None:
    """It made a list of all games first."""
    out = tmp_path / "match.jsonl"
    many = ["--rules", SHORT, "--deals", str(10**15), "--until-clear", "0"]
    process = arena("steady", "random", *many, "--out", str(out), "--processes", "1")
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.read_bytes().count(b"\n") > 20
