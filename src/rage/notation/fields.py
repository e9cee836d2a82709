"""Strict JSON, and its objects, read field by field."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from rage.notation.record import MAX_BYTES, NotARecord
from rage.say import Reason, in_words

LARGEST: Final = 2**53
DEEPEST: Final = 64


def as_bytes(data: object) -> bytes:
    """The bytes of a file, or of its text. Raises :class:`NotARecord` for anything else."""
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    if not isinstance(data, bytes | bytearray | memoryview):
        raise NotARecord("notation.no_bytes", given=in_words(data))
    return bytes(data)


def read_json(data: bytes, deepest: int = DEEPEST) -> Any:
    """The JSON value of ``data``, as strictly as the format demands: UTF-8 without byte order mark,
    no name twice in an object, no number out of range, at most ``deepest`` levels and 1 MiB."""
    if len(data) > MAX_BYTES:
        raise NotARecord("notation.too_large", most=MAX_BYTES)
    if data.startswith(b"\xef\xbb\xbf"):
        raise NotARecord("notation.byte_order_mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotARecord("notation.not_utf8", at=error.start) from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=parse_int,
            parse_float=_number,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        raise NotARecord(
            "notation.not_json", line=error.lineno, column=error.colno, message=error.msg
        ) from None
    except RecursionError:
        raise NotARecord("notation.too_deep", most=deepest) from None
    check_depth(value, deepest)
    return value


def check_depth(value: Any, deepest: int = DEEPEST) -> None:
    """Raise :class:`NotARecord` for a JSON value with more than ``deepest`` levels."""
    if _depth(value) > deepest:
        raise NotARecord("notation.too_deep", most=deepest)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(name for name, count in Counter(n for n, _ in pairs).items() if count > 1)
        raise NotARecord("notation.name_twice", name=twice)
    return fields


def parse_int(digits: str) -> int:
    """Parse an integer. Raises :class:`NotARecord` beyond 2**53."""
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise NotARecord("notation.number_too_large", number=digits[:40])
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if abs(number) == float("inf"):
        raise NotARecord("notation.number_too_large", number=digits[:40])
    return number


def _no_number(name: str) -> None:
    raise NotARecord("notation.no_number", number=name)


def _depth(value: Any) -> int:
    """How deeply a JSON value is nested, without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list | tuple)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


class Fields:
    """The fields of one JSON object, read by name and type; ``place`` names the object in
    errors."""

    def __init__(self, value: Any, place: Reason) -> None:
        if not isinstance(value, dict):
            raise NotARecord("notation.wrong_type", place=place, kind="kind.object")
        self.fields: Mapping[str, Any] = value
        self.place = place

    def get(self, name: str, kind: str, fits: Callable[[Any], bool], default: Any) -> Any:
        """An optional field."""
        if name not in self.fields:
            return default
        return self.need(name, kind, fits)

    def need(self, name: str, kind: str, fits: Callable[[Any], bool]) -> Any:
        """A required field."""
        if name not in self.fields:
            raise NotARecord("notation.missing", place=self.place, field=name)
        value = self.fields[name]
        if not fits(value):
            raise NotARecord(
                "notation.wrong_field", place=self.place, field=name, kind=f"kind.{kind}"
            )
        return value

    def rest(self, known: frozenset[str]) -> dict[str, Any]:
        """The fields that the format does not define."""
        return {name: value for name, value in self.fields.items() if name not in known}


def is_integer(value: Any) -> bool:
    """Return whether a JSON value is an integer (``true`` is not)."""
    return type(value) is int


def is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test for lists whose every element passes ``fits``."""
    return lambda value: isinstance(value, list) and all(map(fits, value))


def is_text(value: Any) -> bool:
    """Return whether a JSON value is a string."""
    return isinstance(value, str)
