"""``rage score`` with lines to type, in a folder of its own."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rage.cli import main
from rage.score.file import read_sheet
from rage.score.sheet import Sheet

FILE = "evening.rage-score.json"


class Keeper:
    """Runs ``rage score`` in English, in a folder that has nothing yet. ``errors``: what it has
    written to the error output the last time."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ):
        monkeypatch.setenv("RAGE_DATA", str(folder / "data"))
        monkeypatch.setenv("RAGE_LANG", "en")
        monkeypatch.chdir(folder)
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.errors = ""

    def __call__(self, *lines: str, words: tuple[str, ...] = (FILE,), status: int = 0) -> str:
        """What it says to these lines; of a refusal, what it writes to the error output."""
        typed = io.StringIO("".join(f"{line}\n" for line in lines))
        self._monkeypatch.setattr("sys.stdin", typed)
        assert main(["score", *words]) == status
        said, self.errors = self._capsys.readouterr()
        return self.errors if status else said

    def begin(self, *lines: str, rules: str = "amigo", names: str = "Ann,Ben,Cem") -> str:
        """The same, on a new sheet."""
        return self(*lines, words=(FILE, "--rules", rules, "--names", names))


def kept() -> Sheet:
    """The sheet that it keeps."""
    return read_sheet(Path(FILE).read_bytes())
