"""Small typed data to plain JSON data and back, exactly; what does not fit is refused.

The kinds are frozen dataclasses whose fields are whole numbers, text, flags, ``Literal`` choices,
tuples of one type, other such dataclasses, or ``None``. From the same annotations other languages'
types can be made (:meth:`Codec.fields`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from rage.say import NotReadable

K = TypeVar("K")
Reader = Callable[[object], Any]
MAX_TEXT: Final = 4096
MAX_ITEMS: Final = 256
MAX_NUMBER: Final = 2**53


class _Misfit(Exception):
    """A value that is not of its field's type."""


def tag(kind: type) -> str:
    """The name of a kind in JSON: ``BidsShown`` is ``bids_shown``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def plain(value: object) -> Any:
    """A field's value as plain JSON data."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


class Codec(Generic[K]):
    """Reads and writes the kinds it was made with; ``type`` in the data says which it is."""

    def __init__(self, kinds: Iterable[type[K]]) -> None:
        self._kinds = {tag(kind): kind for kind in kinds}
        self._tags = {kind: name for name, kind in self._kinds.items()}
        self._usual = {
            kind: tuple((each.name, each.default) for each in _fields(kind)) for kind in self._tags
        }
        self._readers: dict[type, Callable[[Mapping[str, Any]], Any]] = {}

    def write(self, value: K) -> dict[str, Any]:
        """``value`` as plain JSON data; fields that are ``None``, or what they usually are, are
        left out."""
        kind = type(value)
        data: dict[str, Any] = {"type": self._tags[kind]}
        for name, usual in self._usual[kind]:
            each = getattr(value, name)
            if each is not None and each != usual:
                data[name] = each if type(each) in (str, int, bool) else plain(each)
        return data

    def read(self, data: object) -> K:
        """What was written. Raises :class:`rage.NotReadable` for anything else."""
        name = data.get("type") if isinstance(data, dict) else None
        kind = self._kinds.get(name) if isinstance(name, str) else None
        if kind is None or not isinstance(data, dict):
            raise NotReadable("table.message.type", allowed=", ".join(self._kinds))
        given = {key: value for key, value in data.items() if key != "type"}
        reader = self._readers.get(kind)
        if reader is None:
            reader = self._readers[kind] = _object_reader(kind)
        try:
            value: K = reader(given)
        except _Misfit as error:
            raise NotReadable("table.message.field", type=name, field=str(error)) from None
        return value

    def fields(self) -> dict[str, dict[str, Any]]:
        """The types of the fields of each kind, by its name in JSON: what types for the page can
        be made from."""
        return {name: get_type_hints(kind) for name, kind in self._kinds.items()}


def _fields(kind: Any) -> tuple[Any, ...]:
    return fields(kind)


def _object_reader(kind: Any) -> Reader:
    """A reader of the fields of a dataclass; ``None`` and a field left out are the same."""
    hints = get_type_hints(kind)
    readers = {each.name: _reader(hints[each.name]) for each in fields(kind)}
    bare = {each.name for each in fields(kind) if each.default is MISSING}
    optional = {name: None for name in bare if NoneType in get_args(hints[name])}

    def read(data: object) -> Any:
        if not isinstance(data, dict):
            raise _Misfit(tag(kind))
        unknown = [str(name) for name in data if name not in readers]
        missing = [name for name in bare if name not in data and name not in optional]
        if unknown or missing:
            raise _Misfit(min(unknown or missing)[:40])
        values: dict[str, Any] = dict(optional)
        for name, value in data.items():
            try:
                values[name] = readers[name](value)
            except _Misfit:
                raise _Misfit(name) from None
        return kind(**values)

    return read


def _reader(hint: Any) -> Reader:
    """The reader of one field's type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        inner = _reader(next(each for each in args if each is not NoneType))
        return lambda value: None if value is None else inner(value)
    if origin is Literal:
        return lambda value: _one_of(value, args)
    if origin is tuple:
        each = _reader(args[0])
        return lambda value: _items(value, each)
    simple: dict[Any, Reader] = {int: _number, str: _text, bool: _flag}
    return simple.get(hint) or _object_reader(hint)


def _one_of(value: object, allowed: tuple[object, ...]) -> object:
    if isinstance(value, str) and value in allowed:
        return value
    raise _Misfit


def _items(value: object, each: Reader) -> tuple[Any, ...]:
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        return tuple(each(one) for one in value)
    raise _Misfit


def _number(value: object) -> int:
    if type(value) is int and abs(value) <= MAX_NUMBER:
        return value
    raise _Misfit


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) <= MAX_TEXT and storable(value):
        return value
    raise _Misfit


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _Misfit


def storable(text: str) -> bool:
    """Whether text can be written as UTF-8: half a surrogate pair cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
