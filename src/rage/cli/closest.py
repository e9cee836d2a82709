"""Suggestions for mistyped words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

#: Shorter prefixes match too much.
_MIN_PREFIX: Final = 3


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name closest to a word, or the only one that begins with it; ``None`` if there is
    neither."""
    written = word.lower()
    by_name = {name.lower(): name for name in names}
    if found := difflib.get_close_matches(written, by_name, 1):
        return by_name[found[0]]
    begun = [name for name in by_name if name.startswith(written)]
    return by_name[begun[0]] if len(begun) == 1 and len(written) >= _MIN_PREFIX else None
