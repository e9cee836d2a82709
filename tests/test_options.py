"""The values of options of what developers run."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.options import above, at_least, existing_folder, file, folder, share, whole


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (whole(1, 9), {"1": 1, "9": 9}, ["0", "10", "1.5", "", "nan"]),
        (above(0), {"0.5": 0.5, "1e3": 1000.0}, ["0", "-1", "nan", "inf", "x"]),
        (at_least(0), {"0": 0.0, "3": 3.0}, ["-0.1", "nan", "inf", ""]),
        (share, {"0": 0.0, "1": 1.0, "0.15": 0.15}, ["1.1", "-1", "nan", "x"]),
    ],
)
def test_a_number_is_read_or_refused(
    read: Callable[[str], float], good: dict[str, float], bad: list[str]
) -> None:
    assert {text: read(text) for text in good} == good
    for text in bad:
        with pytest.raises(ArgumentTypeError, match="is not a"):
            read(text)


def test_what_is_no_place_to_write_to_or_read_from_is_refused(tmp_path: Path) -> None:
    assert folder(str(tmp_path / "new" / "run")).is_dir()
    (tmp_path / "here").write_text("")
    assert file(str(tmp_path / "here")) == tmp_path / "here"
    assert existing_folder(str(tmp_path)) == tmp_path
    for read, name in ((folder, "here"), (folder, "here/run"), (file, "."), (file, "none")):
        with pytest.raises(ArgumentTypeError, match=name):
            read(str(tmp_path / name))
    with pytest.raises(ArgumentTypeError, match="no such folder"):
        existing_folder(str(tmp_path / "none"))
