"""The file of a match: it goes on where it stopped, and takes no other match."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.comparing import untimed
from rage import NotAllowed, NotReadable
from rage.arena import Match, Played, open_ledger, plan, play_all

MATCH = Match.of(("steady", "random"), "poof+schedule:2.1", 3, "x")


def write(path: Path, deals: int, match: Match = MATCH) -> list[Played]:
    with open_ledger(match, path) as ledger:
        missing = [each for each in plan(match, deals) if each not in ledger.done]
        for each in play_all(match, missing, 1):
            ledger.add(each)
        return ledger.games


def test_more_deals_go_on_from_fewer(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write(path, 1)
    before = path.read_bytes()
    assert untimed(write(path, 3)) == untimed([*play_all(MATCH, plan(MATCH, 3), 1)])
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("kept", [0, 1, 30, 200, 431, 900])
def test_whatever_a_killed_process_has_written_it_goes_on(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "match.jsonl"
    games = write(path, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    again = write(path, 1)
    assert sorted(untimed(again)) == sorted(untimed(games))
    lines = path.read_bytes().splitlines()
    assert len(lines) == 1 + len(games)
    assert lines[0] == whole.splitlines()[0]


@pytest.mark.parametrize(
    "other",
    [
        MATCH._replace(seed="y"), MATCH._replace(players=4), MATCH._replace(rules="poof"),
        MATCH._replace(bots=("random", "steady")), MATCH._replace(bots=("steady", "flat")),
    ],
)  # fmt: skip
def test_the_file_of_another_match_is_refused(tmp_path: Path, other: Match) -> None:
    path = tmp_path / "match.jsonl"
    write(path, 1)
    before = path.read_bytes()
    with (
        pytest.raises(NotAllowed, match=r"steady random, poof.*, 3 players, seed x"),
        open_ledger(other, path),
    ):
        pass
    assert path.read_bytes() == before


def test_the_file_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    write(path, 1)
    before = path.read_bytes()
    monkeypatch.setattr("rage.arena.ledger.__version__", "0.0.1")
    with pytest.raises(NotAllowed), open_ledger(MATCH, path):
        pass
    assert path.read_bytes() == before


def test_games_by_another_network_are_games_of_other_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    match = Match.of(("medium", "random"), "poof+schedule:1", 3, "x")
    write(path, 1, match)
    write(path, 2, match)
    monkeypatch.setattr(Match, "network", "another")
    assert MATCH.network == "another"
    with pytest.raises(NotAllowed, match="by another network"), open_ledger(match, path):
        pass


@pytest.mark.parametrize(
    "text",
    ["diary", "diary\n", "[]\n", '{"format": "x"}\n', "\n", "\xff\n", "[" * 100_000 + "\n"],
)
def test_a_file_of_anything_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with (
        pytest.raises(NotReadable, match="does not hold a match of the arena"),
        open_ledger(MATCH, path),
    ):
        pass
    assert path.read_bytes() == text.encode("latin-1")


def line(seating: str, points: str) -> str:
    """A game as the file has it, for better or worse."""
    three = '"winners":[1],"met":[0,0,0],"moves":[1,1,1],"ms":[1,1,1],"cpu_ms":[1,1,1]'
    return f'{{"deals":0,"seating":{seating},"points":{points},{three}}}'


@pytest.mark.parametrize(
    "written",
    [
        "x",
        "{}",
        "[]",
        '{"deals": 0}',
        line("[0,1]", "[1,2]"),
        line("[0,0,0]", "[1,2,3]"),
        line("[0,1,1]", '[1,2,"3"]'),
        line("[0,1,1]", "[1,2,3]").replace("[1]", "[]"),
        line("[0,1,1]", "[1,2,3]").replace("[1]", "[3]"),
        line("[0,1,1]", "[1,2,3]").replace("[1]", "[1,1]"),
        line("[0,1,1]", "[1,2,3]").replace(":0,", ":-1,"),
        line("[0,1,1]", "[1,2,3]").replace("[0,0,0]", "[0,-1,0]"),
        line("[0,1,1]", "[1,2,3]").replace("[0,0,0]", "[0,9,0]"),
        line("[0,1,1]", "[1,2,3]").replace('"moves":[1,1,1]', '"moves":[1,0,1]'),
        line("[0,1,1]", f"[1,2,{'9' * 400}]"),
        line("[0,1,1]", "[1,2,3]").replace('"ms":[1,1,1]', '"ms":[1,NaN,1]'),
        line("[0,1,1]", "[1,2,3]").replace('"ms":[1,1,1]', f'"ms":[1,1,{"9" * 400}]'),
        line("[0,1,1]", "[1,2,3]").replace('"ms":[1,1,1]', '"ms":[1,1,-1]'),
        "[" * 100_000,
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, written: str) -> None:
    path = tmp_path / "match.jsonl"
    write(path, 1)
    with path.open("a") as file:
        file.write(written + "\n")
    with pytest.raises(NotReadable, match="damaged in line 8"), open_ledger(MATCH, path):
        pass


def test_two_matches_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with (
        open_ledger(MATCH, path),
        pytest.raises(NotAllowed, match="in use"),
        open_ledger(MATCH, path),
    ):
        pass
