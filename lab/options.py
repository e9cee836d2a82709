"""Types for the options of developers' programs, for :mod:`argparse`, which refuses a bad value
with one line."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TypeVar

from rage.bots.net import Network
from rage.rules.editions import ruleset
from rage.say import NotReadable, RageError

N = TypeVar("N", int, float)


def integer(least: int, most: int = 1_000_000_000) -> Callable[[str], int]:
    """A whole number from ``least`` to ``most``."""
    what = f"a whole number from {least} to {most}"
    return _number(int, lambda number: least <= number <= most, what)


def above(bound: float) -> Callable[[str], float]:
    """A finite number above ``bound``."""
    return _number(float, lambda number: number > bound, f"a number above {bound:g}")


def at_least(bound: float) -> Callable[[str], float]:
    """A finite number that is ``bound`` or more."""
    return _number(float, lambda number: number >= bound, f"a number from {bound:g} up")


def share(text: str) -> float:
    """A number from 0 to 1."""
    return _number(float, lambda number: 0 <= number <= 1, "a number from 0 to 1")(text)


def _number(kind: Callable[[str], N], fits: Callable[[N], bool], what: str) -> Callable[[str], N]:
    """A finite number that passes ``fits``; an error says ``what`` it should be."""

    def read_number(text: str) -> N:
        try:
            number = kind(text)
        except ValueError:
            raise ArgumentTypeError(f"{text} is not {what}") from None
        if not (fits(number) and isfinite(number)):  # isfinite fails for huge integers
            raise ArgumentTypeError(f"{text} is not {what}")
        return number

    return read_number


def read(parser: ArgumentParser, folder: str = "out") -> Namespace:
    """Parse the command line, and create the output folder that the option ``folder`` names. Ends
    the program with an error if that is impossible."""
    wanted = parser.parse_args()
    path: Path = getattr(wanted, folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"argument --{folder}: {path}: {error.strerror}")
    if not os.access(path, os.W_OK):
        parser.error(f"argument --{folder}: nothing can be written into {path}")
    return wanted


def rule_set(text: str) -> str:
    """The name of a rule set."""
    try:
        ruleset(text)
    except RageError as error:
        raise ArgumentTypeError(str(error)) from None
    return text


def existing_folder(text: str) -> Path:
    """An existing folder."""
    path = Path(text)
    if not path.is_dir():
        raise ArgumentTypeError(f"{text}: there is no such folder")
    return path


def network_file(text: str) -> Path:
    """The file of a network that the bots can play by."""
    try:
        Network(Path(text).read_bytes())
    except OSError as error:
        raise ArgumentTypeError(f"{text}: {error.strerror}") from None
    except NotReadable as error:
        raise ArgumentTypeError(f"{text}: {error}") from None
    return Path(text)
