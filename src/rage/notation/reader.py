"""Reads a :class:`Record` from bytes: checks JSON, types, shapes, settings and limits, but not the
rules of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rage.engine.deal import Deal
from rage.notation.fields import Fields, as_bytes, is_integer, is_list_of, is_text, read_json
from rage.notation.record import (
    FORMAT,
    PLAYED_CODES,
    RECORD_FIELDS,
    ROUND_FIELDS,
    VERSION,
    NotARecord,
    Record,
    RoundRecord,
)
from rage.rules.cards import ACTIONS, CARD_NUMBERS
from rage.rules.hands import Cards, cards_of
from rage.rules.ruleset import EDITIONS, RuleSet, pack
from rage.rules.settings import LABORATORY, PRINTED, SETTING_NAMES, Pack, format_value
from rage.say import NotAllowed, Reason


def parse_record(data: bytes | str) -> Record:
    """Parse a record. Raises :class:`NotARecord` for every error that can be found without
    replaying it."""
    return record_from(read_json(as_bytes(data)))


def _is_bid(value: Any) -> bool:
    return value is None or is_integer(value)


def record_from(value: Any) -> Record:
    """The record of a JSON value. Raises :class:`NotARecord`."""
    fields = Fields(value, Reason("place.record"))
    if fields.need("format", "format", is_text) != FORMAT:
        raise NotARecord(
            "notation.wrong_field", place=fields.place, field="format", kind="kind.format"
        )
    if fields.need("version", "version", is_integer) != VERSION:
        raise NotARecord(
            "notation.wrong_field", place=fields.place, field="version", kind="kind.version"
        )
    rules = read_rules(fields.need("rules", "object", lambda value: isinstance(value, dict)))
    players = fields.need("players", "names", is_list_of(is_text))
    try:
        rules.for_players(len(players))
    except NotAllowed as error:
        raise NotARecord(error.reason.code, **error.reason.params) from None
    last = len(rules.schedule)
    first = fields.get("first_round", "first_round", lambda v: is_integer(v) and 1 <= v <= last, 1)
    listed = fields.need("rounds", "rounds", lambda value: isinstance(value, list))
    if len(listed) > last - first + 1:
        raise NotARecord("notation.too_many_rounds", rounds=len(listed), most=last - first + 1)
    sides = rules.teams or len(players)
    rounds = [
        _read_round(each, first + i, rules, len(players), i == len(listed) - 1)
        for i, each in enumerate(listed)
    ]
    return Record(
        rules,
        players,
        rounds,
        first_round=first,
        scores=_numbers(fields, "scores", sides),
        winners=fields.get(
            "winners", "winners", lambda v: v is None or is_list_of(is_integer)(v), None
        ),
        extra=fields.rest(RECORD_FIELDS),
    )


def _numbers(fields: Fields, name: str, count: int) -> list[int] | None:
    """An optional list of ``count`` whole numbers."""
    value: list[int] | None = fields.get(name, "numbers", is_list_of(is_integer), None)
    if value is not None and len(value) != count:
        raise NotARecord(
            "notation.wrong_count", place=fields.place, field=name, n=len(value), due=count
        )
    return value


def read_rules(value: Mapping[str, Any]) -> RuleSet:
    """The rule set of a record's ``rules``. Raises :class:`NotARecord`."""
    settings = dict(value)
    edition = settings.pop("edition", None)
    if edition not in PRINTED:
        raise NotARecord("notation.no_edition", allowed=", ".join(PRINTED))
    base = EDITIONS[edition]
    for name, setting in settings.items():
        if name not in SETTING_NAMES or name in LABORATORY:
            known = ", ".join(each for each in SETTING_NAMES if each not in LABORATORY)
            raise NotARecord("ruleset.no_setting", setting=name, allowed=known)
        if isinstance(setting, list):
            settings[name] = tuple(setting)
    counts = settings.get("pack", {})
    if not isinstance(counts, dict):
        shown = format_value(counts)
        raise NotARecord("setting.refused", setting="pack", value=shown, allowed="allowed.pack")
    if unknown := [kind for kind in counts if kind not in ACTIONS]:
        raise NotARecord("notation.no_kind", kind=unknown[0], allowed=", ".join(ACTIONS))
    try:
        return base.replace(**settings)
    except NotAllowed as error:
        raise NotARecord(error.reason.code, **error.reason.params) from None


def _read_round(value: Any, number: int, rules: RuleSet, players: int, last: bool) -> RoundRecord:
    """One round; only the last may be unfinished."""
    fields = Fields(value, Reason("place.round", {"round": number}))
    place = fields.place
    dealer = fields.need("dealer", "seat", lambda v: is_integer(v) and 0 <= v < players)
    hands = _card_lists(fields, "hands", players, number)
    size = rules.schedule[number - 1]
    for seat, hand in enumerate(hands):
        if len(hand) != size:
            raise NotARecord("notation.hand_size", place=place, seat=seat, n=len(hand), due=size)
    stock = read_cards(fields.need("stock", "cards", is_text), place)
    _check_pack(rules, [*hands, stock], place)
    if not any(card.colour for card in stock):
        raise NotARecord("notation.no_turn_up", place=place)
    bids = fields.get("bids", "bids", is_list_of(_is_bid), [None] * players)
    if len(bids) != players:
        raise NotARecord(
            "notation.wrong_count", place=place, field="bids", n=len(bids), due=players
        )
    sides = rules.teams or players
    return RoundRecord(
        Deal(dealer, hands, stock),
        bids,
        _read_tricks(fields, number, size, players, last),
        _numbers(fields, "won", players),
        _numbers(fields, "points", sides),
        fields.rest(ROUND_FIELDS),
    )


def _card_lists(fields: Fields, name: str, count: int, number: int) -> list[Cards]:
    listed = fields.need(name, "card_lists", is_list_of(is_text))
    if len(listed) != count:
        raise NotARecord(
            "notation.wrong_count", place=fields.place, field=name, n=len(listed), due=count
        )
    return [
        read_cards(text, Reason("place.hand", {"round": number, "seat": seat}))
        for seat, text in enumerate(listed)
    ]


def read_cards(text: str, place: Reason) -> Cards:
    """Cards from codes separated by single spaces. Raises :class:`NotARecord`."""
    codes = text.split(" ") if text else []
    for code in codes:
        if code not in CARD_NUMBERS:
            raise NotARecord("notation.no_card", place=place, card=code[:20])
    return Cards(codes)


def _check_pack(rules: RuleSet, lists: list[Cards], place: Reason) -> None:
    """Raise :class:`NotARecord` if a card occurs more often than in the pack."""
    left = Counter(cards_of(pack(rules)))
    for cards in lists:
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                raise NotARecord("notation.too_often", place=place, card=str(card))


def _read_tricks(
    fields: Fields, number: int, size: int, players: int, last: bool
) -> list[list[str]]:
    """The codes of each trick; only at the end of the record may one be short or missing."""
    listed = fields.get("tricks", "card_lists", is_list_of(is_text), [])
    if len(listed) > size:
        raise NotARecord("notation.too_many_tricks", place=fields.place, n=len(listed), most=size)
    if not last and len(listed) < size:
        raise NotARecord("notation.unfinished", place=fields.place)
    tricks = []
    for index, text in enumerate(listed):
        place = Reason("place.trick", {"round": number, "trick": index + 1})
        codes = text.split(" ")
        for code in codes:
            if code not in PLAYED_CODES:
                raise NotARecord("notation.no_card", place=place, card=code[:20])
        if len(codes) > players:
            raise NotARecord("notation.trick_size", place=place, n=len(codes), due=players)
        if len(codes) < players and not (last and index == len(listed) - 1):
            raise NotARecord("notation.trick_size", place=place, n=len(codes), due=players)
        tricks.append(codes)
    return tricks


assert Pack._fields == ACTIONS
