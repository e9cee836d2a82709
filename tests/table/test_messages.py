"""Commands and events as plain JSON data: exact, and nothing else is read."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rage.table
from rage import NotReadable
from rage.say import catalogue
from rage.table import (
    PRESETS,
    Clock,
    Create,
    Event,
    Options,
    Play,
    command_data,
    command_fields,
    fact_fields,
    read_command,
    read_event,
)
from rage.table.commands import COMMANDS
from rage.table.events import FACTS
from rage.table.state import Phase

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    args = get_args(hint)
    if isinstance(hint, UnionType):
        return st.one_of(*(values(each) for each in args))
    if get_origin(hint) is Literal:
        return st.sampled_from(args)
    if get_origin(hint) is tuple:
        return st.lists(values(args[0]), max_size=4).map(tuple)
    simple = {int: st.integers(-(2**53), 2**53), str: texts, bool: st.booleans()}
    if hint in simple:
        return simple[hint]
    return st.none() if hint is NoneType else instances(hint)


def instances(kind: type) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: values(hint) for name, hint in hints.items()})


kinds = st.sampled_from(COMMANDS).flatmap(instances)
facts = st.sampled_from(FACTS).flatmap(instances)


@given(kinds)
def test_a_command_is_read_as_it_was_written(command: Any) -> None:
    text = json.dumps(command_data(command))
    assert read_command(json.loads(text)) == command


@given(st.builds(Event, st.integers(1, 10**9), st.integers(0, 2**50), facts))
def test_an_event_is_read_as_it_was_written(event: Event) -> None:
    text = json.dumps(event.as_data())
    assert read_event(json.loads(text)) == event


def test_what_the_data_look_like() -> None:
    assert command_data(Play(3, "R5")) == {"type": "play", "ply": 3, "move": "R5"}
    data = command_data(Create("poof", 3, "Ann", Options(clock=Clock())))
    assert data["options"]["clock"] == {"nudge": 30, "ask": 60, "hand_over": 90}
    assert read_command({"type": "create", "rules": "poof", "players": 3, "name": "Ann"})


@pytest.mark.parametrize(
    "data",
    [
        None, [], "play", 5, {}, {"type": "no"}, {"type": ["play"]}, {"type": "play"},
        {"type": "play", "ply": 1}, {"type": "play", "ply": "1", "move": "R5"},
        {"type": "play", "ply": True, "move": "R5"}, {"type": "play", "ply": 1.0, "move": "R5"},
        {"type": "play", "ply": 2**60, "move": "R5"}, {"type": "play", "ply": 1, "move": None},
        {"type": "play", "ply": 1, "move": "R5", "seat": 2}, {"type": "play", 1: 2},
        {"type": "play", "ply": 1, "move": "\ud800"},
        {"type": "play", "ply": 1, "move": "x" * 9999},
        {"type": "claim", "ply": 1, "tricks": 3}, {"type": "claim", "ply": 1, "tricks": ["3"]},
        {"type": "claim", "ply": 1, "tricks": [0] * 1000},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann", "options": 7},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann", "options": {"undo": 1}},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann",
         "options": {"takeover": "never"}},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann",
         "options": {"clock": {"nudge": "soon"}}},
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_one_line(data: object) -> None:
    with pytest.raises(NotReadable) as caught:
        read_command(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [None, {}, {"seq": 1, "at": 2}, {"seq": "1", "at": 2, "type": "paused"}]
)
def test_what_is_no_event_is_refused(data: object) -> None:
    with pytest.raises(NotReadable):
        read_event(data)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(kinds, st.data())
def test_a_damaged_command_is_read_or_refused_and_nothing_else(command: Any, draw: Any) -> None:
    data = command_data(command)
    name = draw.draw(st.sampled_from([*data, "more"]))
    data[name] = draw.draw(anything)
    with contextlib.suppress(NotReadable):
        assert command_data(read_command(data)).keys() <= data.keys()


def test_every_refusal_has_its_sentence_and_every_sentence_its_use() -> None:
    sources = Path(rage.table.__file__).parent.glob("*.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    used = set(re.findall(r'"(table\.[a-z_.]+)"', text))
    used |= {f"table.while.{phase}" for phase in get_args(Phase) if phase != "new"}
    used |= {f"chat.{preset}" for preset in PRESETS}
    own = {code for code in catalogue("en") if code.startswith(("table.", "chat."))}
    assert used == own


def test_the_types_for_other_languages_name_every_field() -> None:
    """The annotations are all that types for the page need: numbers, text, flags, choices,
    tuples, and dataclasses of those."""
    for kind, hints in {**command_fields(), **fact_fields()}.items():
        assert all(_simple(hint) for hint in hints.values()), kind
    assert len(command_fields()) == len(COMMANDS)
    assert len(fact_fields()) == len(FACTS)
    assert fact_fields()["played"]["ply"] is int


def _simple(hint: Any) -> bool:
    if hint in (int, str, bool, NoneType, Ellipsis) or get_origin(hint) is Literal:
        return True
    if is_dataclass(hint):
        kind: Any = hint
        return all(each.default is not MISSING for each in fields(kind))
    return bool(get_args(hint)) and all(_simple(each) for each in get_args(hint))
