"""The language that a request asks for."""

from __future__ import annotations

from urllib.parse import parse_qs

from rage.say import LANGUAGES, RageError, catalogue


def language_of(query: bytes, accepted: str) -> str:
    """The language of ``?lang=``, or the one that ``Accept-Language`` prefers, or English.
    Raises :class:`rage.NotReadable` for an unknown ``lang``."""
    if b"lang=" in query:
        asked = parse_qs(query.decode("latin-1")).get("lang")
        if asked:
            catalogue(asked[-1])
            return asked[-1]
    return preferred(accepted)


def answer_language(query: bytes, accepted: str) -> str:
    """The same for an answer that must not fail because of it: an unknown ``lang`` is ignored."""
    try:
        return language_of(query, accepted)
    except RageError:
        return preferred(accepted)


def preferred(accepted: str) -> str:
    """The language that an ``Accept-Language`` header prefers; English if it names none of ours."""
    best, quality = "en", 0.0
    for each in accepted[:500].split(","):
        tag, _, rest = each.strip().partition(";")
        code = tag.strip()[:2].lower()
        weight = _weight(rest)
        if code in LANGUAGES and weight > quality:
            best, quality = code, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, float(value))
    except ValueError:
        return 0.0
