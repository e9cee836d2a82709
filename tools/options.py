"""Values for the options of what developers run, as types for :mod:`argparse`: what cannot be is
refused in a line, before anything begins."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from math import isfinite
from pathlib import Path

from rage.bots.net import Network
from rage.say import NotReadable


def whole(least: int, most: int = 1_000_000_000) -> Callable[[str], int]:
    """A whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise ArgumentTypeError(f"{text} is not a whole number from {least} to {most}")
        return number

    return read


def above(bound: float) -> Callable[[str], float]:
    """A finite number above ``bound``."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = bound
        if not (isfinite(number) and number > bound):
            raise ArgumentTypeError(f"{text} is not a number above {bound:g}")
        return number

    return read


def at_least(bound: float) -> Callable[[str], float]:
    """A finite number that is ``bound`` or more."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = bound - 1
        if not (isfinite(number) and number >= bound):
            raise ArgumentTypeError(f"{text} is not a number from {bound:g} up")
        return number

    return read


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


def read(parser: ArgumentParser, folder: str = "out") -> Namespace:
    """The options of the command line; the folder to write into, which one of them names, is made
    once all of them can be. Ends the program with an error where they cannot."""
    wanted = parser.parse_args()
    path: Path = getattr(wanted, folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"argument --{folder}: {path}: {error.strerror}")
    if not os.access(path, os.W_OK):
        parser.error(f"argument --{folder}: nothing can be written into {path}")
    return wanted


def existing_folder(text: str) -> Path:
    """A folder that is there."""
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
