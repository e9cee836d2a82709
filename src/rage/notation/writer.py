"""Writes a :class:`Record` as bytes in one canonical form, one field a line."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, Final

from rage.notation.fields import LARGEST, check_depth
from rage.notation.record import (
    FORMAT,
    MAX_BYTES,
    OPTIONAL,
    RECORD_FIELDS,
    ROUND_FIELDS,
    VERSION,
    NotARecord,
    Record,
    RoundRecord,
)
from rage.rules.cards import ACTIONS
from rage.rules.ruleset import RuleSet, base_of
from rage.rules.settings import Pack
from rage.say import check_kind

#: Shared, because ``json.dumps`` would create one on each call.
_JSON: Final = json.JSONEncoder(ensure_ascii=False)


def write_record(record: Record) -> bytes:
    """The file of a record; reading it gives an equal record, and writing that gives the same
    bytes. Raises :class:`NotARecord` if it would be larger or deeper than a record may be, or a
    field holds something that JSON or a record cannot, and :class:`rage.NotAllowed` for laboratory
    rules."""
    return check_size((_object(record_data(record), "") + "\n").encode("utf-8"))


def check_size(data: bytes) -> bytes:
    """Return the bytes of a file. Raises :class:`NotARecord` if there are too many."""
    if len(data) > MAX_BYTES:
        raise NotARecord("notation.too_large", most=MAX_BYTES)
    return data


def record_data(record: Record) -> dict[str, Any]:
    """A record as plain data for JSON, its fields in canonical order. Raises like
    :func:`write_record`, except for the size."""
    check_kind(record, Record, "record")
    extra = _unknown(record.extra, RECORD_FIELDS)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_data(record.rules),
        "players": record.names,
        **({"first_round": record.first_round} if record.first_round != 1 else {}),
        **{name: extra[name] for name in OPTIONAL if name in extra},
        **{name: value for name, value in extra.items() if name not in OPTIONAL},
        "rounds": [_round_data(each) for each in record.rounds],
        **_given({"scores": record.scores, "winners": record.winners}),
    }
    check_depth(data)
    _check_values(data)
    return data


def _check_values(data: dict[str, Any]) -> None:
    """Raise :class:`NotARecord` for values that could not be read back."""
    left: list[Any] = [data]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            for name in value:
                if not isinstance(name, str):
                    raise NotARecord("notation.name_no_text", name=name)
            left += value.values()
        elif isinstance(value, list | tuple):
            left += value
        elif isinstance(value, int):
            if abs(value) > LARGEST:  # Python refuses to write thousands of digits
                raise NotARecord("notation.number_too_large", number=hex(value)[:40])
        elif isinstance(value, float):
            if not isfinite(value):
                raise NotARecord("notation.no_number", number=value)
        elif value is not None and not isinstance(value, str):
            raise NotARecord("notation.no_json", value=repr(value))


def rules_data(rules: RuleSet) -> dict[str, Any]:
    """A rule set as written in a record: the edition, and the settings that depart from it. Raises
    :class:`rage.NotAllowed` for rules that no record may hold."""
    base = base_of(rules)
    data: dict[str, Any] = {"edition": rules.edition}
    for name, value in rules.departures(base).items():
        if isinstance(value, Pack):
            counts = zip(ACTIONS, value.counts, base.pack.counts, strict=True)
            data[name] = {kind: count for kind, count, usual in counts if count != usual}
        else:
            data[name] = list(value) if isinstance(value, tuple) else value
    return data


def _round_data(written: RoundRecord) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": written.deal.dealer,
        "hands": [str(hand) for hand in written.deal.hands],
        "stock": str(written.deal.stock),
    }
    if any(bid is not None for bid in written.bids):
        data["bids"] = written.bids
    if written.tricks:
        data["tricks"] = [" ".join(codes) for codes in written.tricks]
    return {
        **data,
        **_given({"won": written.won, "points": written.points}),
        **_unknown(written.extra, ROUND_FIELDS),
    }


def _unknown(extra: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Fields that the format does not define. Raises :class:`NotARecord` for one that it does."""
    for name in extra:
        if name in known:
            raise NotARecord("notation.name_twice", name=name)
    return extra


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _object(data: dict[str, Any], indent: str) -> str:
    """JSON with one line per field, and in the rounds likewise."""
    fields = []
    for name, value in data.items():
        if name == "rounds" and value and not indent:
            inner = ",\n".join("    " + _object(each, "    ") for each in value)
            written = f"[\n{inner}\n  ]"
        else:
            written = json_text(value)
        fields.append(f"{indent}  {json_text(name)}: {written}")
    return "{\n" + ",\n".join(fields) + f"\n{indent}}}"


def json_text(value: Any) -> str:
    """A value as JSON in one line, with letters unescaped if possible."""
    text = _JSON.encode(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which UTF-8 cannot hold
        return json.dumps(value)
    return text
