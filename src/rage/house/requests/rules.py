"""``/api/rules`` and ``/api/box``: rule sets in words, and which box you own."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Meta, Struct

from rage.bots import OFFERED
from rage.bots.titles import bot_title, unlearned_note
from rage.game.box_quiz import next_question, settle
from rage.game.rulebook import chapters, differences, meaning, title_of
from rage.house.limits import MAX_RULES
from rage.house.requests.requester import END, Requester
from rage.house.requests.rows import Edition, Rules
from rage.rules.editions import PRESETS as NAMED_RULE_SETS
from rage.rules.editions import ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import (
    CHOICES,
    LABORATORY,
    MAX_HAND,
    MAX_OF_A_KIND,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_ROUNDS,
    PRINTED,
    SETTINGS,
    TEAMS,
    Setting,
    format_value,
)
from rage.say import NotReadable, sentence, text
from rage.table import PRESETS
from rage.table.options import MAX_SECONDS
from rage.table.people.names import MAX_NAME
from rage.table.people.speech import MAX_CHAT
from rage.table.play.starting import MAX_WORD


class EditionLine(Struct):
    """A printed edition; ``line`` describes it in a sentence, ``players`` are the least and the
    most."""

    name: Edition
    title: str
    line: str
    cards: int
    players: tuple[int, int]


class RuleSetLine(Struct):
    """A named rule set other than the editions: ``rules`` is its full name, to which variants may
    be added."""

    name: str
    title: str
    about: str
    rules: Rules
    edition: Edition


class VariantLine(Struct):
    """A variant, what it changes, and the editions in which it is not the rule already."""

    name: str
    title: str
    about: str
    editions: list[Edition]


class SettingLine(Struct):
    """A setting: what it decides, its ``values`` if they can be listed, the ``allowed`` values in
    words, and its value unless an edition has another."""

    name: str
    meaning: str
    values: list[str]
    allowed: str
    default: str


class BotLine(Struct):
    """A bot to play with."""

    name: str
    title: str
    about: str


class LimitLines(Struct):
    """The maxima: players, rounds, cards in a hand, action cards of a kind, points of a setting,
    letters of a name, a word and a chat line, seconds of a clock."""

    players: int
    rounds: int
    hand: int
    action_cards: int
    points: int
    name: int
    word: int
    chat: int
    seconds: int


class Choice(Struct):
    """Everything there is to choose from; ``presets`` are the ready-made phrases of the chat."""

    editions: list[EditionLine]
    rule_sets: list[RuleSetLine]
    variants: list[VariantLine]
    settings: list[SettingLine]
    bots: list[BotLine]
    presets: list[str]
    limits: LimitLines


class ChapterLines(Struct):
    """A chapter of the rules: its code, its title and its sentences, and for each sentence its
    ``codes``, by which it is found."""

    code: str
    title: str
    lines: list[str]
    codes: list[str]


class RulesPage(Struct):
    """Rules in words. ``settings`` has each value as a rule set writes it, ``schedule`` the cards
    of each round, ``differences`` the differences from the edition, or from the rules ``unlike``,
    ``bots`` a sentence if bots have not learned them."""

    rules: Rules
    title: str
    edition: Edition
    players: tuple[int, int]
    settings: dict[str, str]
    schedule: list[int]
    chapters: list[ChapterLines]
    differences: list[str]
    bots: str


class AnswerLine(Struct):
    """An answer, chosen by its number (from 1)."""

    text: str


class QuestionLine(Struct):
    """A question about a box."""

    code: str
    text: str
    answers: list[AnswerLine]


class Box(Struct):
    """The next question, if another helps, and the editions that are still possible."""

    question: QuestionLine | None
    left: list[Edition]


async def list_rules(requester: Requester) -> Choice:
    """Editions, variants, settings, bots, phrases, limits."""
    return _choice(requester.language)


@lru_cache(8)
def _choice(language: str) -> Choice:
    return Choice(
        [_edition(name, language) for name in PRINTED],
        [_rule_set(name, language) for name in NAMED_RULE_SETS],
        [_variant(name, language) for name in VARIANTS],
        [_setting(each, language) for each in SETTINGS if each.name not in LABORATORY],
        [
            BotLine(name, bot_title(name, language), text(f"bot.{name}.about", language))
            for name in OFFERED
        ],
        list(PRESETS),
        LimitLines(
            players=MAX_PLAYERS,
            rounds=MAX_ROUNDS,
            hand=MAX_HAND,
            action_cards=MAX_OF_A_KIND,
            points=MAX_POINTS,
            name=MAX_NAME,
            word=MAX_WORD,
            chat=MAX_CHAT,
            seconds=MAX_SECONDS,
        ),
    )


def _edition(name: str, language: str) -> EditionLine:
    rules = EDITIONS[name]
    least, most = rules.player_range
    line = text(
        "edition.line",
        language,
        title=f"edition.{name}",
        least=least,
        most=most,
        cards=rules.pack_size,
    )
    return EditionLine(
        name, text(f"edition.{name}", language), line, rules.pack_size, rules.player_range
    )


def _variant(name: str, language: str) -> VariantLine:
    changes = VARIANTS[name]
    editions = [each for each in PRINTED if EDITIONS[each].replace(**changes) != EDITIONS[each]]
    return VariantLine(name, *_title_and_about(f"variant.{name}", language), editions)


def _rule_set(name: str, language: str) -> RuleSetLine:
    rules = ruleset(name)
    title, about = _title_and_about(f"preset.{name}", language)
    return RuleSetLine(name, title, about, rules.name, rules.edition)


def _title_and_about(code: str, language: str) -> tuple[str, str]:
    """The parts of a text before and after its colon."""
    title, _, about = text(code, language).partition(": ")
    return title.rstrip(), about[:1].upper() + about[1:]


def _setting(setting: Setting, language: str) -> SettingLine:
    values: list[str] = list(CHOICES.get(setting.name, ()))
    if setting.kind == "flag":
        values = ["false", "true"]
    elif setting.kind == "teams":
        values = ["none", *map(str, TEAMS)]
    return SettingLine(
        setting.name,
        sentence(meaning(setting.name), language),
        values,
        text(f"allowed.{setting.kind}", language),
        format_value(getattr(RuleSet, setting.name)),
    )


_PLAYERS: Final = Meta(ge=1, le=MAX_PLAYERS)


async def get_rules(
    requester: Requester,
    rules: str,
    players: Annotated[int | None, _PLAYERS] = None,
    unlike: str | None = None,
) -> RulesPage:
    """Rules in words, for a number of players or for any, and how they differ from others."""
    for name in (rules, unlike or ""):
        if len(name) > MAX_RULES:
            raise NotReadable("ruleset.too_long", most=MAX_RULES)
    return _rules_page(rules, players, unlike, requester.language)


@lru_cache(256)
def _rules_page(name: str, players: int | None, unlike: str | None, language: str) -> RulesPage:
    rules = ruleset(name)
    base = EDITIONS[rules.edition] if unlike is None else ruleset(unlike)
    edition = rules.edition
    return RulesPage(
        rules.name,
        title_of(rules, language),
        edition,
        rules.player_range,
        {
            each.name: format_value(getattr(rules, each.name))
            for each in SETTINGS
            if each.name not in LABORATORY
        },
        list(rules.schedule),
        [
            ChapterLines(
                chapter.code,
                sentence(chapter.title, language, edition=edition),
                [sentence(line, language, edition=edition) for line in chapter.lines],
                [line.code for line in chapter.lines],
            )
            for chapter in chapters(rules, players)
        ],
        [sentence(each, language, edition=edition) for each in differences(rules, base)],
        unlearned_note(rules, language),
    )


async def find_box(
    requester: Requester,
    answers: Annotated[str, Meta(pattern=f"^([1-9](,[1-9])*)?{END}", max_length=19)] = "",
) -> Box:
    """The next question of "which box do you own?" after the answers so far."""
    left: tuple[str, ...] = PRINTED
    step = next_question(0, left)
    for number in answers.split(",") if answers else ():
        if step is None or int(number) > len(step[1].answers):
            raise NotReadable("http.no_answer", answer=number)
        asked, question = step
        left = settle(left, question.answers[int(number) - 1])
        step = next_question(asked, left)
    if step is None:
        return Box(None, list(left))
    return Box(
        _question(step[1].code, [each.code for each in step[1].answers], requester), list(left)
    )


def _question(code: str, answers: list[str], requester: Requester) -> QuestionLine:
    lines = [AnswerLine(text(each, requester.language)) for each in answers]
    return QuestionLine(code, text(code, requester.language), lines)
