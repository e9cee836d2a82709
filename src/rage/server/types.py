"""The types of the wire for TypeScript: ``python -m rage.server.types`` writes them.

Made from the dataclasses of ``rage.table``, the typed dictionaries of its views and the structs of
the server, so that there is one place to change. A test compares the page's file with this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING
from dataclasses import fields as dataclass_fields
from inspect import getmembers, isclass
from types import ModuleType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields as struct_fields

from rage import view
from rage.rules import SETTING_NAMES, Pack, Settings
from rage.server import messages, replay
from rage.server.api import games, health, lines, links, people, rules, tables
from rage.server.errors import Problem
from rage.table import events as facts
from rage.table import shapes
from rage.table.commands import COMMANDS, PRESETS
from rage.table.data import tag
from rage.table.options import Clock, Options

HEAD: Final = "// Made by `python -m rage.server.types` from the server's types: not to be edited."
_API: Final = (people, lines, tables, replay, games, rules, links, health)
_PLAIN: Final = {int: "number", float: "number", str: "string", bool: "boolean", bytes: "string"}
#: What stands in a view as a plain dictionary, made from these.
_IN_FULL: Final = {("TableData", "settings"): Settings, ("TableData", "options"): Options}
Field = tuple[str, Any, bool]  # its name, its type, and whether it may be left out


def typescript() -> str:
    """The whole file."""
    return "\n\n".join([HEAD, *_parts()]) + "\n"


def _parts() -> Iterator[str]:
    yield _literals("PRESETS", "Preset", PRESETS)
    yield "export type ReasonData = { readonly code: string; readonly [name: string]: unknown };"
    yield _interface("PackData", Pack, ((name, int, False) for name in Pack._fields))
    yield _interface("SettingsData", Settings, _settings())
    for shape in (view.TurnData, view.TrickData, view.RoundData, *_defined(shapes, is_typeddict)):
        yield _interface(shape.__name__, shape, _entries(shape))
    for kind in (Clock, Options):
        yield _interface(kind.__name__, kind, _attributes(kind, told=True))
    yield from _kinds("Command", COMMANDS)
    yield from _kinds("Fact", facts.FACTS)
    yield "export interface Hidden {\n  readonly type: 'hidden';\n}"
    for message in (messages.Said, messages.Whole, messages.Update, messages.Refused):
        yield _interface(message.__name__, message, _members(message))
    yield _interface("Pong", messages.Pong, _members(messages.Pong))
    yield "export type Message = Whole | Update | Refused | Pong;"
    yield _interface("Problem", Problem, _members(Problem))
    for module in _API:
        for struct in _defined(module, _is_struct):
            yield _interface(struct.__name__, struct, _members(struct))


def _is_struct(value: object) -> bool:
    return isclass(value) and issubclass(value, Struct) and value is not lines.Told


def _defined(module: ModuleType, wanted: Callable[[object], bool]) -> list[Any]:
    """The classes of a module that are its own."""
    found = [value for _, value in getmembers(module, wanted)]
    return [value for value in found if value.__module__ == module.__name__]


def _settings() -> Iterator[Field]:
    hints = get_type_hints(Settings)
    return ((name, hints[name], False) for name in ("edition", *SETTING_NAMES))


def _entries(shape: Any) -> Iterator[Field]:
    """The entries of a typed dictionary as they are sent."""
    own = get_type_hints(shape, include_extras=True)
    for name, hint in own.items():
        if shape.__name__ == "SeenGameData" and name in ("legal", "why_not"):
            continue  # a turn has them
        optional = get_origin(hint) is NotRequired
        told = _IN_FULL.get((shape.__name__, name), hint)
        yield name, get_args(told)[0] if optional else told, optional


def _attributes(kind: Any, *, told: bool = False) -> Iterator[Field]:
    """The fields of a dataclass; what has its usual value may be left out, unless it is told
    in full."""
    hints = get_type_hints(kind)
    for each in dataclass_fields(kind):
        hint = hints[each.name]
        may_lack = each.default is not MISSING or NoneType in get_args(hint)
        yield each.name, hint, may_lack and not told


def _members(struct: Any) -> Iterator[Field]:
    """The fields of a struct: ones with a default may be left out where a client sends it, or
    the server leaves them out."""
    config = struct.__struct_config__
    hints = get_type_hints(struct, include_extras=True)
    if config.tag is not None:
        yield config.tag_field, Literal[config.tag], False
    loose = config.omit_defaults or config.forbid_unknown_fields
    for each in struct_fields(struct):
        usual = each.default is not NODEFAULT or each.default_factory is not NODEFAULT
        yield each.encode_name, hints[each.name], usual and loose


def _kinds(name: str, kinds: Iterable[type]) -> Iterator[str]:
    """An interface for each kind, and their union."""
    names = []
    for kind in kinds:
        names.append(f"{kind.__name__}{name}")
        fields: list[Field] = [("type", Literal[tag(kind)], False)]
        yield _interface(names[-1], kind, [*fields, *_attributes(kind)])
    yield f"export type {name} =\n  | " + "\n  | ".join(names) + ";"


def _interface(name: str, source: Any, fields: Iterable[Field]) -> str:
    lines = [_comment(source), f"export interface {name} {{"]
    lines += [
        f"  readonly {field}{'?' if optional else ''}: {_type(hint)};"
        for field, hint, optional in fields
    ]
    return "\n".join([*lines, "}"])


def _comment(source: Any) -> str:
    """The first sentence of what a class says of itself."""
    words = " ".join((source.__doc__ or "").split())
    return f"/** {words.partition('. ')[0].rstrip('.')}. */"


def _literals(name: str, kind: str, values: Iterable[str]) -> str:
    words = "\n".join(f"  '{value}'," for value in values)
    made = f"export const {name} = [\n{words}\n] as const;"
    return f"{made}\nexport type {kind} = (typeof {name})[number];"


def _type(hint: Any) -> str:
    """A type of Python as one of TypeScript."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(args[0])
    if origin is Literal:
        return " | ".join(f"'{value}'" for value in args)
    if origin in (Union, UnionType):
        return " | ".join(_type(each) for each in args)
    if origin in (list, set) or (origin is tuple and args[-1] is Ellipsis):
        inner = _type(args[0])
        bare = inner.isidentifier()
        return f"readonly {inner}[]" if bare else f"readonly ({inner})[]"
    if origin is tuple:
        return f"readonly [{', '.join(map(_type, args))}]"
    if origin is dict:
        return f"{{ readonly [name: string]: {_type(args[1])} }}"
    return _named(hint)


def _named(hint: Any) -> str:
    if hint is NoneType:
        return "null"
    if hint is Any:
        return "unknown"
    if hint is msgspec.Raw:
        return "Fact | Hidden"
    special = {Pack: "PackData", Settings: "SettingsData"}
    return _PLAIN.get(hint) or special.get(hint) or str(hint.__name__)


if __name__ == "__main__":
    sys.stdout.write(typescript())
