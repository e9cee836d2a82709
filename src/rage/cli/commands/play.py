"""``rage play``: a game against bots in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from rage.bots import OFFERED
from rage.bots.custom import any_bot
from rage.bots.interface import PROGRAM
from rage.bots.titles import notes_on
from rage.cli.arguments import named_bots, opponents, rule_sets, usual_edition
from rage.cli.parser import Parser
from rage.cli.terminal import ask, output_width, program_name, uncompiled_note
from rage.engine.deal import read_seed
from rage.files import data_folder
from rage.rules.editions import ruleset
from rage.say import NotAllowed, NotReadable, sentence, text
from rage.table.people.names import name_from
from rage.tui import game_files, saved
from rage.tui.guide import Guide
from rage.tui.opening import PERSON, player_names
from rage.tui.session import Session

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_DATA", "RAGE_SLOW_BOTS", "TERM")
#: The bots that the help describes.
DESCRIBED_BOTS: Final = OFFERED
#: Options that describe a new game: with any of these, no game is resumed.
_NEW: Final = ("rules", "players", "bots", "seed", "name")
#: Options of the full screen.
_SCREEN: Final = ("ascii", "speed", "pause")


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage play``."""

    def usual(key: str) -> str:
        return text(f"cli.play.usual.{key}", parser.language)

    rules = text("cli.usual.rules", parser.language)
    parser.option("--rules", code="cli.rules_name", metavar="NAME", usual=rules, values=rule_sets)
    usual_players = text("cli.usual.players", parser.language)
    parser.option("--players", code="cli.players", type=int, metavar="N", usual=usual_players)
    parser.option("--bots", code="cli.play.bots", metavar="NAMES", usual="steady", values=opponents)
    parser.option("--seed", code="cli.play.seed", metavar="TEXT", usual=usual("seed"))
    parser.option("--name", code="cli.play.name", metavar="NAME", usual=usual("name"))
    configure_look(parser)
    which = parser.add_mutually_exclusive_group()
    parser.option("--resume", code="cli.play.resume", group=which, action="store_true")
    parser.option("--new", code="cli.play.new", group=which, action="store_true")


def configure_look(parser: Parser) -> None:
    """Add the options for how a game is shown."""
    speeds = ("slow", "normal", "fast", "instant")
    parser.option("--plain", code="cli.play.plain", action="store_true")
    parser.option("--ascii", code="cli.play.ascii", action="store_true")
    parser.choice("--speed", code="cli.play.speed", of=speeds, usual="normal")
    parser.choice("--pause", code="cli.play.pause", of=("key", "timer", "off"), usual="key")
    parser.option("--by-hand", code="cli.play.by_hand", action="store_true")
    parser.option(
        "--coach", code="cli.play.coach", action=argparse.BooleanOptionalAction, default=None
    )


def run(arguments: argparse.Namespace) -> int:
    """Play in full screen, or line by line if requested or without a terminal."""
    return show(arguments, lambda stack: _session(arguments, stack))


#: Finds the game to play, or ``None``; puts its locks on the stack.
Finder = Callable[[contextlib.ExitStack], Session | None]


def show(arguments: argparse.Namespace, find: Finder) -> int:
    """Play the game that ``find`` returns, in the form that the options choose."""
    for name in _SCREEN:
        if arguments.plain and getattr(arguments, name):
            raise NotAllowed("play.plain_alone", option=f"--{name}")
    dumb = os.environ.get("TERM") == "dumb"
    # Textual draws on standard error.
    screen = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    plain = arguments.plain or dumb or not screen
    with contextlib.ExitStack() as stack:
        session = find(stack)
        if session is None:
            return 0
        session.by_hand = arguments.by_hand
        note = uncompiled_note(arguments.language, data_folder())
        bots = [each for each in session.bots if each is not None]
        for each in (note, *notes_on(bots, session.rules, arguments.language)):
            if each is not None:
                print(each, file=sys.stderr)
        if any(each.startswith(PROGRAM) for each in bots):
            from rage.bots.program import end_programs_by_signals

            # Only the main thread can set signal handlers, and bots may start in another.
            end_programs_by_signals()
        if plain:
            from rage.tui.plain import Plain

            return Plain(
                session,
                arguments.language,
                sys.stdin,
                sys.stdout,
                program_name(),
                _guide(session, arguments),
                output_width(),
            ).run()
        return _full_screen(session, arguments)


def _guide(session: Session, arguments: argparse.Namespace) -> Guide:
    """The coach, on or off according to the options and this person's games."""
    return Guide.open(arguments.coach, keep=session.kept)


def _full_screen(session: Session, arguments: argparse.Namespace) -> int:
    from rage.tui.app import TableApp
    from rage.tui.look import Look, ascii_only

    narrow = arguments.ascii or ascii_only(sys.stdout.encoding, os.environ.get("TERM"))
    looks = Look(arguments.language, session.rules.edition, narrow=narrow)
    app = TableApp(
        session,
        looks,
        speed=arguments.speed or "normal",
        pause=arguments.pause or "key",
        guide=_guide(session, arguments),
    )
    app.run()
    if session.problem is not None:
        print(sentence(session.problem, looks.language), file=sys.stderr)
        return 1
    # The terminal may be gone by now.
    with contextlib.suppress(OSError):
        print(sentence(session.where_kept(program_name()), looks.language))
    return app.return_code or 0


def _session(arguments: argparse.Namespace, stack: contextlib.ExitStack) -> Session | None:
    """The unfinished or new game to play; ``None`` if the input ended before a choice."""
    language = arguments.language
    given = [f"--{name}" for name in _NEW if getattr(arguments, name) is not None]
    if arguments.resume:
        if given:
            raise NotAllowed("play.resume_alone", option=given[0])
        found = next(_resumable(language), None)
        if found is None:
            raise NotAllowed("play.nothing_to_resume", folder=str(data_folder()))
        return resume(found[0], language, stack)
    if not arguments.new and not given:
        session, asked = _offer_resume(language, stack)
        if session is not None or not asked:
            return session
    start = _new(arguments, language)
    session = start(can_be_kept(language))
    if session.kept:
        stack.enter_context(game_files.lock_game(session.path))
    return session


def resume(path: Path, language: str, stack: contextlib.ExitStack) -> Session:
    """The unfinished game of a file, locked for this process."""
    stack.enter_context(game_files.lock_game(path))
    return Session.resume(path, keep=can_be_kept(language))


def can_be_kept(language: str) -> bool:
    """Return whether games can be saved. If not, ask whether to play anyway, and raise
    :class:`rage.NotAllowed` if not."""
    why = game_files.storage_problem()
    if why is None:
        return True
    place = {"folder": str(data_folder()), "reason": why}
    print(text("play.no_place", language, **place))
    if not ask("play.unkept?", language):
        raise NotAllowed("play.not_begun")
    return False


def _offer_resume(language: str, stack: contextlib.ExitStack) -> tuple[Session | None, bool]:
    """The unfinished game, if the person wants to resume it, and whether a new one may be started
    instead."""
    found = next(_resumable(language), None)
    if found is None:
        return None, True
    path, kept = found
    print(text("play.offer", language, **_outline(kept)))
    answer = ask("play.resume?", language)
    if answer:
        return resume(path, language, stack), True
    return None, answer is not None


def _resumable(language: str) -> Iterator[tuple[Path, saved.SavedGame]]:
    """Yield the unfinished games, the last played first; print which are unreadable."""
    for path in game_files.unfinished_games():
        try:
            kept = saved.load(path)
        except NotReadable as error:
            print(f"rage: {sentence(error.reason, language)}", file=sys.stderr)
            continue
        if kept.table.phase == "over":  # only its record has not been written yet
            with contextlib.suppress(NotAllowed), game_files.lock_game(path):
                Session.resume(path)
        else:
            yield path, kept


def _outline(kept: saved.SavedGame) -> dict[str, Any]:
    """The parameters of the sentence that offers an unfinished game."""
    view = kept.table.game_view(PERSON)
    assert view is not None
    started = kept.table.state.require_play().started
    return {
        "rules": view.rules.name,
        "players": view.players,
        "round": view.rounds[-1].number,
        "last": len(view.rules.schedule),
        "started": datetime.fromtimestamp(started / 1000).astimezone().strftime("%Y-%m-%d %H:%M"),
    }


def _new(arguments: argparse.Namespace, language: str) -> Callable[[bool], Session]:
    """Check the options of a new game, and return a function that starts it."""
    rules = ruleset(usual_edition(language) if arguments.rules is None else arguments.rules)
    players = rules.usual_players if arguments.players is None else arguments.players
    rules.for_players(players)
    named = "steady" if arguments.bots is None else arguments.bots
    bots = named_bots(named)
    for each in bots:
        any_bot(each)
    if len(bots) >= players:
        raise NotAllowed("play.too_many_bots", given=len(bots), seats=players - 1)
    seed = None if arguments.seed is None else read_seed(arguments.seed)
    names = player_names(_own_name(arguments.name, language), players, bots)
    return lambda keep: Session.start(rules, names, bots, seed, keep=keep)


def _own_name(given: str | None, language: str) -> str:
    """The person's name: as given, or their user name."""
    if given is None:
        try:
            given = name_from(getpass.getuser().capitalize())
        except (OSError, KeyError, ImportError):
            given = ""
    # Bytes of the command line that cannot be decoded cannot be saved in a record.
    clean = given.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    return clean or text("play.name", language)
