"""Standard input and outputs as a parent process or a terminal may leave them: closed, or in
another encoding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = str(Path(__file__).parent.parent / "records" / "poof-example.rage.json")
RAGE = [sys.executable, "-m", "rage"]
needs_shell = pytest.mark.skipif(
    not os.path.exists("/bin/sh"), reason="needs a shell to close streams"
)


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def run(words: list[str], streams: str = "", typed: bytes = b"") -> tuple[int, bytes, bytes]:
    """The exit status and what was written, with streams as a shell leaves them."""
    command = ["/bin/sh", "-c", f'exec "$@" {streams}', "sh"] if streams else []
    done = subprocess.run(
        [*command, *RAGE, *words], input=typed, capture_output=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


@needs_shell
@pytest.mark.parametrize(
    "words",
    [
        ["analyse", EXAMPLE, "--worlds", "1"],
        ["arena", "random", "steady", "--rules", "poof+schedule:1", "--players", "2",
         "--deals", "1", "--processes", "1"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_what_takes_long_needs_no_error_output(words: list[str]) -> None:
    status, out, _ = run(words, "2>&-")
    assert status == 0
    assert out


@needs_shell
def test_an_error_that_nobody_reads_is_not_written_elsewhere() -> None:
    assert run(["convert", "nofile"], "2>&-") == (2, b"", b"")


def test_input_may_begin_with_a_byte_order_mark() -> None:
    """As what PowerShell pipes in does."""
    words = ["play", "--plain", "--rules", "poof", "--players", "2", "--bots", "random"]
    _, out, _ = run(words, typed=b"\xef\xbb\xbf3\nquit\n")
    assert b"You bid 3." in out


def test_json_is_json_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    record = json.loads(Path(EXAMPLE).read_bytes())
    names = ["\U0001f600", "Jürgen", "Đorđe"]
    Path("one.rage.json").write_text(json.dumps({**record, "players": names}), "utf-8")
    Path("data/games").mkdir(parents=True)
    Path("data/games/one.rage.json").write_bytes(Path("one.rage.json").read_bytes())
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")

    def answer(*words: str) -> Any:
        status, out, _ = run([*words, "--json"])
        assert status == 0
        return json.loads(out.decode("latin-1"))

    said = answer("judge", "R7", "--trump", "none", "--names", ",".join(names))
    assert names[0] in said["sentence"]
    assert answer("games")[0]["players"] == names
    players = answer("analyse", "one.rage.json", "--worlds", "1")["players"]
    assert [each["name"] for each in players] == names
    assert run(["judge", "R7", "--trump", names[0], "--json"])[0] == 2


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("rules --which", 1),
        ("learn", 0),
        ("play --seed a --name \udcff\udcfe", 0),
    ],
)
def test_bytes_that_are_no_text_end_nothing(
    words: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    found, out, errors = run(words.split(), typed=b"\xff\n")
    assert (found, errors) == (status, b"")
    assert out


def test_bytes_that_are_no_text_delete_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["play", "--seed", "a"], typed=b"quit\n")[0] == 0
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    status, out, errors = run(["games", "delete", "2"], typed=b"\xff\n")
    assert (status, errors) == (1, b"")
    assert b"Nothing was deleted." in out
