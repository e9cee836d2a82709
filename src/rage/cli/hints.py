"""Suggestions for mistyped words."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterable
from typing import Final

from rage.rules.editions import PRESETS, VARIANTS, name_of, ruleset
from rage.rules.ruleset import CHOICES, LABORATORY, PRINTED, SETTING_NAMES
from rage.say import RageError, Reason

#: Shorter prefixes match too much.
_MIN_PREFIX: Final = 3
_SETTINGS: Final = tuple(name for name in SETTING_NAMES if name not in LABORATORY)


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name closest to a word, or the only one that begins with it; ``None`` if there is
    neither."""
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
            return name_of(ruleset(joined))
    setting = closest(re.split("[:=]", term)[0], _SETTINGS)
    return closest(term, [*PRINTED, *PRESETS, *VARIANTS]) or (setting and f"{setting}:...")
