"""The command ``rage``: one module a subcommand, loaded when it is asked for."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from rage import __version__
from rage.say import LANGUAGES, NotReadable, RageError, brief, catalogue, sentence, text, visible

#: Each is a module here with ``configure(parser, language)`` and ``run(arguments) -> int``.
COMMANDS: Final = ("serve", "play", "replay", "convert", "deal", "verify", "rules")
#: What the command itself takes before a subcommand; any other option is one of ``serve``.
_OWN: Final = ("-h", "--help", "--version")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the command line in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {visible(brief(message))} ({self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def preferred_language() -> str:
    """The language to speak: ``RAGE_LANG``, or else the first of ``LC_ALL``, ``LC_MESSAGES`` and
    ``LANG`` that is set, or English. Raises :class:`rage.NotReadable` for another RAGE_LANG."""
    asked = os.environ.get("RAGE_LANG")
    if asked:
        catalogue(asked)
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or 1 or 2 for what is not allowed or not
    readable (see ``docs/record.md`` for ``rage replay``)."""
    words = list(sys.argv[1:] if argv is None else argv)
    language = "en"
    # Closed by whoever started us; what stands in stays open to the very end.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets an escape, not an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        language = preferred_language()
        status = _run(words, language)
        sys.stdout.flush()
        return status
    except RageError as error:
        print(f"rage: {sentence(error.reason, language)}", file=sys.stderr)
        return 2 if isinstance(error, NotReadable) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()
        return 141
    except OSError as error:
        # The output takes no more: a full disk, a terminal that is gone.
        _silence()
        print(f"rage: {error.strerror or error}", file=sys.stderr)
        return 1


def _silence() -> None:
    """Say nothing more on the output, not even at shutdown."""
    with contextlib.suppress(OSError):  # an output without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _speak(language: str) -> None:
    """Let argparse say its own sentences in a language. It looks each up under the name of
    gettext's function in its module, and has no other way in but compiled catalogues on disk."""
    texts = catalogue(language)
    vars(argparse)["_"] = lambda message: texts.get(f"argparse.{message}", message)


def _run(words: list[str], language: str) -> int:
    if not words or (words[0].startswith("-") and words[0] not in _OWN):
        words = ["serve", *words]
    _speak(language)
    about, default = (text(code, language) for code in ("cli.about", "cli.default"))
    parser = _Parser(prog="rage", description=about, epilog=default)
    version, shows = f"rage {__version__}", text("cli.version", language)
    parser.add_argument("--version", action="version", version=version, help=shows)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in COMMANDS:
        about = text(f"cli.{name}", language)
        command = commands.add_parser(name, help=about, description=about)
        if words[0] == name:
            import_module(f"rage.cli.{name}").configure(command, language)
    arguments = parser.parse_args(words)
    if arguments.command is None:
        parser.print_help()
        return 2
    arguments.language = language
    status: int = import_module(f"rage.cli.{arguments.command}").run(arguments)
    return status
