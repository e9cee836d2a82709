"""Custom bots: a Python class, or a program that answers over its standard input and output.

``python:module:Class`` is a class that takes a seed and has ``choose(view)``; ``program:COMMAND``
is a command line. Only the user of this computer may name one, in the arena and in ``rage play``:
:func:`rage.bots.bot`, which everything else uses, knows none of these. ``docs/bots.md`` explains
how to write one.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from sysconfig import get_paths
from traceback import extract_tb
from typing import Any, Final

from rage.bots import bot
from rage.bots.interface import PROGRAM, BaseBot, Bot, Budget, check_answer
from rage.game.view import View
from rage.rules.values import Move
from rage.say import NotAllowed, NotReadable, RageError, brief, check_kind, in_words

#: The name prefix of bots that are classes.
CLASS: Final = "python:"
#: The folders of code that is not the bot's own: Rage, Python and installed packages.
_OTHERS: Final = (Path(__file__).parents[1], *map(Path, get_paths().values()))


def any_bot(name: str, seed: int | None = None) -> Bot:
    """The bot of this name: one of :data:`rage.bots.BOTS`, or a custom one. Raises
    :class:`rage.NotReadable` for an unknown name, and for a class that cannot be loaded. Custom
    bots get a 32-bit seed, which fits any language's integer."""
    check_kind(name, str, "text")
    own_seed = None if seed is None else seed % 2**32
    if name.startswith(CLASS):
        return ClassBot(name, own_seed)
    if name.startswith(PROGRAM):
        from rage.bots.program import ProgramBot

        return ProgramBot(name, own_seed)
    return bot(name, seed)


def is_custom(name: str) -> bool:
    """Whether a name means a custom bot."""
    return name.startswith((CLASS, PROGRAM))


class ClassBot(BaseBot):
    """A custom bot that is a Python class. Its exceptions and illegal moves become one error that
    names it; what it prints goes to stderr, because stdout is Rage's."""

    def __init__(self, name: str, seed: int | None) -> None:
        self.name = name
        made = _class_of(name)
        with _TheirCode(NotReadable, "bot.own.no_class", name):
            self._bot = made(seed)

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The choice of the class, a :class:`Move` or its code, checked to be legal. Raises
        :class:`rage.NotAllowed`."""
        with _TheirCode(NotAllowed, "bot.own.failed", self.name):
            answer = self._bot.choose(view)  # the bot may change its copy
        return check_answer(self.name, answer, view)


def _class_of(name: str) -> Any:
    """The class that ``python:module:Class`` names; its module may be in the current folder."""
    module, colon, of = name.removeprefix(CLASS).partition(":")
    if not (module and colon and of):
        raise NotReadable("bot.own.no_name", bot=name)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    with _TheirCode(NotReadable, "bot.own.no_class", name):
        return getattr(import_module(module), of)


class _TheirCode:
    """Runs custom code: what it prints goes to stderr, and its exceptions, except Ctrl-C, become
    one error that names the bot. (A class, because it is entered for every decision.)"""

    def __init__(self, refusal: type[RageError], code: str, bot: str) -> None:
        self._refusal, self._code, self._bot = refusal, code, bot

    def __enter__(self) -> None:
        self._stdout, sys.stdout = sys.stdout, sys.stderr

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        sys.stdout = self._stdout
        if error is not None and not isinstance(error, KeyboardInterrupt):
            raise self._refusal(self._code, bot=self._bot, error=_told(error)) from error


def _told(error: BaseException) -> str:
    """An exception in one line, with the place in the bot's own code that raised it."""
    words = in_words(error)
    name = type(error).__name__
    told = brief(f"{name}: {words}" if words not in ("''", name) else name)
    for place in reversed(extract_tb(error.__traceback__)):
        file = Path(place.filename)
        if file.is_file() and not any(map(file.is_relative_to, _OTHERS)):
            return f"{told} ({file.name}:{place.lineno})"
    return told
