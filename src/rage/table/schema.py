"""The common form of commands, facts and options in JSON, and its limits.

They are msgspec structs. Their annotations let msgspec decode and check the JSON that clients send
and the store holds, and :mod:`tools.generated.types` generate the page's types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from rage.say import NotReadable

T = TypeVar("T")
MAX_TEXT: Final = 4096
MAX_ITEMS: Final = 256
#: The largest integer that JavaScript holds exactly.
MAX_NUMBER: Final = 2**53

Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Number = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Items = Annotated[tuple[T, ...], Meta(max_length=MAX_ITEMS)]

#: The place of an error in msgspec's message, and the missing or unknown field that it names.
_PLACE: Final = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_FIELD: Final = re.compile(r" field `(.*?)`(?: - at `|$)", re.DOTALL)
_MAX_FIELD: Final = 60
#: What msgspec raises for bytes that are not JSON of the expected type.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


def snake_case(name: str) -> str:
    """The tag of a class in JSON: ``bids_shown`` for ``BidsShown``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Tagged(
    Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,  # they are never part of a reference cycle
):
    """One of several kinds of data, told apart by ``type`` in JSON. Fields with default values are
    omitted there."""


def tag_of(kind: type[Tagged]) -> str:
    """The tag of a kind in JSON."""
    return str(kind.__struct_config__.tag)


def field_of(error: msgspec.ValidationError) -> str | None:
    """The path of the wrong field, such as ``options.clock``."""
    words = str(error)
    found = [match[1] for match in (_PLACE.search(words), _FIELD.search(words)) if match]
    return ".".join(each for each in found if each)[:_MAX_FIELD] or None


def refusal_of(
    error: msgspec.ValidationError, data: object, kinds: Iterable[type[Tagged]]
) -> NotReadable:
    """Why decoded JSON is none of these kinds: its type is unknown, or a field is wrong."""
    allowed = [tag_of(kind) for kind in kinds]
    name: Any = data.get("type") if isinstance(data, dict) else None
    field = field_of(error)
    if name not in allowed or field is None:
        return NotReadable("table.message.type", allowed=", ".join(allowed))
    return NotReadable("table.message.field", type=name, field=field)


def storable(text: str) -> bool:
    """Return whether text can be encoded in UTF-8, unlike half a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
