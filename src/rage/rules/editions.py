"""Reads rule sets by name, leniently."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rage.rules.cards import ACTIONS
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import CHOICES, LABORATORY, PRINTED, SETTING_NAMES, format_value
from rage.say import NotAllowed, NotReadable, in_words

#: Rule sets with their own names, which other terms can follow. Canonical names have the edition
#: instead.
PRESETS: Final[Mapping[str, str]] = {
    "1983": "poof+pack:change3.out3",  # the boxes of 1983 and 1985
    "bga": "amigo+tie:exact_bids",  # the game on Board Game Arena
}


def ruleset(name: str, *, laboratory: bool = False) -> RuleSet:
    """The rule set of a name such as ``amigo+plus-minus-one+sweep+miss:-3``.

    Terms come in any order and case, with ``=`` for ``:`` and ``-`` for ``_`` if you like. Raises
    :class:`rage.NotReadable` for anything but an edition, variant or setting, and
    :class:`rage.NotAllowed` for terms that exceed a limit or exclude each other. Laboratory
    settings (``oh_hell``, ``colours:4``) are read only if ``laboratory`` is true."""
    base: RuleSet | None = None
    changes: dict[str, Any] = {}
    editions = [each for each in EDITIONS if laboratory or each in PRINTED]
    if not isinstance(name, str) or not name.strip():
        raise NotReadable("ruleset.no_edition", name=in_words(name), allowed=", ".join(editions))
    for raw in _terms(name):
        term = raw.strip().lower()
        if (edition := term.replace("-", "_")) in editions:
            if base is not None and base.edition != edition:
                raise NotAllowed("ruleset.two_editions", one=base.edition, other=edition)
            base = EDITIONS[edition]
            continue
        for setting, value in _read_term(term, raw, editions, laboratory).items():
            kept = changes.setdefault(setting, value)
            if (type(kept), kept) != (type(value), value):  # True == 1, but is another setting
                raise NotAllowed(
                    "ruleset.set_twice",
                    setting=setting,
                    one=_format_given(changes[setting]),
                    other=_format_given(value),
                )
    if base is None:
        raise NotReadable("ruleset.no_edition", name=name, allowed=", ".join(editions))
    return base.replace(**changes)


def _terms(name: str) -> list[str]:
    """The terms of a name, with presets expanded."""
    terms = name.split("+")
    return [each for term in terms for each in PRESETS.get(term.strip().lower(), term).split("+")]


def _format_given(value: Any) -> str:
    return (
        ".".join(f"{k}{n}" for k, n in value.items())
        if isinstance(value, dict)
        else format_value(value)
    )


def _read_term(term: str, raw: str, editions: list[str], laboratory: bool) -> Mapping[str, Any]:
    variant = VARIANTS.get(term.replace("_", "-"))
    if variant is not None:
        return variant
    setting, colon, value = term.replace("=", ":").partition(":")
    setting = setting.strip().replace("-", "_")
    known = [each for each in SETTING_NAMES if laboratory or each not in LABORATORY]
    if not colon:
        raise NotReadable(
            "ruleset.no_term",
            term=raw.strip(),
            editions=", ".join(editions),
            variants=", ".join(VARIANTS),
            presets=", ".join(PRESETS),
        )
    if setting not in known:
        raise NotReadable("ruleset.no_setting", setting=setting, allowed=", ".join(known))
    return {setting: _read_value(setting, value.strip())}


_NUMBER = re.compile(r"[-+]?[0-9]{1,4}")
_WORDS: Final[Mapping[str, Any]] = {"true": True, "false": False, "none": None}
_KIND_COUNT = re.compile(r"(" + "|".join(ACTIONS) + r")([0-9]{1,3})")


def _read_value(setting: str, value: str) -> Any:
    """The value of a setting, parsed; :class:`RuleSet` checks it."""
    if setting in CHOICES:
        return value.replace("-", "_")
    if setting == "pack":
        kinds = [_KIND_COUNT.fullmatch(part) for part in value.split(".")]
        counts = {match[1]: int(match[2]) for match in kinds if match}
        if len(counts) == len(kinds):  # all readable, none twice
            return counts
    elif setting == "schedule":
        parts = value.split(".")
        if all(_NUMBER.fullmatch(part) for part in parts):
            return tuple(int(part) for part in parts)
        raise NotReadable("schedule.unreadable", value=value)
    elif value in _WORDS:
        return _WORDS[value]
    elif _NUMBER.fullmatch(number := re.sub("[−–]", "-", value)):
        return int(number)
    raise NotReadable("ruleset.no_value", setting=setting, value=value, allowed=f"form.{setting}")
