"""What is mistyped, what would be ignored, and what ``--help`` tells."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rage
from rage.bots import BOTS, OFFERED
from rage.cli import COMMANDS, build, main
from rage.cli.arguments import named_bots
from rage.cli.parser import Parser
from rage.cli.terminal import program_name
from rage.extras import install_command
from rage.house.limits import MAX_CONNECTIONS
from rage.house.tables.services import BOT_DELAY
from rage.say import LANGUAGES, text
from rage.server.config import PORT
from refusals import refused

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ply", "play"), ("relpay x", "replay"), ("conver x", "convert"), ("sevre", "serve"),
        ("games delte x", "delete"), ("--lang en ply", "play"),
        ("play --plyers 3", "--players"), ("--prot 80", "--port"),
        ("serve --no-broswer", "--no-browser"), ("serve --log jason", "json"),
        ("games delete x --yess", "--yes"), ("replay x --jsno", "--json"),
        ("play --speed fsat", "fast"), ("convert x --to txt", "text"),
        ("completion bsh", "bash"), ("play --rules pof", "poof"), ("rules amgio+sweep", "amigo"),
        ("rules poof+swepe", "sweep"), ("rules poof+hidden", "hidden-bids"),
        ("rules POOF+Secretbids", "secret-bids"), ("deal --seed a --rules fundx", "fundex"),
        ("rules poof+mis:-5", "miss"), ("rules poof+tie:share", "shared"),
        ("rules 'poof sweep'", "poof+sweep"), ("rules --unlike poff amigo", "poof"),
        ("play --bots stedy", "steady"), ("rules bgaa", "bga"), ("rules bgs+sweep", "bga"),
    ],
)  # fmt: skip
def test_what_was_probably_meant_is_asked(typed: str, meant: str, capsys: Captured) -> None:
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", typed)]
    assert f"; did you mean {meant}?" in refused(capsys, *words)


@pytest.mark.parametrize(
    "typed", ["dance", "--zzz", "rules chess", "play --bots sphinx", "replay x y", "games find"]
)
def test_nothing_is_guessed_where_nothing_is_like_it(typed: str, capsys: Captured) -> None:
    assert "did you mean" not in refused(capsys, *typed.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_is_asked_in_every_language(language: str, capsys: Captured) -> None:
    asks = text("cli.did_you_mean", language, word="play")
    assert asks in refused(capsys, "--lang", language, "ply")


@pytest.mark.parametrize("option", ["data", "host", "certfile", "keyfile", "metrics", "keep"])
def test_serve_refuses_what_is_empty(option: str, capsys: Captured) -> None:
    said = refused(capsys, "serve", "--no-browser", f"--{option}", "")
    assert said.startswith(f"rage serve: --{option} is empty: ")


@pytest.mark.parametrize(
    "words",
    ["play --bots", "play --rules", "sheet --out", "judge R5 --trump", "serve --proxy",
     "serve --allowed-hosts", "serve --base-path", "deal --seed"],
)  # fmt: skip
def test_an_option_without_a_value_is_said_to_be_empty(words: str, capsys: Captured) -> None:
    said = refused(capsys, *words.split(), "")
    assert f"{words.split()[-1]} is empty: give it a value" in said


def test_a_word_for_the_shuffle_may_be_empty(capsys: Captured) -> None:
    assert main(["deal", "--seed", "x", "--players", "2", "--word", ""]) == 0


@pytest.mark.parametrize("words", ["deal --round", "analyse x --seed", "play --players"])
def test_a_number_that_is_none_is_said_to_be_none(words: str, capsys: Captured) -> None:
    for none in ("ten", "1_0", "2.5"):
        assert f"{none} is not a whole number" in refused(capsys, *words.split(), none)


@pytest.mark.parametrize("words", ["arena steady random --until-clear", "serve --bot-delay"])
def test_what_is_no_decimal_number_is_said_to_be_none(words: str, capsys: Captured) -> None:
    for none in ("ten", "1_0", "2,5"):
        assert f"{none} is not a number; write one such as 2.5" in refused(
            capsys, *words.split(), none
        )


def help_of(capsys: Captured, *words: str) -> str:
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])
    assert end.value.code == 0
    return re.sub(r"\s+", " ", capsys.readouterr().out)


def test_bots_are_separated_by_commas_or_by_spaces() -> None:
    for written in ("easy,hard", "easy, hard", "easy hard", "easy,,hard,"):
        assert named_bots(written) == ["easy", "hard"]
    assert named_bots("program:node bot.mjs, hard") == ["program:node bot.mjs", "hard"]
    assert named_bots(" , ") == []


def test_help_tells_defaults(capsys: Captured, tmp_path: Path) -> None:
    serve, play = help_of(capsys, "serve"), help_of(capsys, "play")
    keep = "unstarted=2,abandoned=60,finished=30,games=400"
    for usual in (f"{PORT}, or the next one", tmp_path, MAX_CONNECTIONS, BOT_DELAY, keep):
        assert f"(default: {usual}" in serve
    for usual in (
        "the edition used last, at first poof",
        "4; with three-teams 6",
        "steady",
        "normal",
        "key",
    ):
        assert f"(default: {usual})" in play
    assert "(default: text)" in help_of(capsys, "convert")
    assert "(default: 4; with three-teams 6)" in help_of(capsys, "deal")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["play", "arena"])
def test_help_tells_how_each_bot_plays(command: str, language: str, capsys: Captured) -> None:
    """The yardsticks are for the arena."""
    told = help_of(capsys, command, "--lang", language)
    for name in BOTS:
        said = f" {name} {text(f'bot.{name}.about', language)}" in told
        assert said == (name in OFFERED or command == "arena")


def test_help_tells_every_variable_that_is_read(capsys: Captured) -> None:
    source = Path(rage.__file__).parent
    whole = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.py"))
    read = set(re.findall(r"environ[^\n]*\"(RAGE_\w+)\"", whole))
    assert {"RAGE_LANG", "RAGE_DATA", "RAGE_SECRET"} <= read
    help_of_all = "".join(help_of(capsys, command) for command in COMMANDS)
    assert not [name for name in read if name not in help_of_all]


def test_help_tells_where_a_command_finds_what_was_saved(capsys: Captured) -> None:
    """The edition used last and saved games lie in one folder."""
    reads = re.compile("usual_edition|read_game_file|data_folder")
    folder = Path(rage.__file__).parent / "cli" / "commands"
    modules = {name: folder / f"{name}.py" for name in COMMANDS}
    reading = [name for name, path in modules.items() if reads.search(path.read_text("utf-8"))]
    assert {"sheet", "replay", "judge"} <= {*reading}
    assert not [name for name in reading if "RAGE_DATA" not in help_of(capsys, name)]


def every_parser(parser: Parser) -> Iterator[Parser]:
    """A parser, and those of all commands below it."""
    yield parser
    for command in parser.commands.values():
        yield from every_parser(command)


def test_every_option_of_every_command_has_a_help() -> None:
    parser = build("en")
    assert list(parser.commands) == list(COMMANDS)
    for each in every_parser(parser):
        assert each.description
        assert {"--help", "--lang"} <= set(each.names)
        for action in each._actions:
            assert action.help or action.nargs == argparse.PARSER, (each.prog, action)


def test_hints_name_the_command_as_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ``make play`` it is in ``.venv/bin``."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "rage"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.argv", [str(program)])
    assert program_name() == os.path.join("bin", "rage")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert program_name() == "rage"
    monkeypatch.setattr("sys.argv", ["pytest"])
    assert program_name() == "rage"


def test_a_command_in_a_hint_can_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there are blanks in its path."""
    program = tmp_path / "my tools" / "rage"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(program)])
    assert shlex.split(program_name()) == [os.path.join("my tools", "rage")]
    monkeypatch.setattr("sys.argv", [str(tmp_path / "rage" / "__main__.py")])
    python = tmp_path / "my tools" / "my python"
    python.symlink_to(sys.executable)
    monkeypatch.setattr("sys.executable", str(python))
    named = os.path.join("my tools", "my python")
    assert shlex.split(program_name()) == [named, "-m", "rage"]
    monkeypatch.setenv("PATH", str(python.parent))
    assert shlex.split(program_name()) == ["my python", "-m", "rage"]


@pytest.mark.parametrize(
    ("folder", "file", "installs", "starts"),
    [
        ("archive-v0/F6EM", "pyvenv.cfg", "uvx 'rage-cards[data,play]'", "uvx 'rage-cards[play]'"),
        ("tools/rage-cards", "uv-receipt.toml", "uv tool install 'rage-cards[data,play]'", "rage"),
        ("venvs/rage-cards", "pipx_metadata.json",
         "pipx install --force 'rage-cards[data,play]'", "rage"),
        (".cache/9da4", "pipx_metadata.json",
         "pipx run 'rage-cards[data,play]'", "pipx run 'rage-cards[play]'"),
    ],
)  # fmt: skip
def test_hints_name_the_tool_that_made_the_environment(
    folder: str, file: str, installs: str, starts: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / file).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path / folder))
    monkeypatch.setattr("sys.argv", ["pytest"])
    monkeypatch.setattr("rage.extras.distribution", lambda name: None)  # it is installed
    assert install_command("data") == installs
    assert program_name() == starts
