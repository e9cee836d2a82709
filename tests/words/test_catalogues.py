"""The catalogues read alike, and are kept so that people can work on them at once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rage
from rage.bots import OFFERED
from rage.say import LANGUAGES, catalogue, text

LOCALE = Path(rage.__file__).parent / "locale"
everywhere = pytest.mark.parametrize("language", LANGUAGES)

#: What each language says otherwise: anyone, a player who, again, should; erfüllt, Spiel, leitet
#: den Tisch; dirige la mesa, barajar, partida, árbitro.
NOT_USED = {
    "en": r"\b(any|every|no|some)body\b|\bwhoever\b|\banew\b|\bshall\b",
    "de": r"getroffen|treffen|\bPartien?\b|Gastgeber|Stichrichter|Handgröße",
    "es": r"anfitri|\bmezcla\b|\bvelada|\bjuez\b|\b(quedan|van|sobran|faltan|han) \{",
}
#: A number and a noun of which there are several.
SEVERAL = {"en": r"[a-z]+s\b", "de": r"[A-ZÄÖÜ][a-zäöüß]+\b", "es": r"(?!más)[a-záéíóúñ]+s\b"}
COUNTED = r"\{(n|left|total|tricks|cards|points|seconds|nudge|won)\} "
#: Where that number is never 1.
NEVER_ONE = re.compile(
    r"advice\.(all_)?worlds|bot\.program\.silent|coach\.aim\.more|(page\.new\.)?edition.line|"
    r"notation\.too_many_tricks|page\.(after\.share_length|analysis\.about|lobby\.rules\.full)|"
    r"page\.options\.clock|rules\.(cards\.(coloured|total)|example\.deal)"
)


@pytest.mark.parametrize("language", NOT_USED)
def test_words_that_are_not_used(language: str) -> None:
    """What has been decided for a whole language stays so."""
    unwanted = re.compile(NOT_USED[language], re.IGNORECASE)
    found = {code: unwanted.search(template) for code, template in catalogue(language).items()}
    assert {code: match[0] for code, match in found.items() if match} == {}


@pytest.mark.parametrize("language", SEVERAL)
def test_what_may_be_one_has_its_singular(language: str) -> None:
    several = re.compile(COUNTED + SEVERAL[language])
    found = {code: several.search(template) for code, template in catalogue(language).items()}
    assert {c: m[0] for c, m in found.items() if m and not NEVER_ONE.match(c)} == {}


@everywhere
def test_files_are_sorted_and_plain(language: str) -> None:
    """So that two people who add sentences at once don't get in each other's way."""
    text = (LOCALE / f"{language}.json").read_text(encoding="utf-8")
    plain = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, indent=2)
    assert text == plain + "\n"


def test_no_parameter_hides_the_code_of_its_reason() -> None:
    """On the wire a reason is its code and its parameters side by side (docs/protocol.md)."""
    for language in LANGUAGES:
        assert not [key for key, words in catalogue(language).items() if "{code" in words]


@everywhere
def test_every_bot_that_people_are_offered_has_a_character_of_its_own(language: str) -> None:
    assert len({text(f"bot.{bot}.about", language) for bot in OFFERED}) == len(OFFERED)
