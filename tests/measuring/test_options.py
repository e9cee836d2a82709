"""The values of options of what developers run."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

import rage
from lab.options import above, at_least, existing_folder, network_file, read, share, whole


@pytest.mark.parametrize(
    ("number", "good", "bad"),
    [
        (whole(1, 9), {"1": 1, "9": 9}, ["0", "10", "1.5", "", "nan"]),
        (above(0), {"0.5": 0.5, "1e3": 1000.0}, ["0", "-1", "nan", "inf", "x"]),
        (at_least(0), {"0": 0.0, "3": 3.0}, ["-0.1", "nan", "inf", ""]),
        (share, {"0": 0.0, "1": 1.0, "0.15": 0.15}, ["1.1", "-1", "nan", "x"]),
    ],
)
def test_a_number_is_read_or_refused(
    number: Callable[[str], float], good: dict[str, float], bad: list[str]
) -> None:
    assert {text: number(text) for text in good} == good
    for text in bad:
        with pytest.raises(ArgumentTypeError, match="is not a"):
            number(text)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("diary")
    shipped = Path(rage.__file__).parent / "bots" / "networks" / "general.safetensors"
    assert network_file(str(shipped)) == shipped
    assert existing_folder(str(tmp_path)) == tmp_path
    for read_one, name, why in (
        (network_file, "here", "these bytes are not a network"),
        (network_file, "none", "No such file"),
        (network_file, ".", "Is a directory"),
        (existing_folder, "none", "no such folder"),
        (existing_folder, "here", "no such folder"),
    ):
        with pytest.raises(ArgumentTypeError, match=why):
            read_one(str(tmp_path / name))


def read_options(monkeypatch: pytest.MonkeyPatch, *words: str) -> Namespace:
    parser = ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--worlds", type=whole(1), default=1)
    monkeypatch.setattr("sys.argv", ["labels", *words])
    return read(parser)


def test_the_folder_is_made_once_all_options_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new" / "run"
    with pytest.raises(SystemExit):
        read_options(monkeypatch, "--out", str(new), "--worlds", "0")
    assert not new.parent.exists()
    assert read_options(monkeypatch, "--out", str(new)).out == new
    assert new.is_dir()
    (tmp_path / "here").write_text("")
    for name in ("here", "here/run"):
        with pytest.raises(SystemExit):
            read_options(monkeypatch, "--out", str(tmp_path / name))
        assert f"--out: {tmp_path / name}: " in capsys.readouterr().err
