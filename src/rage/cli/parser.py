"""argparse in every language, with suggestions for mistyped words, and with defaults and
environment variables in the help."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NoReturn

from rage.files import expand
from rage.rules.editions import PRESETS, ruleset
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import CHOICES, LABORATORY, PRINTED, SETTING_NAMES
from rage.say import (
    LANGUAGES,
    NotAllowed,
    NotReadable,
    RageError,
    Reason,
    brief,
    catalogue,
    clauses,
    fill,
    sentence,
    text,
    visible,
)

#: Completions for an argument: the values for a prefix, or files.
Values = Callable[[str], Iterable[str]] | Literal["files"]
FILES: Final = "files"
#: The environment variables that every command reads.
EVERYWHERE: Final = ("RAGE_LANG",)


class Parser(argparse.ArgumentParser):
    """The parser of a command or a subcommand; ``variables``: the environment variables that it
    reads, for the help. Errors take one line."""

    def __init__(
        self,
        *,
        language: str,
        bots: Iterable[str] = (),
        variables: Iterable[str] = (),
        notes: Iterable[str] = (),
        **options: Any,
    ) -> None:
        self.language = language
        #: The names of all options, and the commands below this one.
        self.names: list[str] = []
        self.commands: dict[str, Parser] = {}
        #: The arguments that may be empty.
        self.may_be_empty = set[str]()
        #: The completions for each argument that takes a value.
        self.values: list[tuple[argparse.Action, Values]] = []
        self._below: Any = None
        super().__init__(
            epilog=_epilog(language, notes, bots, [*EVERYWHERE, *variables]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument as in argparse, and remember the option for suggestions."""
        action = super().add_argument(*names, **options)
        self.names += action.option_strings
        return action

    def option(
        self,
        *names: str,
        code: str,
        usual: object = None,
        group: Any = None,
        values: Values | None = None,
        empty: bool = False,
        **options: Any,
    ) -> None:
        """Add an argument; ``code``: the code of its help text; ``usual``: the default that the
        help shows, unless obvious; ``group``: its group in this parser; ``values``: its
        completions; ``empty``: whether an option may be empty."""
        if options.get("type") in (int, float):
            options["type"] = number(options["type"], self.language)
        if values == FILES:
            options["type"] = path(self.language)
        said = text(code, self.language)
        if usual is not None:
            said += f" ({text('cli.usual', self.language, usual=usual)})"
        action: argparse.Action = (group or self).add_argument(
            *names, help=said.replace("%", "%%"), **options
        )
        if empty:
            self.may_be_empty.add(action.dest)
        if group is not None:
            self.names += action.option_strings
        if values is not None:
            self.values.append((action, values))

    def choice(self, *names: str, code: str, of: Sequence[str], **options: Any) -> None:
        """Add an argument with a fixed set of values."""
        read, metavar = one_of(of, self.language), "|".join(of)
        self.option(*names, code=code, type=read, metavar=metavar, values=lambda _: of, **options)

    def add_language(self) -> None:
        """Add ``--lang``, which every command accepts; without it, the value read by a parent
        command remains."""
        self.option(
            "--lang",
            code="cli.lang",
            metavar="|".join(LANGUAGES),
            values=lambda _: LANGUAGES,
            default=argparse.SUPPRESS,
        )

    def add_command(self, name: str, code: str, **options: Any) -> Parser:
        """Add a subcommand; ``code``: the code of its description."""
        if self._below is None:
            title = text("cli.commands", self.language)
            metavar = text("cli.metavar.command", self.language)
            dest = "action" if " " in self.prog else "command"
            self._below = self.add_subparsers(dest=dest, metavar=metavar, title=title)
        about = text(code, self.language)
        command: Parser = self._below.add_parser(
            name, help=about, description=wrap(about), language=self.language, **options
        )
        command.add_language()
        command.set_defaults(parser=command)
        self.commands[name] = command
        return command

    def check_command(self, words: Sequence[str]) -> None:
        """Exit with an error if the words name an unknown command."""
        if not self.commands:
            return
        at, unknown = 0, None
        while at < len(words) and words[at].startswith("-"):
            if words[at].partition("=")[0] not in self.names:
                unknown = unknown or words[at]
            at += 2 if words[at] == "--lang" else 1
        if at >= len(words):
            return
        command = self.commands.get(words[at])
        if command is None:
            if unknown is not None:  # the next word may be its value, not a command
                self.refuse_words([unknown])
            allowed = ", ".join(self.commands)
            message = text("cli.no_command", self.language, command=words[at], allowed=allowed)
            self.error(add_hint(message, words[at], self.commands, self.language))
        command.check_command(words[at + 1 :])

    def _parse_optional(self, word: str) -> Any:
        """Tell options from arguments for argparse: a list of cards may begin with a minus sign, as
        in ``-,R7``."""
        return None if word.startswith("-,") else super()._parse_optional(word)

    def _get_values(self, action: argparse.Action, words: list[str]) -> Any:
        """Read the words of an argument for argparse, refusing empty ones."""
        if action.option_strings and "" in words and action.dest not in self.may_be_empty:
            name = action.option_strings[-1]
            self.error(text("cli.empty", self.language, option=name))
        return super()._get_values(action, words)

    def error(self, message: str) -> NoReturn:
        """Exit with one line that also says how to get help."""
        print(f"{self.prog}: {visible(brief(message))} ({self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)

    def check_alone(self, arguments: argparse.Namespace, option: str, *beside: str) -> None:
        """Raise :class:`rage.NotAllowed` if an argument is given that means nothing with this
        option; ``beside``: the options that may stand beside it, as ``--lang`` always may."""
        for action in self._actions:
            name = action.option_strings[-1] if action.option_strings else action.metavar
            given = getattr(arguments, action.dest, None)
            if name not in (option, "--lang", *beside) and given not in (action.default, None, []):
                raise NotAllowed("cli.alone", option=option, other=name)

    def refuse_words(self, words: list[str]) -> NoReturn:
        """Exit with an error about unrecognised words."""
        message = text("argparse.unrecognized arguments: %s", self.language) % " ".join(words)
        self.error(add_hint(message, words[0].partition("=")[0], self.names, self.language))


def add_hint(message: str, word: str, names: Iterable[str], language: str) -> str:
    """An error about a word, with any suggestion from ``names``."""
    return with_hint(message, closest(word, names), language)


def with_hint(message: str, meant: str | None, language: str) -> str:
    """An error, with a suggestion if there is one."""
    if meant is None:
        return message
    return clauses([message, text("cli.did_you_mean", language, word=meant)], language)


def number(kind: type[int | float], language: str) -> Callable[[str], float]:
    """A function for ``type=``: accepts integers, or any numbers, without Python's digit separators
    such as ``1_000``."""
    code = "cli.no_number" if kind is int else "cli.no_decimal"

    def read(word: str) -> float:
        try:
            return kind("" if "_" in word else word)
        except ValueError:
            message = text(code, language, value=word)
            raise argparse.ArgumentTypeError(message) from None

    return read


def path(language: str) -> Callable[[str], str]:
    """A function for ``type=``: accepts a path, and expands ``~``."""

    def read(word: str) -> str:
        try:
            return expand(word)
        except NotReadable as error:
            raise argparse.ArgumentTypeError(sentence(error.reason, language)) from None

    return read


def one_of(names: Iterable[str], language: str) -> Callable[[str], str]:
    """A function for ``type=``: accepts certain names, with suggestions for mistyped ones."""
    allowed = tuple(names)

    def read(word: str) -> str:
        if word in allowed:
            return word
        message = text("argparse.invalid choice: %(value)r (choose from %(choices)s)", language)
        message %= {"value": word, "choices": ", ".join(allowed)}
        raise argparse.ArgumentTypeError(add_hint(message, word, allowed, language))

    return read


def speak(language: str) -> None:
    """Translate argparse's own messages by replacing gettext's ``_`` in its module; the alternative
    would be compiled catalogues on disk."""
    texts = catalogue(language)
    vars(argparse)["_"] = lambda message: texts.get(f"argparse.{message}", message)


def _width() -> int:
    """The width at which argparse itself wraps its help."""
    return max(shutil.get_terminal_size().columns - 2, 20)


def wrap(words: str, indent: str = "") -> str:
    """Text wrapped at the width of the terminal."""
    return fill(words, _width(), indent, indent)


def _epilog(
    language: str, notes: Iterable[str], bots: Iterable[str], variables: Iterable[str]
) -> str:
    """The text below the options: notes, how bots play, and environment variables."""
    parts = [wrap(text(code, language)) for code in notes]
    characters = {name: f"bot.{name}.about" for name in bots}
    if characters:
        parts.append(_list_of("cli.bots", characters, language))
    parts.append(
        _list_of("cli.variables", {each: f"cli.variable.{each}" for each in variables}, language)
    )
    return "\n\n".join(parts).replace("%", "%%")


def _list_of(title: str, items: Mapping[str, str], language: str) -> str:
    """A list in the help: names, each with the sentence of a code below it."""
    lines = [text(title, language)]
    for name, code in items.items():
        lines += [f"  {name}", wrap(text(code, language), " " * 8)]
    return "\n".join(lines)


#: Shorter prefixes match too much.
_MIN_PREFIX: Final = 3
_SETTINGS: Final = tuple(name for name in SETTING_NAMES if name not in LABORATORY)


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name closest to a word, or the only one that begins with it, if any."""
    written = word.lower()
    by_name = {name.lower(): name for name in names}
    if found := difflib.get_close_matches(written, by_name, 1):
        return by_name[found[0]]
    begun = [name for name in by_name if name.startswith(written)]
    return by_name[begun[0]] if len(begun) == 1 and len(written) >= _MIN_PREFIX else None


def suggestion(reason: Reason) -> str | None:
    """The name that was probably meant, if a refusal is about an unknown one."""
    params = reason.params
    match reason.code:
        case "ruleset.no_term":
            return _suggested_term(params["term"])
        case "ruleset.no_edition":
            return closest(params["name"], PRINTED)
        case "ruleset.no_setting":
            return closest(params["setting"], _SETTINGS)
        case "ruleset.no_value" | "setting.refused":
            return closest(str(params["value"]), CHOICES.get(params["setting"], ()))
        case "bot.unknown":
            return closest(params["bot"], params["allowed"].split(", "))
    return None


def _suggested_term(term: str) -> str | None:
    """The edition, ready-made rule set, variant or setting closest to a part of a rule set's name;
    if it has a space instead of a plus, the name with the plus."""
    joined = "+".join(term.split())
    if "+" in joined:
        with contextlib.suppress(RageError):
            return ruleset(joined).name
    setting = closest(re.split("[:=]", term)[0], _SETTINGS)
    return closest(term, [*PRINTED, *PRESETS, *VARIANTS]) or (setting and f"{setting}:...")


#: The system's own variables; the first one set counts.
SYSTEM: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_OPTION: Final = "--lang"


def _code(written: str) -> str:
    """The part before country, encoding and variant: ``de`` for ``de_DE.UTF-8`` or ``DE``."""
    return re.split(r"[-_.@]", written.strip().lower())[0]


def read_language(written: str) -> str:
    """The language that ``--lang`` names. Raises :class:`rage.NotReadable`."""
    code = _code(written)
    if code not in LANGUAGES:
        raise NotReadable("language.unknown", language=written, allowed=", ".join(LANGUAGES))
    return code


def preferred_language() -> str:
    """The language of the environment: ``RAGE_LANG``, or else the first one set of ``LC_ALL``,
    ``LC_MESSAGES`` and ``LANG``, or English. Raises :class:`rage.NotReadable` for an unsupported
    ``RAGE_LANG``."""
    asked = os.environ.get("RAGE_LANG")
    if asked:
        if _code(asked) not in LANGUAGES:
            allowed = ", ".join(LANGUAGES)
            raise NotReadable("language.variable", language=asked, allowed=allowed)
        return _code(asked)
    for name in SYSTEM:
        if value := os.environ.get(name):
            return _code(value) if _code(value) in LANGUAGES else "en"
    return "en"


def asked_language(words: Sequence[str]) -> str | None:
    """The value of ``--lang`` on a command line not yet parsed, because help and errors use it
    too."""
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == _OPTION and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(f"{_OPTION}="):
            return word.partition("=")[2]
    return None
