"""``rage play`` as a program of its own: pipes, signals, terminals, and games left and resumed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread, Timer
from typing import IO

import pytest

from rage.cli import main
from rage.engine.deal import commitment
from rage.notation import parse_record
from rage.rules.cards import BID, MOVE_CODES
from rage.rules.editions import ruleset
from rage.tui.session import Session
from refusals import refused

PLAY = [sys.executable, "-c", "from rage.cli import main; raise SystemExit(main())", "play"]
pty = pytest.importorskip("pty") if sys.platform != "win32" else None


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    return tmp_path / "data"


Done = subprocess.CompletedProcess[str]
Play = Callable[..., Done]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Plays in this process: what is typed, and what comes of it."""

    def played(*options: str, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(["play", *options])
        return Done(PLAY, status, *capsys.readouterr())

    return played


def test_without_a_terminal_it_is_plain_by_itself_and_ends_politely() -> None:
    words = [*PLAY, "--seed", "a"]
    done = subprocess.run(words, input="2\n", capture_output=True, text=True, timeout=30)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "Your bid, 0 to 10" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("The game is saved")


def test_a_bot_of_ones_own_that_fails_is_one_clear_error(play: Play, environment: Path) -> None:
    done = play("--seed", "a", "--bots", "program:./nothing", typed="2\n")
    assert done.returncode == 1
    assert done.stderr == "rage: program:./nothing cannot be started: No such file or directory\n"
    assert len(list(environment.glob("*.rage.jsonl"))) == 1


@pytest.mark.parametrize("seed", ["a", "hex:00", "a table of friends " * 9])
def test_a_seed_deals_as_rage_deal_shows(
    play: Play, seed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = play("--seed", seed, "--name", "Marie", "--players", "3").stdout
    assert main(["deal", "--seed", seed, "--players", "3", "--round", "1"]) == 0
    shown = capsys.readouterr().out
    cards = next(line for line in shown.splitlines() if "seat 0:" in line).partition(": ")[2]
    hand = next(line for line in said.splitlines() if line.startswith("Your hand: "))
    held = [card.split(" ")[0] for card in hand.partition(": ")[2][:-1].split(", ")]
    assert sorted(held) == sorted(cards.split())


@pytest.mark.parametrize("name", ["Vega", "VEGA", "rigel"])
def test_a_person_may_be_called_like_a_bot(play: Play, name: str) -> None:
    done = play("--seed", "a", "--name", name, "--players", "8", typed="2\nscores\n")
    assert done.returncode == 0
    scores = [line for line in done.stdout.lower().splitlines() if line.endswith(": 0 points.")]
    assert sum(line.startswith(f"{name.lower()}:") for line in scores) == 1


def test_a_game_is_offered_and_resumed(play: Play, environment: Path) -> None:
    play("--seed", "a", "--name", "Marie", typed="3\n")
    offered = play(typed="maybe\ny\nbids\n")
    assert "There is an unfinished game: poof, 4 players" in offered.stdout
    assert offered.stdout.count("Go on with it?") == 2
    assert "Marie: bid 3" in offered.stdout
    resumed = play("--resume", typed="bids\n")
    assert "unfinished" not in resumed.stdout
    assert "Marie: bid 3" in resumed.stdout
    assert len(list(environment.glob("*.rage.jsonl"))) == 1
    declined = play(typed="no\n")
    assert "Round 1:" in declined.stdout
    assert len(list(environment.glob("*.rage.jsonl"))) == 2
    assert "unfinished" not in play("--new", typed="q\n").stdout
    assert play(typed="").returncode == 0


def test_a_damaged_game_is_named_and_another_offered(play: Play, environment: Path) -> None:
    play("--seed", "a", "--name", "Marie", typed="3\n")
    play("--seed", "b", typed="3\n")
    good, bad = sorted(environment.glob("*.rage.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    bad.write_text("{")
    done = play(typed="y\nbids\n")
    assert str(bad) in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Marie: bid 3" in done.stdout
    assert bad.read_text() == "{"
    os.utime(bad, ns=(time.time_ns() + 10**10, time.time_ns() + 10**10))
    done = play("--resume", typed="bids\n")
    assert done.returncode == 0
    assert str(bad) in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Marie: bid 3" in done.stdout
    good.unlink()
    done = play("--resume")
    assert done.returncode == 1
    assert str(bad) in done.stderr
    assert "no unfinished game" in done.stderr


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--resume"], 1, "no unfinished game"),
        (["--resume", "--seed", "a"], 1, "leave out --seed"),
        (["--resume", "--new"], 2, "not allowed with"),
        (["--rules", "uno"], 2, "uno"),
        (["--players", "9"], 1, "players, not 9"),
        (["--players", "2", "--rules", "amigo"], 1, "amigo is for 3 to 8"),
        (["--players", "x"], 2, "x is not a whole number"),
        (["--bots", "sphinx"], 2, "sphinx"),
        (["--bots", ","], 2, "no bot"),
        (["--bots", "stedy"], 2, "did you mean steady?"),
        (["--bots", "random,steady,random", "--players", "3"], 1, "3 bots for 2 seats"),
        (["--plain", "--speed", "fast"], 1, "--speed is for the full screen"),
        (["--plain", "--ascii"], 1, "--ascii is for the full screen"),
        (["--rules", ""], 2, "--rules is empty"),
        (["--seed", ""], 2, "seed is empty"),
        (["--name", "x" * 41], 2, "at most 40"),
        (["--lang", "tlh"], 2, "tlh"),
        (["--speed", "warp"], 2, "warp"),
        (["--rules", "poof+teams:3", "--players", "4"], 1, "teams"),
    ],
)
def test_bad_options_get_one_clear_line(
    options: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused(capsys, "play", *options, status=status)


def test_an_output_of_ascii_only() -> None:
    done = subprocess.run(
        [*PLAY, "--seed", "a", "--lang", "de", "--name", "Jürgen"],
        input=b"2\n",
        capture_output=True,
        timeout=30,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.isascii()


def test_bytes_that_are_no_text_are_one_wrong_line() -> None:
    done = subprocess.run(
        [*PLAY, "--seed", "a"],
        input=b"\xff\xfe\x00\n2\n",
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"bids 2." in done.stdout


def test_a_closed_pipe_ends_it_quietly() -> None:
    with subprocess.Popen(
        [*PLAY, "--seed", "a"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        try:
            process.stdin.write(b"help\n" * 200)
            process.stdin.close()
        except BrokenPipeError:
            process.stdin = None
        assert process.wait(timeout=20) in (0, 141)
        assert process.stderr.read() == b""


def test_ctrl_c_at_the_prompt_keeps_the_game(environment: Path) -> None:
    with subprocess.Popen(
        [*PLAY, "--seed", "a"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Run in the background, the tests themselves may have been told to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        while "Your bid" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "The game is saved" in said
    assert errors == ""
    assert len(list(environment.glob("*.rage.jsonl"))) == 1


def in_terminal(
    options: list[str],
    keys: bytes,
    stop: signal.Signals | None = None,
    errors: Path | None = None,
) -> tuple[int, str]:
    """Run it in a terminal of its own, 80 by 24; type ``keys`` when the table is there, or send
    a signal. The exit status, and everything that it wrote there; ``errors`` go to a file."""
    assert pty is not None
    import fcntl
    import struct
    import termios

    child, terminal = pty.fork()
    if child == 0:
        if errors is not None:
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        os.execv(PLAY[0], [*PLAY, *options])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    watch = Timer(25, os.kill, (child, signal.SIGKILL))
    watch.start()
    written = b""
    sent = False
    while piece := _read(terminal):
        written += piece
        if not sent and b"Your bid" in written:
            sent = True
            if stop is not None:
                os.kill(child, stop)
            os.write(terminal, keys)
    _, status = os.waitpid(child, 0)
    watch.cancel()
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), written.decode(errors="replace")


def _read(terminal: int) -> bytes:
    """The next piece of what is written there; nothing once it is over."""
    with contextlib.suppress(OSError):
        return os.read(terminal, 65536)
    return b""


@pytest.mark.skipif(pty is None, reason="this system has no pseudo-terminals")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("keys", "stop"),
    [(b"q", None), (b"\x03", None), (b"", signal.SIGINT), (b"", signal.SIGTERM)],
)
def test_leaving_a_real_terminal(
    keys: bytes, stop: signal.Signals | None, environment: Path
) -> None:
    status, written = in_terminal(["--new", "--seed", "b", "--speed", "instant"], keys, stop)
    assert status == 0
    assert "Traceback" not in written
    assert "The game is saved" in written
    assert written.rindex("The game is saved") > written.rindex("\x1b[?1049l")
    assert len(list(environment.glob("*.rage.jsonl"))) == 1


@pytest.mark.skipif(pty is None, reason="this system has no pseudo-terminals")
def test_line_by_line_a_terminal_breaks_no_word() -> None:
    options = ["--plain", "--new", "--seed", "b"]
    _, written = in_terminal(options, b"rules\nhelp\nquit\n")
    assert "Action cards" in written
    lines = written.partition("The game is saved")[0].splitlines()
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.skipif(pty is None, reason="this system has no pseudo-terminals")
def test_errors_that_go_to_a_file_do_not_take_the_table_with_them(tmp_path: Path) -> None:
    options = ["--new", "--seed", "b", "--speed", "instant"]
    status, written = in_terminal(options, b"0\nquit\n", errors=tmp_path / "errors")
    assert status == 0
    assert "Your bid" in written
    assert "\x1b[?1049h" not in written


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell to close streams")
@pytest.mark.parametrize(
    ("streams", "status", "errors"),
    [("<&-", 0, 0), (">&-", 0, 0), ("<&- >&- 2>&-", 0, 0), ("</dev/null >/dev/full", 1, 1)],
)
def test_streams_that_are_closed_or_full(streams: str, status: int, errors: int) -> None:
    if "/dev/full" in streams and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", *PLAY, "--seed", "a"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == errors
    assert "Traceback" not in done.stderr


@pytest.fixture
def no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder that cannot be made."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "file"))
    return tmp_path / "file"


def test_where_no_game_can_be_kept_one_may_be_played_all_the_same(
    play: Play, no_place: Path
) -> None:
    done = play("--seed", "a", typed="maybe\n\n2\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Games cannot be saved in {no_place}: " in done.stdout
    assert done.stdout.count("Play without saving the game?") == 2
    assert "bids 2." in done.stdout
    assert "could not be saved" not in done.stdout
    assert done.stdout.splitlines()[-1] == "This game was not saved."
    assert no_place.read_text() == "in the way"


@pytest.mark.parametrize("typed", ["n\n", ""])
def test_a_player_who_does_not_want_that_begins_no_game(
    play: Play, no_place: Path, typed: str
) -> None:
    done = play("--seed", "a", typed=typed)
    assert done.returncode == 1
    assert done.stderr == "rage: no game was begun\n"
    assert "Round 1" not in done.stdout


def test_a_kept_game_may_be_played_on_where_nothing_can_be_written(
    play: Play, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play("--seed", "a", "--name", "Marie", typed="3\n")
    (path,) = environment.glob("*.rage.jsonl")
    before = path.read_bytes()
    monkeypatch.setattr("rage.tui.game_files.storage_problem", lambda: "Read-only file system")
    done = play("--resume", typed="y\nbids\n2\nR1\n")
    assert done.returncode == 0
    assert "Read-only file system" in done.stdout
    assert "Marie: bid 3" in done.stdout
    assert done.stdout.endswith("This game was not saved.\n")
    assert path.read_bytes() == before


def test_a_game_that_can_no_longer_be_kept_says_so(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rage.tui.saved.write_file", full)
    done = play("--seed", "a", typed="2\n")
    assert done.returncode == 1
    assert "could not be saved" in done.stdout
    assert "The game is saved" not in done.stdout


def test_who_plays_for_a_bot_is_said_in_the_language_of_the_game(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the error output, and beside the name of the bot."""
    monkeypatch.setattr("rage.bots.stand_in.COMPILED", False)
    # The note that all of Rage is slower comes first where the kernel is not compiled, or is being
    # compiled at this moment.
    monkeypatch.setattr("rage.cli.terminal.COMPILED", True)
    done = play("--lang", "es", "--bots", "hard,medium", "--name", "Eva", typed="q\n")
    assert done.returncode == 0
    note = r"Sólido sustituye a Difícil: sin compilador de C, mirar adelante .+\.\n"
    assert re.fullmatch(note, done.stderr)
    assert done.stdout.count("(Difícil, jugado por Sólido)") == 2
    assert "(Medio)" in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["play", "--bots", "medium", "--name", "Eva"],
        ["arena", "medium", "steady", "--deals", "1"],
        ["simulate", "--bots", "medium", "--games", "1", "--out", "some"],
        ["lab", "--against", "poof", "--bots", "medium,steady", "--deals", "1"],
    ],
    ids=lambda command: command[0],
)
def test_it_is_said_who_plays_by_rules_that_no_bot_has_learned(
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for rules, said in (("schedule:13", 1), ("miss:-50", 1), ("schedule:12", 0)):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        begun = ["--lang", "en", *command, "--rules", f"poof+{rules}"]
        shutil.rmtree("some", ignore_errors=True)
        assert main(begun + (["--new"] if command[0] == "play" else [])) == 0
        assert capsys.readouterr().err.count("Easy and Medium play as Steady does") == said


def test_the_commitment_can_be_asked_before_the_first_bid_and_is_kept(
    play: Play, environment: Path
) -> None:
    """ "When a table opens, ... it publishes the commitment to its seed." """
    done = play("--new", "--seed", "fair", typed="rules\n")
    hashed = commitment(b"fair")
    assert hashed in done.stdout
    (kept,) = environment.glob("*.rage.jsonl")
    assert f'"hash":"{hashed}"' in kept.read_text()


def test_a_game_whose_record_was_not_written_any_more_gets_it(
    play: Play, environment: Path
) -> None:
    """Killed after the last decision, and before the record of the finished game."""
    session = Session.start(ruleset("poof+schedule:1"), ["A", "B"], ["random"], b"over")
    (environment / "games").write_text("in the way")
    while not session.over:
        session.play(session.view().legal_moves[0] if session.my_turn else session.bot_move())
    (environment / "games").unlink()
    assert session.path.parent == environment
    done = play(typed="q\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "unfinished" not in done.stdout
    (record,) = (environment / "games").iterdir()
    assert parse_record(record.read_bytes()).winners is not None
    assert not session.path.exists()


TOLD = re.compile(r"\w+ (bids \d|leads|plays )")
#: Typed whatever is asked: what is not possible just now is refused.
ANYTHING = "".join(f"{code}\n" for code in ("1", "2", *MOVE_CODES[:BID])) * 40


@pytest.mark.parametrize("times", [4, pytest.param(12, marks=pytest.mark.long)])
def test_a_process_that_is_killed_has_lost_nothing_that_it_said(play: Play, times: int) -> None:
    """Wherever ``kill -9`` meets it, in the middle of a write too."""
    new = ["--new", "--plain", "--seed", "kill", "--players", "6"]
    rng = Random(9)
    for options in (new, *[["--resume", "--plain"]] * (times - 1)):
        with subprocess.Popen(
            [*PLAY, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            feeder = Thread(target=feed, args=(process.stdin,))
            feeder.start()
            said: list[str] = []
            due = rng.randint(10, 60)
            while sum(bool(TOLD.match(line)) for line in said) < due:
                said.append(process.stdout.readline())
                assert said[-1], "the game ended by itself"
            process.kill()
            said += process.stdout.readlines()
            feeder.join()
        shown = [line.strip() for line in said if TOLD.match(line) and line.endswith("\n")]
        log = play("--resume", "--plain", typed="log\n").stdout
        known = [line for line in log.splitlines() if TOLD.match(line)]
        at = [i for i in range(len(known)) if known[i : i + len(shown)] == shown]
        assert at, "something that was said is not in the game any more"


def feed(stream: IO[str]) -> None:
    with contextlib.suppress(OSError), stream:
        stream.write(ANYTHING)
