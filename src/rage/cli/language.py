"""The language of the output: ``--lang``, ``RAGE_LANG``, or that of the system."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Final

from rage.say import LANGUAGES, NotReadable

#: The system's own variables; the first that is set counts.
SYSTEM: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_OPTION: Final = "--lang"


def _code(written: str) -> str:
    """The part before country, encoding and variant: ``de`` in ``de_DE.UTF-8``, ``DE``."""
    return re.split(r"[-_.@]", written.strip().lower())[0]


def read_language(written: str) -> str:
    """The language that ``--lang`` names. Raises :class:`rage.NotReadable`."""
    code = _code(written)
    if code not in LANGUAGES:
        raise NotReadable("language.unknown", language=written, allowed=", ".join(LANGUAGES))
    return code


def preferred_language() -> str:
    """The language of the environment: ``RAGE_LANG``, or else the first of ``LC_ALL``,
    ``LC_MESSAGES`` and ``LANG`` that is set, or English. Raises :class:`rage.NotReadable` for a
    ``RAGE_LANG`` that is not supported."""
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
    """The value of ``--lang`` on a command line that is not parsed yet, because help and errors use
    it too."""
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == _OPTION and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(f"{_OPTION}="):
            return word.partition("=")[2]
    return None
