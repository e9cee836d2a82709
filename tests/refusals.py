"""Command lines that are refused: in one line on the error output, and with nothing else."""

from __future__ import annotations

import pytest

from rage.cli import main


def refused(capsys: pytest.CaptureFixture[str], *words: object, status: int | None = None) -> str:
    """The one line that a command line is refused with. ``status``: how it must end; 1 or 2
    otherwise."""
    try:
        ended: object = main([*map(str, words)])
    except SystemExit as end:
        ended = end.code
    said, error = capsys.readouterr()
    assert ended in ((1, 2) if status is None else (status,))
    assert said == ""
    assert error.startswith("rage")
    assert error.count("\n") == 1, error
    return error
