"""Reasons, and those inside them."""

from __future__ import annotations

from collections.abc import Iterator

from rage import Reason


def all_reasons(reason: Reason) -> Iterator[Reason]:
    """A reason and those inside it."""
    yield reason
    for value in reason.params.values():
        if isinstance(value, Reason):
            yield from all_reasons(value)
