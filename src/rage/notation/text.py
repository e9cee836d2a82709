"""A record as readable text: tags above, then each round with one line a trick.

::

    [format "rage-text 1"]
    [rules "poof"]
    [players ["A", "B", "C"]]
    [first_round 7]

    round 7, dealer 2
    hand 0: B15 G12 + Y5
    hand 1: Y0 G10 O7 W
    hand 2: B2 C R15 X
    stock: Y7
    bids: 2 2 1
    1. B15 Y0 B2 ; B
    ...
    won: 1 2 1
    points: 1 12 16

    scores: 1 12 16

Tags hold JSON: any field of the record, and below the first line of a round any field of the round.
``-`` stands for a bid that was not made. The name of the winner after ``;`` in a trick is for human
readers, and is ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from rage.notation.fields import check_depth, is_integer, parse_int, read_json
from rage.notation.reader import record_from
from rage.notation.record import (
    FORMAT,
    MAX_BYTES,
    ROUND_FIELDS,
    VERSION,
    NotARecord,
    Record,
    names_by_round,
)
from rage.notation.validation import replay
from rage.notation.writer import check_size, json_text, record_data, rules_data
from rage.rules.editions import ruleset
from rage.say import RageError, check_kind, visible

TEXT_FORMAT: Final = "rage-text 1"
_HEAD: Final = re.compile(r"round ([0-9]{1,2}), dealer ([0-9]{1,2})")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
#: A tag's name is written plainly, or as a JSON string if it has other characters.
_TAG: Final = re.compile(r'\[([A-Za-z_][A-Za-z0-9_-]*|"(?:[^"\\]|\\.)*") (.*)\]', re.DOTALL)
_LINE: Final = re.compile(
    r"(hand [0-9]{1,2}|stock|bids|won|points|scores|winners|[0-9]{1,2}\.):? ?(.*)", re.DOTALL
)
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)")
#: Fields without a tag: they have lines of their own, or follow from the text.
_NO_TAG: Final = ("rounds", "version", "scores", "winners")


def write_text(record: Record) -> str:
    """A record as text. ``read_text`` gives an equal record."""
    check_kind(record, Record, "record")
    data = record_data(record)
    rounds = data.pop("rounds")
    results = {name: data.pop(name) for name in ("scores", "winners") if name in data}
    del data["format"], data["version"], data["rules"]
    lines = [f"[format {json_text(TEXT_FORMAT)}]", _tag("rules", record.rules.name)]
    lines += [_tag(name, value) for name, value in data.items()]
    winners = _winners(record)
    for index, each in enumerate(rounds):
        lines += ["", f"round {record.first_round + index}, dealer {each.pop('dealer')}"]
        lines += _round_lines(each, winners[index])
    if results:
        lines += ["", *(f"{name}: {_numbers(values)}" for name, values in results.items())]
    text = "\n".join(lines) + "\n"
    check_size(text.encode("utf-8"))
    return text


def _tag(name: str, value: Any) -> str:
    shown = name if _NAME.fullmatch(name) else json_text(name)
    return f"[{shown} {json_text(value)}]"


def _numbers(values: Sequence[int | None]) -> str:
    return " ".join("-" if value is None else str(value) for value in values)


def _winners(record: Record) -> list[list[str]]:
    """The name of every trick's winner, by round; empty if the record breaks a rule."""
    try:
        game = replay(record)
    except RageError:
        return [[] for _ in record.rounds]
    names = names_by_round(record)
    return [
        [
            visible(names[each.number][trick.winner])
            for trick in each.tricks
            if trick.winner is not None
        ]
        for each in game.rounds
    ]


def _round_lines(data: dict[str, Any], winners: list[str]) -> list[str]:
    lines = [f"hand {seat}: {hand}" for seat, hand in enumerate(data.pop("hands"))]
    lines.append(f"stock: {data.pop('stock')}")
    if "bids" in data:
        lines.append(f"bids: {_numbers(data.pop('bids'))}")
    for index, trick in enumerate(data.pop("tricks", [])):
        winner = f" ; {winners[index]}" if index < len(winners) else ""
        lines.append(f"{index + 1}. {trick}{winner}")
    lines += [f"{name}: {_numbers(data.pop(name))}" for name in ("won", "points") if name in data]
    return lines + [_tag(name, value) for name, value in data.items()]


def read_text(text: str) -> Record:
    """The record that a text holds. Raises :class:`NotARecord`, which names the line."""
    check_kind(text, str, "text")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise NotARecord("notation.too_large", most=MAX_BYTES)
    data: dict[str, Any] = {"rounds": []}
    # Not splitlines(): that breaks at characters which may stand inside a JSON string.
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        try:
            _read_line(line.strip(" \t"), data)
        except (NotARecord, ValueError) as error:
            why = error.reason if isinstance(error, RageError) else str(error)
            if isinstance(why, str):
                raise NotARecord("notation.no_line", line=number, text=line[:60]) from None
            raise NotARecord("notation.at_line", line=number, why=why) from None
    if data.get("format") != TEXT_FORMAT:
        raise NotARecord("notation.not_text", due=_tag("format", TEXT_FORMAT))
    data |= {"format": FORMAT, "version": VERSION}
    if not isinstance(data.get("rules"), str):
        raise NotARecord("notation.not_text", due='[rules "poof"]')
    try:
        data["rules"] = rules_data(ruleset(data["rules"]))
    except RageError as error:
        raise NotARecord(error.reason.code, **error.reason.params) from None
    check_depth(data)
    return record_from(data)


def _read_line(line: str, data: dict[str, Any]) -> None:
    """Add one line to the data. Raises ValueError for an unknown form."""
    rounds = data["rounds"]
    target = rounds[-1] if rounds else data
    if not line:
        return
    if match := _HEAD.fullmatch(line):
        first = data.get("first_round", 1)
        if not is_integer(first) or int(match[1]) != first + len(rounds):
            raise ValueError
        rounds.append({"dealer": int(match[2]), "hands": []})
    elif match := _TAG.fullmatch(line):
        name = str(json.loads(match[1])) if match[1].startswith('"') else match[1]
        if name in (ROUND_FIELDS if rounds else _NO_TAG):
            raise NotARecord("notation.no_tag", name=name)
        if name in target:
            raise NotARecord("notation.name_twice", name=name)
        target[name] = read_json(match[2].encode("utf-8", "surrogatepass"))
    elif match := _LINE.fullmatch(line):
        _read_field(match[1], match[2], data, target)
    else:
        raise ValueError


def _read_field(name: str, text: str, data: dict[str, Any], target: dict[str, Any]) -> None:
    """Add a line of a round, or one of the results at the end, to the data."""
    if name in ("scores", "winners"):
        target = data
    elif target is data:
        raise ValueError
    key = name.rstrip(".")
    if key.isdigit():
        tricks = target.setdefault("tricks", [])
        if int(key) != len(tricks) + 1:
            raise ValueError
        tricks.append(text.partition(" ;")[0])
    elif key.startswith("hand "):
        if int(key[5:]) != len(target["hands"]):
            raise ValueError
        target["hands"].append(text)
    elif key in target:
        raise NotARecord("notation.name_twice", name=key)
    elif key == "stock":
        target[key] = text
    else:
        target[key] = [_number(word) for word in text.split()]


def _number(word: str) -> int | None:
    """A number in a round's line; ``-`` is ``None``. Raises ValueError."""
    if word == "-":
        return None
    if not _NUMBER.fullmatch(word):
        raise ValueError
    return parse_int(word)
