"""``rage play``: a game against bots in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import io
import os
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Final

from rage.bots import bot
from rage.deal import read_seed
from rage.editions import ruleset
from rage.kernel import COMPILED
from rage.say import LANGUAGES, NotAllowed, NotReadable, catalogue, sentence, text
from rage.table.guests import MAX_NAME
from rage.tui import saved
from rage.tui.opening import PERSON, player_names
from rage.tui.session import Session

#: Options that describe a new game: with any of them there is nothing to resume.
_NEW: Final = ("rules", "players", "bots", "seed", "name")


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""

    def say(key: str) -> str:
        return text(f"cli.play.{key}", language)

    parser.add_argument("--rules", metavar="NAME", help=text("cli.rules_name", language))
    parser.add_argument("--players", type=int, metavar="N", help=text("cli.players", language))
    parser.add_argument("--bots", metavar="NAMES", help=say("bots"))
    parser.add_argument("--seed", metavar="TEXT", help=say("seed"))
    parser.add_argument("--name", help=say("name"))
    parser.add_argument("--lang", choices=LANGUAGES, help=say("lang"))
    parser.add_argument("--plain", action="store_true", help=say("plain"))
    parser.add_argument("--ascii", action="store_true", help=say("ascii"))
    parser.add_argument("--speed", choices=("slow", "normal", "fast", "instant"), help=say("speed"))
    parser.add_argument("--pause", choices=("key", "timer", "off"), help=say("pause"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--resume", action="store_true", help=say("resume"))
    which.add_argument("--new", action="store_true", help=say("new"))


def run(arguments: argparse.Namespace) -> int:
    """Play in full screen, or line by line where asked to or where there is no terminal."""
    language: str = arguments.lang or arguments.language
    catalogue(language)
    dumb = os.environ.get("TERM") == "dumb"
    # Textual draws on the error output.
    screen = all(map(_terminal, (sys.stdin, sys.stdout, sys.stderr)))
    plain = arguments.plain or dumb or not screen
    if plain:
        _tolerant()
    with contextlib.ExitStack() as held:
        return _run(arguments, language, held, plain=plain)


def _run(
    arguments: argparse.Namespace, language: str, held: contextlib.ExitStack, *, plain: bool
) -> int:
    session = _session(arguments, language, held, plain=plain)
    if session is None:
        return 0
    if plain:
        from rage.tui.plain import Plain

        if not COMPILED and sys.stderr is not None:
            print(text("cli.uncompiled", language), file=sys.stderr)
        source = sys.stdin or io.StringIO()
        return Plain(session, language, source, sys.stdout, _called()).run()
    return _full_screen(session, arguments, language)


def _full_screen(session: Session, arguments: argparse.Namespace, language: str) -> int:
    from rage.tui.app import TableApp
    from rage.tui.look import Look, ascii_only

    narrow = arguments.ascii or ascii_only(sys.stdout.encoding, os.environ.get("TERM"))
    looks = Look(language, session.rules.edition, narrow=narrow)
    app = TableApp(
        session, looks, speed=arguments.speed or "normal", pause=arguments.pause or "key"
    )
    app.run()
    if session.problem is not None:
        print(sentence(session.problem, looks.language), file=sys.stderr)
        return 1
    # The terminal may be gone by now.
    with contextlib.suppress(OSError):
        code = "play.done" if session.over else "play.kept"
        print(text(code, looks.language, file=session.path, command=_called()))
    return app.return_code or 0


def _called() -> str:
    """The command that plays, as it was called: a path stays one, so that it can be typed again."""
    called = sys.argv[0]
    if os.path.basename(called) == "__main__.py":
        return f"{os.path.basename(sys.executable)} -m rage play"
    if not os.path.isfile(called):
        return "rage play"
    found = shutil.which("rage")
    if found is not None and os.path.samefile(found, called):
        return "rage play"
    near = os.path.relpath(called)
    return f"{called if near.startswith(os.pardir) else near} play"


def _terminal(stream: object) -> bool:
    """Whether a stream is a terminal; one that is closed or missing is none."""
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]  # None has no isatty
    except (AttributeError, ValueError):
        return False


def _tolerant() -> None:
    """Bytes that are no text, and letters that the output has not got, must not end a game."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _session(
    arguments: argparse.Namespace, language: str, held: contextlib.ExitStack, *, plain: bool
) -> Session | None:
    """The game that is to be played: an unfinished one, or a new one; ``None`` where the input
    ended before that was said."""
    given = [f"--{name}" for name in _NEW if getattr(arguments, name) is not None]
    if arguments.resume:
        if given:
            raise NotAllowed("play.resume_alone", option=given[0])
        files = saved.unfinished()
        if not files:
            raise NotAllowed("play.nothing_to_resume", folder=str(saved.folder()))
        held.enter_context(saved.played(files[0]))
        return Session.resume(files[0])
    if not arguments.new and not given:
        session, asked = _offered(language, held)
        if session is not None or not asked:
            return session
    session = _new(arguments, language)
    held.enter_context(saved.played(session.path))
    return session


def _offered(language: str, held: contextlib.ExitStack) -> tuple[Session | None, bool]:
    """The unfinished game, if there is one that can be read and the person wants it; and
    whether a new one may be begun instead."""
    for path in saved.unfinished():
        try:
            kept = saved.load(path)
        except NotReadable as error:
            print(f"rage: {sentence(error.reason, language)}", file=sys.stderr)
            continue
        if kept.table.phase == "over":  # and only its record was not written any more
            with contextlib.suppress(NotAllowed), saved.played(path):
                Session.resume(path)
            continue
        answer = _ask(path, kept, language)
        if answer is None:
            return None, False
        if not answer:
            return None, True
        held.enter_context(saved.played(path))
        return Session.resume(path), True
    return None, True


def _ask(path: Path, kept: saved.Kept, language: str) -> bool | None:
    """Whether to resume a game; ``None`` at the end of the input."""
    from rage.editions import name_of

    view = kept.table.game_view(PERSON)
    assert view is not None
    print(
        text(
            "play.offer",
            language,
            rules=name_of(view.rules),
            players=view.players,
            round=view.rounds[-1].number,
            last=len(view.rules.schedule),
            started=_local(kept.table.state.require_play().started),
        )
    )
    while True:
        print(text("play.resume?", language), end=" ", flush=True)
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            print()
            return None
        word = line.strip().lower()
        if word in text("play.yes", language).split() or not word:
            return True
        if word in text("play.no", language).split():
            return False


def _local(moment: int) -> str:
    """A moment, in milliseconds, as the clock on the wall has it."""
    return datetime.fromtimestamp(moment / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def _new(arguments: argparse.Namespace, language: str) -> Session:
    rules = ruleset(arguments.rules or "poof")
    players = arguments.players
    if players is None:
        players = 6 if rules.teams == 3 else 4
    rules.for_players(players)
    bots = [each.strip() for each in (arguments.bots or "steady").split(",")]
    for each in bots:
        bot(each)
    seed = None if arguments.seed is None else read_seed(arguments.seed)
    names = player_names(_own_name(arguments.name, language), players, language)
    return Session.start(rules, names, bots, seed)


def _own_name(given: str | None, language: str) -> str:
    """The person's name: as given, or the one this computer knows."""
    if given is None:
        try:
            given = getpass.getuser().capitalize()[:MAX_NAME]
        except (OSError, KeyError, ImportError):
            given = ""
    # Bytes of the command line that are no text cannot be kept in a record.
    clean = given.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    return clean or text("play.name", language)
