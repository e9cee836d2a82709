"""What some arguments may be: for completion, and checks that commands share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rage.bots import BOTS, OFFERED
from rage.rules.editions import PRESETS, VARIANTS
from rage.rules.ruleset import PRINTED
from rage.say import NotAllowed


def rule_sets(begun: str) -> list[str]:
    """Editions and ready-made rule sets; behind a plus, the variants that are not named yet."""
    named, plus, _ = begun.rpartition("+")
    if not plus:
        return [*PRINTED, *PRESETS]
    return [f"{named}+{each}" for each in VARIANTS if each not in named.split("+")]


def named_bots(written: str) -> list[str]:
    """The bots named in a text: separated by commas, or by spaces if none is custom, because the
    command of a custom bot may contain spaces."""
    words = written if ":" in written else written.replace(" ", ",")
    return [each for word in words.split(",") if (each := word.strip())]


def bot_names(begun: str) -> list[str]:
    """All bots, also behind a comma."""
    return _after_comma(begun, BOTS)


def opponents(begun: str) -> list[str]:
    """The bots that people are offered, also behind a comma."""
    return _after_comma(begun, OFFERED)


def check_counts(arguments: argparse.Namespace, *options: str) -> None:
    """Raises :class:`rage.NotAllowed` if one of these options is given and below 1."""
    for option in options:
        if (given := getattr(arguments, option)) is not None and given < 1:
            raise NotAllowed("arena.too_few", option=f"--{option}", given=given)


def _after_comma(begun: str, names: Iterable[str]) -> list[str]:
    named, comma, _ = begun.rpartition(",")
    return [f"{named}{comma}{each}" for each in names]
