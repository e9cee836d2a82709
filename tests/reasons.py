"""Reasons, those inside them, and how they read."""

from __future__ import annotations

from collections.abc import Iterator

from rage import Reason
from rage.say import NO_BREAK


def all_reasons(reason: Reason) -> Iterator[Reason]:
    """A reason and those inside it."""
    yield reason
    for value in reason.params.values():
        if isinstance(value, Reason):
            yield from all_reasons(value)


def is_printable(words: str) -> bool:
    """Whether words can be shown as they are."""
    return words.translate(dict.fromkeys(map(ord, NO_BREAK), " ")).isprintable()
