"""Custom bots: a Python class, a program; and the errors of one that fails."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import textwrap
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from rage import Game, Move, NotAllowed, NotReadable, View
from rage.arena import plan
from rage.arena.match import Match
from rage.arena.workers import play_all
from rage.bots import bot
from rage.bots.custom import any_bot
from rage.bots.program import _PROGRAMS, ProgramBot, question, stop_programs
from tools.node import NODE

#: How an error ends that comes from somebody's own file (below).
PLACE = r"\(own_bots\.py:9\)$"
EXAMPLE = Path(__file__).parents[2] / "examples/bot.mjs"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_bots", raising=False)
    yield
    stop_programs()


def first_view() -> View:
    game = Game("poof+schedule:3", 3, seed=b"x")
    assert game.to_act is not None
    return game.view(game.to_act)


def written(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(textwrap.dedent(text))
    return path


def own_class(text: str) -> str:
    """The name of a bot that is a class ``Own`` in a file of this folder."""
    written("own_bots.py", text)
    return "python:own_bots:Own"


def program(text: str) -> str:
    """The name of a bot that is a program in Python, which has ``answers`` to write with."""
    head = "import json, sys, time\nanswer = lambda x: print(x, flush=True)\n"
    written("program.py", "").write_text(head + textwrap.dedent(text))
    return f"program:{shlex.quote(sys.executable)} program.py"


def whole_game(name: str, rules: str = "poof+schedule:4.3.2.1", players: int = 4) -> Game:
    game = Game(rules, players, seed=b"x")
    bots = [any_bot(name, seat) for seat in range(players)]
    while (seat := game.to_act) is not None:
        game.play(bots[seat].choose(game.view(seat)))
    return game


# --- classes -------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["view.legal_moves[0]", "str(view.legal_moves[0])"])
def test_a_class_in_the_current_folder_plays(answer: str) -> None:
    name = own_class(
        f"""
        class Own:
            def __init__(self, seed):
                self.seed = seed

            def choose(self, view):
                return {answer}
        """
    )
    expected = Game("poof+schedule:4.3.2.1", 4, seed=b"x")
    while expected.to_act is not None:
        expected.play(expected.legal_moves[0])
    assert whole_game(name).scores == expected.scores


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("python:nowhere:Bot", "nowhere"),
        ("python:json:Bot", "Bot"),
        ("python:json", "python:module:Class"),
        ("python::", "python:module:Class"),
        ("program:", "program:COMMAND"),
        ("program:'", "program:COMMAND"),
    ],
)
def test_a_name_that_leads_nowhere_is_one_clear_error(name: str, said: str) -> None:
    with pytest.raises(NotReadable, match=said) as error:
        any_bot(name, 1)
    assert name in str(error.value)


def test_a_function_that_makes_no_bot_is_one_clear_error() -> None:
    with pytest.raises(NotAllowed, match="AttributeError"):
        any_bot("python:json:dumps", 1).choose(first_view())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return Move('9')", "answers 9, which is not allowed: A bid of 9 .* bid 0 to 3"),
        ("return 'R4'", "answers R4, which is not allowed: Bids come first"),
        ("return 'queen'", "queen"),
        ("return None", "None"),
        ("return 1000", "1000"),
        ("return (move for move in view.legal_moves)", "generator object"),
        ("return type('Odd', (), {'__str__': lambda self: 1 / 0})()", "answers Odd, which"),
        ("raise RuntimeError('too hard')", "has failed: RuntimeError: too hard"),
        ("raise SystemExit(3)", "has failed: SystemExit: 3"),
        (
            "raise __import__('asyncio').CancelledError",
            rf"has failed: CancelledError {PLACE}",
        ),
        ("return __import__('random').choice([])", rf"has failed: IndexError: .* {PLACE}"),
        ("return view.why_not(object())", rf"has failed: .* {PLACE}"),
        ("raise GeneratorExit", rf"has failed: GeneratorExit {PLACE}"),
        (
            "raise type('Odd', (Exception,), {'__str__': lambda self: 3})",
            rf"has failed: Odd {PLACE}",
        ),
        ("return type('Odd', (str,), {'__hash__': lambda self: 1 / 0})('queen')", "answers queen"),
    ],
)
def test_what_a_class_does_wrong_is_one_clear_error(body: str, said: str) -> None:
    name = own_class(
        f"""
        from rage import Move

        class Own:
            def __init__(self, seed):
                pass

            def choose(self, view):
                {body}
        """
    )
    with pytest.raises(NotAllowed, match=f"{name}.*{said}") as error:
        any_bot(name).choose(first_view())
    pickle.dumps(error.value.reason)  # for it may have happened in another process


def test_what_a_class_prints_goes_to_the_error_output(capsys: pytest.CaptureFixture[str]) -> None:
    """The output may be JSON."""
    name = own_class(
        """
        print("loaded")

        class Own:
            def __init__(self, seed):
                print("made")

            def choose(self, view):
                print("asked")
                return view.legal_moves[0]
        """
    )
    any_bot(name, 1).choose(first_view())
    assert capsys.readouterr() == ("", "loaded\nmade\nasked\n")


def test_a_class_may_play_on_in_what_it_is_given() -> None:
    """To look ahead; its answer is judged as things stand."""
    name = own_class(
        """
        class Own:
            def __init__(self, seed):
                self.seed = seed

            def choose(self, view):
                view.position.play(view.legal_moves[0].number)
                return "0"
        """
    )
    view = first_view()
    assert any_bot(name).choose(view) == Move("0")
    assert view.legal_moves == first_view().legal_moves


def test_its_seed_is_one_that_every_language_reads() -> None:
    name = program(
        """
        for line in sys.stdin:
            seed = json.loads(line)["seed"]
            answer(json.dumps({"move": "0" if seed == 7 else "1"}))
        """
    )
    assert any_bot(name, 2**63 + 2**32 + 7).choose(first_view()) == Move("0")


# --- programs ------------------------------------------------------------------------------


def test_a_program_in_another_language_plays_by_every_rule_set() -> None:
    name = f"program:{shlex.quote(NODE)} {shlex.quote(str(EXAMPLE))}"
    for rules, players in [("poof", 4), ("amigo", 3), ("fundex+two-teams+secret-bids", 4)]:
        assert whole_game(name, rules, players).over


def test_a_program_is_asked_all_that_its_seat_may_know_and_nothing_else() -> None:
    view = first_view()
    asked = json.loads(question(view, 7))
    assert asked["view"] == json.loads(json.dumps(view.as_data()))
    assert asked["seed"] == 7
    assert asked["rules"]["name"] == "poof+schedule:3"
    assert asked["rules"]["schedule"] == [3]
    assert asked["rules"]["pack"]["wild"] == 2
    assert question(view, 7).count(b"\n") == 1


def test_a_line_too_many_is_not_taken_for_the_next_answer() -> None:
    name = program(
        """
        for line in sys.stdin:
            for _ in range(2):
                answer(json.dumps({"move": json.loads(line)["view"]["legal"][0]}))
        """
    )
    game = Game("poof+schedule:3", 3, seed=b"twice")
    game.play(any_bot(name, 1).choose(game.view(game.to_act)))
    running = _PROGRAMS[name]
    while running._answers.empty():  # for the second line to come
        sleep(0.01)
    with pytest.raises(NotAllowed, match=r'answered {"move": "0"} without being asked'):
        any_bot(name, 1).choose(game.view(game.to_act))


def test_one_process_answers_for_all_seats() -> None:
    name = program(
        """
        open("starts", "a").write("x")
        for line in sys.stdin:
            answer(json.dumps({"move": json.loads(line)["view"]["legal"][0], "why": "first"}))
        """
    )
    assert whole_game(name).over
    assert Path("starts").read_text() == "x"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.stdin.readline(); raise ValueError('lost')", "status 1.*ValueError: lost"),
        ("sys.exit(3)", "status 3"),
        ("sys.stdin.readline(); answer('R4')", "answers R4; an answer is one line such as"),
        ("sys.stdin.readline(); answer('[]')", "an answer is one line such as"),
        ("sys.stdin.readline(); answer('x' * 1_000_000)", "an answer is one line such as"),
        ("sys.stdin.readline(); answer('{\"move\": 3}')", "an answer is one line such as"),
        ('sys.stdin.readline(); answer(\'{"move": "R4"}\')', "answers R4.*Bids come first"),
        ('sys.stdin.readline(); answer(\'{"move": "?"}\')', "not allowed"),
    ],
)
def test_what_a_program_does_wrong_is_one_clear_error(body: str, said: str) -> None:
    name = program(body)
    with pytest.raises(NotAllowed, match=said) as error:
        any_bot(name).choose(first_view())
    assert name in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("body", ["sys.stdin.readline(); time.sleep(60)", "time.sleep(60)"])
def test_a_program_that_hangs_is_stopped(body: str) -> None:
    name = program(body)
    with pytest.raises(NotAllowed, match=r"has not answered within 0\.5 seconds") as error:
        ProgramBot(name, 1, timeout=0.5).choose(first_view())
    assert name in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows ends the program alone")
def test_what_a_program_has_started_ends_with_it() -> None:
    """As where it is started by a script of the shell, or by npm."""
    name = program(
        """
        import os, subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pids", "w").write(f"{os.getpid()} {child.pid}")
        sys.stdin.readline()
        answer("pids are written")
        time.sleep(600)
        """
    )
    with pytest.raises(NotAllowed, match="pids are written"):
        ProgramBot(name, 1, timeout=60).choose(first_view())
    for pid in map(int, Path("pids").read_text().split()):
        wait_until_gone(pid)


def wait_until_gone(pid: int) -> None:
    """Wait for a process to end, ten seconds at most."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":  # ended, but its parent, which has ended too, has not asked how
            return
        sleep(0.1)
    raise AssertionError(pid)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_of_what_a_program_writes_unasked_little_is_kept(stream: str) -> None:
    """It has to wait, or what it said first is forgotten."""
    name = program(
        f"""
        asked = json.loads(sys.stdin.readline())
        answer(json.dumps({{"move": asked["view"]["legal"][0]}}))
        while True:
            sys.{stream}.write("x" * 60_000 + "\\n")
        """
    )
    tracemalloc.start()
    try:
        any_bot(name).choose(first_view())
        sleep(1.5)
        assert tracemalloc.get_traced_memory()[0] < 5_000_000
    finally:
        tracemalloc.stop()
    begun = monotonic()
    stop_programs()
    assert monotonic() - begun < 10


def test_programs_end_with_the_match() -> None:
    """Also one that plays in another process and does not look at its input any more."""
    name = program(
        """
        import os
        open("pids", "a").write(f"{os.getpid()}\\n")
        for line in sys.stdin:
            answer(json.dumps({"move": json.loads(line)["view"]["legal"][0]}))
            if os.path.exists("enough"):
                while True:
                    time.sleep(1)
        """
    )
    match = Match.of((name, "random"), "poof+schedule:1", 2, "ends")
    games = play_all(match, plan(match, 1000), 2)
    next(games)
    Path("enough").touch()
    games.close()
    for pid in map(int, Path("pids").read_text().split()):
        wait_until_gone(pid)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.sampled(3)
@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("ending", ["SIGHUP", "SIGTERM"])
def test_programs_end_with_the_terminal_that_is_closed(ending: str, processes: str) -> None:
    """Also one that thinks and looks at nothing."""
    name = program(
        """
        import os
        open("pids", "a").write(f"{os.getpid()}\\n")
        while True:
            time.sleep(1)
        """
    )
    words = ["arena", name, "random", "--players", "2", "--processes", processes]
    # Under nohup the signal is ignored, and child processes inherit that.
    before = signal.signal(getattr(signal, ending), signal.SIG_DFL)
    arena = subprocess.Popen(
        [sys.executable, "-m", "rage", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    signal.signal(getattr(signal, ending), before)
    for _ in range(300):
        if Path("pids").exists() and Path("pids").read_text().endswith("\n"):
            break
        sleep(0.1)
    os.killpg(arena.pid, getattr(signal, ending))
    # Asked to end, it does as after Ctrl-C.
    assert arena.wait(30) == (128 + signal.SIGTERM if ending == "SIGTERM" else -signal.SIGHUP)
    for pid in map(int, Path("pids").read_text().split()):
        wait_until_gone(pid)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_program_ends_with_a_signal_that_comes_while_it_is_started() -> None:
    name = program("time.sleep(60)")
    written(
        "asked.py",
        """
        import os, signal, subprocess, sys
        from rage import Game
        from rage.bots.custom import any_bot

        class Interrupted(subprocess.Popen):
            def __init__(self, *args, **options):
                super().__init__(*args, **options)
                print(self.pid, flush=True)
                os.kill(os.getpid(), signal.SIGTERM)

        subprocess.Popen = Interrupted
        game = Game("poof+schedule:3", 3, seed=b"x")
        any_bot(sys.argv[1]).choose(game.view(game.to_act))
        """,
    )
    asked = [sys.executable, "asked.py", name]
    done = subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=False, timeout=30)
    assert done.returncode == -signal.SIGTERM
    wait_until_gone(int(done.stdout))


def test_a_program_that_has_failed_is_started_again() -> None:
    name = program(
        """
        import os
        bad = not os.path.exists("tried")
        open("tried", "w").close()
        for line in sys.stdin:
            answer("?" if bad else json.dumps({"move": json.loads(line)["view"]["legal"][0]}))
        """
    )
    with pytest.raises(NotAllowed):
        any_bot(name).choose(first_view())
    assert any_bot(name).choose(first_view()) == Move("0")


@pytest.mark.parametrize("name", ["python:json:Bot", "program:true"])
def test_only_who_asks_for_it_gets_a_bot_of_their_own(name: str) -> None:
    """A server makes bots by :func:`rage.bots.bot`, whatever a stranger may write."""
    with pytest.raises(NotReadable, match="there is no bot called"):
        bot(name)
