"""A :class:`Record` into bytes: one canonical form, a field a line, fit to read and to paste."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rage.cards import ACTIONS, CARD_CODES
from rage.editions import EDITIONS
from rage.notation.record import FORMAT, OPTIONAL, VERSION, Record, RoundRecord
from rage.rules import Pack, RuleSet


def write_record(record: Record) -> bytes:
    """The file of a record; reading it gives an equal record, writing that the same bytes."""
    return (_object(record_data(record), "") + "\n").encode("utf-8")


def record_data(record: Record) -> dict[str, Any]:
    """A record as plain data for JSON, its fields in their canonical order."""
    extra = record.extra
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_data(record.rules),
        "players": record.players,
        **({"first_round": record.first_round} if record.first_round != 1 else {}),
        **{name: extra[name] for name in OPTIONAL if name in extra},
        **{name: value for name, value in extra.items() if name not in OPTIONAL},
        "rounds": [_round_data(each) for each in record.rounds],
        **_given({"scores": record.scores, "winners": record.winners}),
    }


def rules_data(rules: RuleSet) -> dict[str, Any]:
    """A rule set as a record writes it: the edition, and what departs from it."""
    base = EDITIONS[rules.edition]
    data: dict[str, Any] = {"edition": rules.edition}
    for name, value in rules.departures(base).items():
        if isinstance(value, Pack):
            counts = zip(ACTIONS, value, base.pack, strict=True)
            data[name] = {kind: count for kind, count, usual in counts if count != usual}
        else:
            data[name] = list(value) if isinstance(value, tuple) else value
    return data


def cards_text(cards: Sequence[int]) -> str:
    """Card numbers as codes separated by single spaces."""
    return " ".join(CARD_CODES[card] for card in cards)


def _round_data(written: RoundRecord) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": written.deal.dealer,
        "hands": [cards_text(hand) for hand in written.deal.hands],
        "stock": cards_text(written.deal.stock),
    }
    if any(bid is not None for bid in written.bids):
        data["bids"] = written.bids
    if written.tricks:
        data["tricks"] = [" ".join(codes) for codes in written.tricks]
    return {**data, **_given({"won": written.won, "points": written.points}), **written.extra}


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _object(data: dict[str, Any], indent: str) -> str:
    """JSON with a line for each field, and the rounds inside likewise."""
    fields = []
    for name, value in data.items():
        if name == "rounds" and value and not indent:
            inner = ",\n".join("    " + _object(each, "    ") for each in value)
            written = f"[\n{inner}\n  ]"
        else:
            written = _json(value)
        fields.append(f"{indent}  {_json(name)}: {written}")
    return "{\n" + ",\n".join(fields) + f"\n{indent}}}"


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which UTF-8 cannot hold
        return json.dumps(value)
    return text
