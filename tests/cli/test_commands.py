"""``rage replay``, ``convert``, ``deal`` and ``verify`` as they are typed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

import rage.engine.deal
import rage.rules.cards
from rage.cli import main
from rage.engine.deal import commitment
from rage.notation import record_of, write_record
from refusals import refused
from server.running import free_port

RECORDS = Path(__file__).parent.parent / "records"
EXAMPLE = str(RECORDS / "poof-example.rage.json")

Captured = pytest.CaptureFixture[str]


SEED = b"a table of friends"


def played(path: Path, **fields: object) -> Path:
    """A record of a short game, all deals from its seed."""
    game = rage.Game("fundex+schedule:2.1", ["Ann", "Ben"], seed=SEED, words=["x", ""])
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    said = {"seed": SEED.hex(), "words": ["x", None], "commitment": commitment(SEED), **fields}
    path.write_bytes(write_record(record_of(game, **said)))
    return path


def test_replay_shows_the_game_trick_by_trick(capsys: Captured) -> None:
    assert main(["replay", EXAMPLE]) == 0
    out = capsys.readouterr().out
    assert "B wins the trick: yellow is trump, and Y0 is the only yellow." in out
    assert "C plays Change Rage to red." in out
    assert "C bid 1, won 1: met, 16 points." in out


def test_replay_stops_at_a_move_and_shows_every_hand(capsys: Captured) -> None:
    assert main(["replay", EXAMPLE, "--stop", "7.2.1"]) == 0
    out = capsys.readouterr().out
    assert "C holds R15, Change Rage, Out Rage." in out
    named = [f"Change Rage to {colour}" for colour in ("red", "orange", "green", "blue", "purple")]
    assert f"Legal: {', '.join(['R15', *named, 'Out Rage'])}\n" in out
    assert "G12 is the" not in out


def test_a_card_has_one_spelling_in_a_language(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In German G is yellow and Gr green; in a record G is green."""
    monkeypatch.setenv("RAGE_LANG", "de")
    assert main(["replay", EXAMPLE, "--stop", "7.1"]) == 0
    said = capsys.readouterr().out
    assert "B hat O7, Gr10, Wild Rage." in said
    assert "Erlaubt: O7, Gr10, Wild Rage (Rot), " in said
    letters = re.findall(r"\b([A-Z][a-z]?)(?:1[0-5]|[0-9])\b", said)
    assert {"Gr", "G"} <= set(letters) <= {"R", "O", "G", "Gr", "B", "L"}


def test_before_the_last_bid_the_legal_moves_are_bids(capsys: Captured, tmp_path: Path) -> None:
    game = rage.Game("fundex+schedule:2.1", ["Ann", "Ben"], seed=SEED)
    path = tmp_path / "bidding.rage.json"
    game.play("1")
    path.write_bytes(write_record(record_of(game)))
    assert main(["replay", str(path), "--stop", "1"]) == 0
    assert "Legal bids: 0, 1, 2\n" in capsys.readouterr().out


def test_a_deal_is_written_with_the_letters_of_the_language(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = {}
    for language in ("en", "de"):
        monkeypatch.setenv("RAGE_LANG", language)
        assert main(["deal", "--seed", "x", "--round", "10"]) == 0
        deals[language] = [line.split(": ")[-1] for line in capsys.readouterr().out.splitlines()]
    letters = {"Y": "G", "G": "Gr", "P": "L"}
    for english, german in zip(deals["en"][3:], deals["de"][3:], strict=True):
        assert german.split() == [letters.get(c[0], c[0]) + c[1:] for c in english.split()]


def test_where_replay_has_stopped_is_said_in_words(capsys: Captured) -> None:
    for stop, said in [
        ("7", "Stopped before the first card of round 7."),
        ("7.2.1", "Stopped at round 7, trick 2, card 1."),
    ]:
        assert main(["replay", EXAMPLE, "--stop", stop]) == 0
        assert f"\n{said}\n" in capsys.readouterr().out


def test_replay_can_stop_before_the_first_card_after_a_trick_and_answer_in_json(
    capsys: Captured,
) -> None:
    assert main(["replay", EXAMPLE, "--stop", "7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["to_act"] == 0
    assert main(["replay", EXAMPLE, "--stop", "7.1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["to_act"] == 1


def test_a_game_goes_round_in_all_three_forms_and_is_replayed_from_each(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """docs/forms.md: "`rage replay` (also with `--json`) ... read all three"."""
    record = played(tmp_path / "game.rage.json")

    def said(*words: object) -> bytes:
        assert main([*map(str, words)]) == 0
        return capfdbinary.readouterr().out

    told = set()
    for form in ("record", "text", "link"):
        path = tmp_path / form
        path.write_bytes(said("convert", "--to", form, record))
        assert said("convert", "--to", "record", path) == record.read_bytes()
        told.add((said("replay", path), said("replay", path, "--json")))
    ((_, data),) = told
    assert json.loads(data)["complete"]


def test_in_json_every_failure_is_an_object(tmp_path: Path, capsys: Captured) -> None:
    """Also what --stop says, and in the language that was asked for."""
    assert main(["replay", EXAMPLE, "--json", "--stop", "9.9"]) == 2
    assert json.loads(capsys.readouterr().out).keys() == {"ok", "error"}
    path = tmp_path / "text"
    path.write_text("[format", encoding="utf-8")
    assert main(["replay", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["ok"] is False


@pytest.mark.parametrize("moment", ["x", "6", "8", "7.5", "7.1.4", "7.1.0", "7.0.1", "7.2.3.1"])
def test_a_moment_that_is_none_is_refused(moment: str, capsys: Captured) -> None:
    refused(capsys, "replay", EXAMPLE, "--stop", moment, status=2)


@pytest.mark.parametrize("path", ["no/such/file", ".", "a\0b", ""])
def test_a_file_that_cannot_be_read(path: str, capsys: Captured) -> None:
    refused(capsys, "replay", path, status=2)
    assert main(["replay", path, "--json"]) == 2
    assert json.loads(capsys.readouterr().out).keys() == {"ok", "error"}


def test_deal_shows_what_the_library_deals(capsys: Captured) -> None:
    command = ["deal", "--seed", "hex:00ff", "--rules", "amigo", "--players", "3", "--round", "9"]
    assert main([*command, "--word", "red", "--word", "", "--word", "sky"]) == 0
    out = capsys.readouterr().out
    dealer = rage.engine.deal.Deals(rage.ruleset("amigo"), 3, b"\0\xff", ["red", "", "sky"])
    deal = dealer.deal(9)
    for hand in deal.hands:
        assert ": " + str(hand) + "\n" in out
    assert commitment(b"\0\xff") in out


def test_verify_proves_every_deal(tmp_path: Path, capsys: Captured) -> None:
    assert main(["verify", str(played(tmp_path / "game"))]) == 0
    out = capsys.readouterr().out
    assert out.count("+ ") == 3


@pytest.mark.parametrize(
    "fields",
    [{"words": ["y", None]}, {"words": None}, {"seed": "00"}, {"commitment": "00"}],
)
def test_verify_finds_what_was_changed(
    fields: dict[str, object], tmp_path: Path, capsys: Captured
) -> None:
    assert main(["verify", str(played(tmp_path / "game", **fields))]) == 1
    assert "! " in capsys.readouterr().out


@pytest.mark.parametrize("fields", [{"seed": None}, {"seed": 5}, {"seed": "xx"}, {"words": ["x"]}])
def test_verify_says_what_it_lacks(
    fields: dict[str, object], tmp_path: Path, capsys: Captured
) -> None:
    refused(capsys, "verify", played(tmp_path / "game", **fields), status=1)


@pytest.mark.parametrize(
    "words",
    [
        ["deal"], ["deal", "--seed", ""], ["deal", "--seed", "hex:0"], ["dance"], ["--dance"],
        ["deal", "--seed", "1", "--players", "9"], ["deal", "--seed", "1", "--players", "x"],
        ["deal", "--seed", "1", "--rules", "uno"], ["deal", "--seed", "1", "--rules", "oh_hell"],
        ["deal", "--seed", "1", "--word", "x", "--players", "100000000000000"],
        ["deal", "--seed", "1", "--round", "11"], ["deal", "--seed", "1", "--round", "0"],
        ["convert", EXAMPLE, "--to", "stone"], ["replay"], ["verify", "no-such-file"],
    ],
)  # fmt: skip
def test_bad_words_get_one_clear_line(words: list[str], capsys: Captured) -> None:
    refused(capsys, *words)


@pytest.mark.parametrize("words", ["replay -", "replay --json -", "convert -", "rules --which"])
def test_a_closed_input_is_an_empty_one(words: str) -> None:
    line = f'"{sys.executable}" -m rage {words} <&-'
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") <= 1


def test_a_closed_pipe_and_a_narrow_terminal_are_no_errors(tmp_path: Path) -> None:
    record = str(RECORDS / "legal" / "001.rage.json")  # players with names in three scripts
    command = f'"{sys.executable}" -m rage replay "{record}"'
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for line in (f"{command} | head -n 1", f"{command} >/dev/null"):
        done = subprocess.run(line, shell=True, capture_output=True, text=True, env=environment)
        assert done.returncode == 0
        assert done.stderr == ""


def test_options_of_serve_may_stand_alone(capsys: Captured) -> None:
    said = refused(capsys, "serve", "--port", "99999", status=2)
    assert "99999" in said
    assert refused(capsys, "--port", "99999", status=2) == said


def test_a_server_to_whose_output_nobody_listens_serves(tmp_path: Path) -> None:
    port = free_port()
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, "-m", "rage", "--no-browser", "--port", str(port)],
        stdout=writing, stderr=subprocess.PIPE, env={**os.environ, "RAGE_DATA": str(tmp_path)},
    )  # fmt: skip
    os.close(writing)
    try:
        for _ in range(300):
            time.sleep(0.1)
            assert process.poll() is None
            with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{port}/healthz") as heard:
                assert heard.status == 200
                break
        else:
            pytest.fail("it does not answer")
        process.terminate()
        assert b"Traceback" not in process.communicate(timeout=20)[1]
    finally:
        process.kill()
        process.communicate()


def without_msgspec(*words: str) -> subprocess.CompletedProcess[str]:
    """A command where the base package alone is installed."""
    program = (
        "import sys; sys.modules['msgspec'] = None\n"
        f"from rage.cli import main; raise SystemExit(main({words}))"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_a_word_that_is_no_command_where_it_stands_needs_no_package() -> None:
    """A seed called play, and a folder called games."""
    assert without_msgspec("deal", "--lang", "en", "--seed", "play").returncode == 0
    assert "msgspec" not in without_msgspec("replay", "games").stderr


@pytest.mark.parametrize("command", ["play", "serve"])
def test_a_package_that_is_missing_is_named(command: str) -> None:
    done = without_msgspec(command)
    assert done.returncode == 1
    assert "msgspec" in done.stderr
    assert done.stderr.count("\n") == 1
