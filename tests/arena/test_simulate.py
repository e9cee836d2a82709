"""``rage simulate``: its rows are the games, whoever plays them, and its files are whole."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from rage.arena.data import simulation as simulating
from rage.arena.data.parquet import digest_of, make_part
from rage.arena.data.schema import TABLES, WIDE
from rage.arena.data.simulation import Simulation, simulate
from rage.bots import OFFERED
from rage.cli import main
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.envs import Episode
from rage.rules.cards import CARD_CODES, MOVE_CODES
from rage.rules.editions import ruleset
from refusals import refused
from tools.generated import columns as columns_of
from uncompiled import run_uncompiled

Captured = pytest.CaptureFixture[str]
SHORT = "amigo+schedule:3.2"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAGE_LANG", "en")
    monkeypatch.chdir(tmp_path)


def of(*bots: str, rules: str = SHORT, players: int = 4, seed: str = "7") -> Simulation:
    return Simulation.of(rules, players, bots, seed)


def rows_of(folder: str, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(Path(folder, table)).to_pylist()
    return found


def digest_told(captured: Captured) -> str:
    (digest,) = re.findall(r"[0-9a-f]{64}", captured.readouterr().out)
    return str(digest)


@pytest.mark.parametrize(
    ("rules", "players"),
    [(SHORT, 4), ("poof+two-teams+secret-bids", 4), ("fundex+volatile+schedule:4", 6)],
)
def test_the_rows_are_the_game_that_they_tell(rules: str, players: int) -> None:
    """Played again from its deals and moves, it has the same hands, legal moves and results."""
    chosen = Rules(ruleset(rules), players)
    which = of("steady", "random", rules=rules, players=players)
    rows = simulate(which, 5, 2)
    made, over = rows.tables["decisions"], rows.tables["rounds"]
    at = end = 0
    for number in (5, 6):
        position = Position(chosen)
        dealt = Episode(chosen, which.number, number)
        while position.phase != Phase.OVER:
            dealt.deal(position)
            before = position.scores
            begun = at
            while (seat := position.to_act) is not None:
                legal = made["legal_low"][at] | made["legal_high"][at] << 64
                assert [move for move in range(128) if legal >> move & 1] == position.legal_moves
                held = made["hand_low"][at] | made["hand_high"][at] << 64
                assert [card for card in range(96) if held >> card & 1] == [
                    card for card in position.hand(seat) if card < 96
                ]
                assert (made["game"][at], made["seat"][at]) == (number, seat)
                assert made["round"][at] == position.round + 1
                assert made["trump"][at] == (6 if position.trump is None else position.trump)
                position.play(made["move"][at])
                at += 1
            gained = [b - a for a, b in zip(before, position.scores, strict=True)]
            for i in range(begun, at):
                assert made["points"][i] == gained[made["seat"][i] % which.sides]
            for seat in range(players):
                assert over["bid"][end] == position.bids[seat]
                assert over["won"][end] == position.won[seat]
                assert over["score"][end] == position.scores[seat % which.sides]
                end += 1
    assert (at, end) == (len(made["move"]), len(over["seat"]))


def test_a_bot_in_the_compiled_loop_plays_as_it_does_by_views(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    which = of("steady", rules="poof")
    compiled = digest_of(simulate(which, 3, 2))
    monkeypatch.setattr(simulating, "_COMPILED", frozenset[str]())
    assert digest_of(simulate(which, 3, 2)) == compiled


def test_the_deals_do_not_depend_on_the_bots_or_on_the_first_game() -> None:
    hands = []
    for which, first in ((of("steady"), 0), (of("random"), 0), (of("easy", "random"), 2)):
        rows = simulate(which, first, 4 - first).tables["decisions"]
        dealt = zip(rows["game"], rows["trick"], rows["hand_low"], rows["hand_high"], strict=True)
        hands.append([each for each in dealt if each[0] > 1 and each[1] == 0])
    assert hands[0] == hands[1] == hands[2]
    other = simulate(of("steady", seed="8"), 2, 2).tables["decisions"]["hand_low"]
    assert [low for _, _, low, _ in hands[0]][:4] != [*other[:4]]


def test_uncompiled_the_rows_are_the_same(tmp_path: Path) -> None:
    program = """
from rage.arena.data.parquet import digest_of
from rage.arena.data.simulation import Simulation, simulate
which = Simulation.of("amigo+schedule:3.2", 4, ("steady", "random"), "7")
print(digest_of(simulate(which, 1, 2)))
"""
    told = run_uncompiled(tmp_path / "plain", program)
    assert told == digest_of(simulate(of("steady", "random"), 1, 2))


def test_equal_commands_write_equal_rows_in_parts_by_any_number_of_processes(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "_GAMES", 10)
    words = ["simulate", "--rules", SHORT, "--bots", "steady,random"]
    assert main([*words, "--games", "25", "--out", "one", "--processes", "1"]) == 0
    digest = digest_told(capsys)
    assert main([*words, "--games", "12", "--out", "two", "--processes", "1"]) == 0
    assert digest_told(capsys) != digest
    Path("two/rounds/part-00000.parquet").unlink()  # as if cut off
    Path("two/games/part-00001.parquet").write_bytes(b"PAR1")
    Path("two/games/part-00002.parquet0a1b.part").touch()  # as if killed
    assert main([*words, "--games", "25", "--out", "two", "--processes", "1"]) == 0
    assert digest_told(capsys) == digest
    for table in TABLES:
        assert rows_of("one", table) == rows_of("two", table)
        assert len(list(Path("two", table).iterdir())) == 3
    games = rows_of("two", "games")
    assert [each["game"] for each in games] == [game for game in range(25) for _ in range(4)]
    assert [each["bot"] for each in games[:4]] == ["steady", "random", "steady", "random"]


def test_the_winners_are_those_with_the_most_points() -> None:
    which = of("random", rules="poof+two-teams+schedule:2.1")
    part = make_part(which, 0, 20, wide=False)
    Path("games.parquet").write_bytes(part.files["games"])
    games = defaultdict[int, list[dict[str, Any]]](list)
    for row in parquet.read_table("games.parquet").to_pylist():
        assert row["side"] == row["seat"] % 2
        games[row["game"]].append(row)
    for rows in games.values():
        most = max(row["points"] for row in rows)
        assert [row["winner"] for row in rows] == [row["points"] == most for row in rows]


def test_wide_rows_say_in_codes_what_the_bits_say() -> None:
    part = make_part(of("steady", "random"), 0, 5, wide=True)
    Path("decisions.parquet").write_bytes(part.files["decisions"])
    assert part.digest == make_part(of("steady", "random"), 0, 5, wide=False).digest
    for row in parquet.read_table("decisions.parquet").to_pylist():
        assert row["move_code"] == MOVE_CODES[row["move"]] in row["legal"].split()
        legal = row["legal_low"] | row["legal_high"] << 64
        assert row["legal"].split() == [MOVE_CODES[at] for at in range(128) if legal >> at & 1]
        held = row["hand_low"] | row["hand_high"] << 64
        kinds = [
            CARD_CODES[96 + kind] for kind in range(5) for _ in range(held >> 112 + 3 * kind & 7)
        ]
        assert row["hand"].split() == [CARD_CODES[at] for at in range(96) if held >> at & 1] + kinds


def test_the_page_and_the_files_describe_every_column() -> None:
    assert columns_of.page() == columns_of.PAGE.read_text("utf-8"), "run make generated"
    part = make_part(of("steady"), 0, 1, wide=True)
    for table, columns in TABLES.items():
        columns += WIDE if table == "decisions" else ()
        Path("t.parquet").write_bytes(part.files[table])
        found = parquet.read_schema("t.parquet")
        assert found.names == [each.name for each in columns]
        for column, field in zip(columns, found, strict=True):
            assert field.nullable == column.nullable
            assert field.metadata[b"says"].decode() == column.says
            text = column.type in ("colour", "bot", "code", "string")
            named = "text" if text else column.type
            assert str(field.type) == named or text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "--seed 8",
            "done holds another simulation: steady steady steady steady, amigo+schedule:3.2",
        ),
        ("--bots random", "done holds another simulation: steady"),
        ("--wide", "done holds a simulation without --wide"),
        ("--out other", "other holds other files; name a new folder"),
        ("--out strange", "strange does not hold a simulation"),
        ("--out file", "file: Not a directory"),
        ("--games 1 --out more", "more holds more than 1 game;"),
        ("--games 9999999999", "--games must be 1000000000 or less, not 9999999999"),
        ("--games 0", "--games must be 1 or more, not 0"),
        ("--bots nobody", "there is no bot called nobody"),
        ("--bots ,", "no bots named"),
        ("--bots steady,random,steady,random,steady", "5 bots for 4 seats"),
        ("--players 9", "9"),
        ("--cluster auto --processes 2", "--processes is for this machine"),
        ("--cluster nowhere", "nowhere is not the address of a cluster"),
    ],
)
def test_a_refusal_is_a_line_and_changes_nothing(words: str, said: str, capsys: Captured) -> None:
    command = ["simulate", "--rules", SHORT, "--games", "1", "--out", "done"]
    assert main(command) == 0
    capsys.readouterr()
    for name, file in (("other", "notes.txt"), ("strange", "simulation.json")):
        Path(name).mkdir()
        Path(name, file).write_text("{}")
    Path("file").write_text("mine")
    assert main([*command[:4], "2", "--out", "more"]) == 0
    capsys.readouterr()
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    if "nowhere" in words:
        command += ["--games", "2"]
    assert said in refused(capsys, *command, *words.split())
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_without_pyarrow_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["simulate", "--games", "1", "--out", "none"]) == 1
    assert "[data]" in capsys.readouterr().err
    assert not Path("none").exists()


def test_a_full_disk_is_said_and_leaves_no_half_file(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["simulate", "--rules", SHORT, "--games", "1", "--out", "full"]) == 1
    assert capsys.readouterr().err == "rage: full: No space left on device\n"
    assert not [path for path in Path("full").rglob("*") if path.suffix in (".part", ".parquet")]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("stop", "ended", "status"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_what_is_stopped_goes_on_with_the_same_command(
    stop: Callable[[int, int], None], ended: int, status: int, capsys: Captured
) -> None:
    words = ["simulate", "--rules", SHORT, "--bots", "easy", "--games", "300", "--out", "cut"]
    program = "from rage.cli import main; raise SystemExit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words, "--processes", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(Path().glob("cut/games/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    stop(process.pid, ended)
    out, err = process.communicate(timeout=60)
    if process.returncode:  # unless it had ended already
        assert (process.returncode, out) == (status, "")
        assert err.startswith("rage: stopped; the parts written are in cut")
        assert err.count("\n") == 1
    assert main([*words, "--processes", "1"]) == 0
    digest = digest_told(capsys)
    assert main([*words[:-1], "whole", "--processes", "1"]) == 0
    assert digest_told(capsys) == digest
    assert rows_of("cut", "decisions") == rows_of("whole", "decisions")


@pytest.mark.parametrize("table", TABLES)
def test_a_part_with_a_byte_changed_is_played_again(table: str, capsys: Captured) -> None:
    words = ["simulate", "--rules", SHORT, "--games", "5", "--out", "some"]
    assert main(words) == 0
    digest = digest_told(capsys)
    (file,) = Path("some", table).iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), len(whole) // 7):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert main(words) == 0
        assert digest_told(capsys) == digest
        assert file.read_bytes() == whole


def test_completion_and_help_know_the_bots(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    said = capsys.readouterr().out
    assert all(f"  {name}\n" in said for name in OFFERED)
