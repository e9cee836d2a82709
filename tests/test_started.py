"""Rage as people start it, in processes of its own and with nothing that a system may lack."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from documents import ROOT
from rage.rules.cards import BID, MOVE_CODES

BUILT = ROOT / "src" / "rage" / "server" / "page" / "index.html"
RAGE = [sys.executable, "-m", "rage"]
#: Typed whatever is asked: what is not possible just now is refused.
ANYTHING = "".join(f"{code}\n" for code in ("1", "2", *MOVE_CODES[:BID])) * 8


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of most people: without UTF-8 on Windows, but for what the test reads and writes."""
    named = {"RAGE_DATA": str(tmp_path), "RAGE_LANG": "en", "PYTHONIOENCODING": "utf-8"}
    return {**os.environ, **named, "PYTHONUTF8": ""}


def test_a_whole_game_is_played_in_a_terminal(environment: dict[str, str]) -> None:
    words = [*RAGE, "play", "--new", "--plain", "--seed", "started", "--rules", "poof+schedule:2.1"]
    done = subprocess.run(
        words, env=environment, input=ANYTHING, check=False,
        capture_output=True, text=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over" in done.stdout


@pytest.mark.skipif(not BUILT.exists(), reason="the page is not built: python web/build.py")
def test_a_server_answers_with_its_page(environment: dict[str, str]) -> None:
    words = [*RAGE, "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        try:
            said = iter(server.stdout.readline, "")
            address = next(found[0] for line in said if (found := re.search(r"http://\S+", line)))
            with contextlib.closing(
                urllib.request.urlopen(f"{address}readyz", timeout=60)
            ) as ready:
                assert ready.status == 200
            with contextlib.closing(urllib.request.urlopen(address, timeout=60)) as page:
                assert b"<title>Rage" in page.read()
        finally:
            server.terminate()
