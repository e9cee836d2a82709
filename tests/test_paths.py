"""Paths as people write them: no folder is ever called ``~``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rage
from rage.bots.custom import any_bot
from rage.cli import COMMANDS, build, main
from rage.cli.parser import FILES
from rage.files import data_folder, expand
from rage.say import NotReadable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no HOME")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder, and another folder to work in."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAGE_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_where_data_is_kept(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """A relative ``XDG_DATA_HOME`` is to be ignored, says its specification."""
    monkeypatch.setattr("sys.platform", "linux")
    usual = home / ".local" / "share" / "rage"
    assert data_folder() == usual
    monkeypatch.setenv("XDG_DATA_HOME", "share")
    assert data_folder() == usual
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "xdg"))
    assert data_folder() == home / "xdg" / "rage"
    monkeypatch.setenv("RAGE_DATA", "~/x")
    assert data_folder() == home / "x"
    monkeypatch.setenv("RAGE_DATA", "x")
    assert data_folder() == Path("x")


@pytest.mark.parametrize("given", ["", None])
def test_where_there_is_no_home(monkeypatch: pytest.MonkeyPatch, given: str | None) -> None:
    """As in a container, whose user often has no account either."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    if given is not None:
        monkeypatch.setenv("HOME", given)
    for refused in (data_folder, lambda: expand("~/x"), lambda: expand("~nobody-here/x")):
        with pytest.raises(NotReadable, match="home folder"):
            refused()
    assert expand("/x") == "/x"


def test_a_relative_home_is_refused(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Or the games would be in another folder wherever a command is typed."""
    monkeypatch.setenv("HOME", "rel")
    for refused in (data_folder, lambda: expand("~/x")):
        with pytest.raises(NotReadable, match=r"HOME must be a whole path.*: rel"):
            refused()
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    assert data_folder() == home / "rage"


def test_every_path_of_the_command_line_is_expanded(home: Path) -> None:
    found = 0
    for command in build("en", COMMANDS).commands.values():
        for action, values in command.values:
            if values == FILES:
                assert callable(action.type)
                assert action.type("~/x") == str(home / "x"), action.option_strings
                found += 1
    assert found >= 13


def test_what_is_written_lies_at_home(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--static=~/sheet"]) == 0
    assert (home / "sheet" / "index.html").exists()
    with pytest.raises(SystemExit, match="2"):
        main(["sheet", "--static=~nobody-here/sheet"])
    error = capsys.readouterr().err
    assert "~nobody-here/sheet: there is no such home folder" in error
    assert list((home / "here").iterdir()) == []


def test_a_program_that_plays_may_be_at_home(home: Path) -> None:
    program = home / "bot"
    program.write_text('#!/bin/sh\nwhile read -r _; do echo \'{"move": "0"}\'; done\n')
    program.chmod(0o755)
    game = rage.Game("poof", 2, seed=b"x")
    assert str(any_bot("program:~/bot").choose(game.view(game.to_act or 0))) == "0"
