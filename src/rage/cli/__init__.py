"""The command ``rage``: one module for each subcommand, imported when it is needed."""

from __future__ import annotations

import codecs
import contextlib
import io
import logging
import os
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from rage import __version__
from rage.cli.parser import (
    Parser,
    asked_language,
    preferred_language,
    read_language,
    speak,
    suggestion,
    with_hint,
)
from rage.say import NotReadable, RageError, fill, sentence, text

#: Each is a module of ``commands`` with ``configure(parser)`` and ``run(arguments) -> int``.
#: ``VARIABLES``, if present, lists the environment variables it also reads, ``DESCRIBED_BOTS`` the
#: bots that its help describes.
COMMANDS: Final = (
    "serve", "play", "learn", "score", "sheet", "judge", "games", "replay", "analyse", "convert",
    "deal", "verify", "rules", "arena", "simulate", "lab", "admin", "backup", "restore",
    "completion",
)  # fmt: skip
#: The options of the command itself before a subcommand, besides ``--lang``; any other option
#: belongs to ``serve``.
_OWN: Final = ("-h", "--help", "--version")
#: The standard streams: the mode of each, and how it handles characters it cannot read or show.
_STREAMS: Final = (
    ("stdin", "r", "replace"), ("stdout", "w", "rage"), ("stderr", "w", "rage"),
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status: 0, 1 if something is not allowed, 2 if
    something is not readable (see ``docs/record.md`` for ``rage replay``)."""
    words = list(sys.argv[1:] if argv is None else argv)
    _repair_std_streams()
    # Errors are printed in the person's language; a server still logs them.
    logging.getLogger("rage").addHandler(logging.NullHandler())
    language, language_error = _language(words)
    try:
        status = _run(words, language, language_error)
        sys.stdout.flush()
        return status
    except RageError as error:
        _report(_said(error, language))
        return 2 if isinstance(error, NotReadable) else 1
    except ModuleNotFoundError as error:
        if (error.name or "rage").partition(".")[0] == "rage":
            raise
        _report(_missing(error.name, language))
        return 1
    except KeyboardInterrupt as error:
        return error.args[0] if error.args else 130
    except BrokenPipeError:
        _silence()
        return 141
    except OSError as error:
        # The output accepts no more: a full disk, a closed terminal.
        _silence()
        said = error.strerror or str(error)
        _report(said if error.filename is None else f"{error.filename}: {said}")
        return 1


def _in_other_letters(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace a minus sign that cannot be shown with a hyphen, and escape anything else."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] == "−":
        return "-", error.start + 1
    return codecs.backslashreplace_errors(error)


def _repair_std_streams() -> None:
    """Replace standard streams that the parent process has closed, and never fail on bytes that are
    not text or on letters that a terminal cannot show. (Input piped in by PowerShell begins with a
    byte order mark.)"""
    codecs.register_error("rage", _in_other_letters)
    for name, mode, errors in _STREAMS:
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # for good
        elif isinstance(stream, io.TextIOWrapper):
            marked = name == "stdin" and stream.encoding.lower() == "utf-8"
            stream.reconfigure(encoding="utf-8-sig" if marked else None, errors=errors)


def _report(message: str) -> None:
    """Print an error: on one line, or wrapped in a terminal."""
    line = f"rage: {message}"
    if sys.stderr.isatty():
        line = fill(line, shutil.get_terminal_size().columns)
    print(line, file=sys.stderr)


def _language(words: Sequence[str]) -> tuple[str, NotReadable | None]:
    """The language to use, and the error if the requested one is unknown. The error is reported
    only after parsing everything else, so that ``--version`` and ``--help`` still work."""
    language_error = None
    try:
        language = preferred_language()
    except NotReadable as error:
        language, language_error = "en", error
    asked = asked_language(words)
    if asked is None:
        return language, language_error
    try:
        return read_language(asked), None
    except NotReadable as error:
        return language, error


def _said(error: RageError, language: str) -> str:
    """A refusal as a sentence, with a suggestion if it is about an unknown name."""
    return with_hint(sentence(error.reason, language), suggestion(error.reason), language)


def _missing(package: str | None, language: str) -> str:
    """The message for a missing package: the command that installs it."""
    from rage.extras import install_command

    command = install_command("play")
    return text("cli.missing", language, package=package, command=command)


def _silence() -> None:
    """Discard all further output, also at shutdown."""
    with contextlib.suppress(OSError):  # an output without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_command(words: Sequence[str]) -> list[str]:
    """The words of the command line, with ``serve`` if they don't name a command."""
    at = 0
    while at < len(words) and words[at].partition("=")[0] == "--lang":
        at += 1 if "=" in words[at] else 2
    if at > len(words):  # the value of --lang is missing
        return list(words)
    if at == len(words) or (words[at].startswith("-") and words[at] not in _OWN):
        return [*words[:at], "serve", *words[at:]]
    return list(words)


def _named(words: Sequence[str]) -> list[str]:
    """The command, alone in a list: the first word that is neither an option nor a language. Any
    later word may mean something else, such as a folder called ``games``."""
    return [each for at, each in enumerate(words)
            if not each.startswith("-") and words[at - 1 : at] != ["--lang"]][:1]  # fmt: skip


def build(language: str, wanted: Sequence[str] = COMMANDS) -> Parser:
    """The parser of the whole command line; only the ``wanted`` commands get their options, since
    that means importing their modules."""
    about = text("cli.about", language)
    parser = Parser(
        prog="rage", description=about, language=language, notes=["cli.default", "cli.extra"]
    )
    version, shows = f"rage {__version__}", text("cli.version", language)
    parser.add_argument("--version", action="version", version=version, help=shows)
    parser.add_language()
    for name in COMMANDS:
        if name in wanted:
            module = import_module(f"rage.cli.commands.{name}")
            more = {
                "bots": getattr(module, "DESCRIBED_BOTS", ()),
                "variables": getattr(module, "VARIABLES", ()),
            }
            module.configure(parser.add_command(name, f"cli.{name}", **more))
        else:
            parser.add_command(name, f"cli.{name}")
    return parser


def _complete(language: str) -> None:
    """Answer a shell's completion request; the options of ``serve`` may stand alone."""
    from rage.cli.commands import completion, serve

    parser = build(language)
    serve.configure(parser)
    completion.complete(parser)


def _run(words: Sequence[str], language: str, language_error: NotReadable | None) -> int:
    speak(language)
    if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
        _complete(language)
    typed, words = words, _with_command(words)
    parser = build(language, _named(words))
    parser.check_command(words)
    arguments, unknown = parser.parse_known_args(words)
    chosen: Parser = getattr(arguments, "parser", parser)
    if unknown:
        chosen.refuse_words(unknown)
    if "lang" in arguments:
        language = read_language(arguments.lang)
    elif language_error is not None:
        raise language_error
    arguments.language, arguments.words = language, typed
    run = import_module(f"rage.cli.commands.{arguments.command}").run
    status: int = run(arguments)
    return status
