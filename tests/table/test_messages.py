"""Commands and events as JSON: exact, and nothing else is read."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rage.table
from rage import NotReadable
from rage.say import ReasonData, catalogue
from rage.table import (
    PRESETS,
    REACTIONS,
    Clock,
    Create,
    Event,
    Options,
    Play,
    read_command,
    read_event,
    write_event,
)
from rage.table.commands import COMMANDS
from rage.table.facts.events import FACTS, Hidden, Paused
from rage.table.options import MAX_SECONDS, Seconds
from rage.table.parts import Phase
from rage.table.schema import tag_of

seconds = st.integers(0, MAX_SECONDS)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    args = get_args(hint)
    if hint is ReasonData:
        return st.dictionaries(texts, texts | seconds, max_size=3)
    if get_origin(hint) is Annotated:
        return seconds if hint is Seconds else values(args[0])
    if get_origin(hint) in (Union, UnionType):
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
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{name: values(hint) for name, hint in hints.items()})


kinds = st.sampled_from(COMMANDS).flatmap(instances)


@pytest.mark.parametrize("kind", COMMANDS, ids=tag_of)
@settings(max_examples=20)
@given(st.data())
def test_a_command_is_read_as_it_was_written(kind: type, draw: Any) -> None:
    command = draw.draw(instances(kind))
    assert read_command(msgspec.json.encode(command)) == command


@pytest.mark.parametrize("kind", FACTS, ids=tag_of)
@settings(max_examples=20)
@given(st.data())
def test_an_event_is_read_as_it_was_written(kind: type, draw: Any) -> None:
    event = Event(draw.draw(st.integers(1, 10**9)), draw.draw(st.integers(0, 2**50)),
                  draw.draw(instances(kind)))  # fmt: skip
    assert read_event(write_event(event)) == event


def test_what_the_json_looks_like() -> None:
    assert msgspec.json.encode(Play(3, "R5")) == b'{"type":"play","ply":3,"move":"R5"}'
    data = json.loads(msgspec.json.encode(Create("poof", 3, "Ann", Options(clock=Clock()))))
    assert data["options"]["clock"] == {"nudge": 30, "ask": 60, "hand_over": 90}
    assert write_event(Event(3, 5, Paused())) == b'{"seq":3,"at":5,"type":"paused"}'
    assert json.loads(write_event(Event(3, 5, Hidden()))) == {"seq": 3, "at": 5, "type": "hidden"}


def written(data: object) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    "data",
    [
        None, [], "play", 5, {}, {"type": "no"}, {"type": ["play"]}, {"type": "play"},
        {"type": "play", "ply": 1}, {"type": "play", "ply": "1", "move": "R5"},
        {"type": "play", "ply": True, "move": "R5"}, {"type": "play", "ply": 1.0, "move": "R5"},
        {"type": "play", "ply": 2**60, "move": "R5"}, {"type": "play", "ply": 1, "move": None},
        {"type": "play", "ply": 1, "move": "R5", "seat": 2}, {"type": "play", "1": 2},
        {"type": "play", "ply": 1, "move": "\ud800"},
        {"type": "play", "ply": 1, "move": "x" * 9999},
        {"type": "claim", "ply": 1, "tricks": 3}, {"type": "claim", "ply": 1, "tricks": ["3"]},
        {"type": "claim", "ply": 1, "tricks": [0] * 1000},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann", "options": 7},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann", "options": {"undo": 1}},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann",
         "options": {"takeover": "sometimes"}},
        {"type": "create", "rules": "poof", "players": 3, "name": "Ann",
         "options": {"clock": {"nudge": "soon"}}},
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_one_line(data: object) -> None:
    with pytest.raises(NotReadable) as caught:
        read_command(written(data))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [None, {}, {"seq": 1, "at": 2}, {"seq": "1", "at": 2, "type": "paused"}]
)
def test_what_is_not_an_event_is_refused(data: object) -> None:
    with pytest.raises(NotReadable):
        read_event(written(data))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(kinds, st.data())
def test_a_damaged_command_is_read_or_refused_and_nothing_else(command: Any, draw: Any) -> None:
    data = json.loads(msgspec.json.encode(command))
    name = draw.draw(st.sampled_from([*data, "more"]))
    data[name] = draw.draw(anything)
    with contextlib.suppress(NotReadable):
        read = read_command(written(data))
        assert json.loads(msgspec.json.encode(read)).keys() <= data.keys()


def test_every_refusal_has_its_sentence_and_every_sentence_its_use() -> None:
    sources = Path(rage.table.__file__).parent.rglob("*.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    used = set(re.findall(r'"(table\.[a-z_.]+)"', text))
    used |= {f"table.while.{phase}" for phase in get_args(Phase) if phase != "new"}
    used |= {f"chat.{preset}" for preset in PRESETS}
    used |= {f"reaction.{kind}" for kind in REACTIONS}
    own = {code for code in catalogue("en") if code.startswith(("table.", "chat.", "reaction."))}
    assert used == own


@pytest.mark.parametrize(
    ("data", "code", "params"),
    [
        ({"type": "fold"}, "table.message.type", None),
        ({"type": "play", "ply": 1}, "table.message.field", ("play", "move")),
        ({"type": "play", "ply": "1", "move": "R5"}, "table.message.field", ("play", "ply")),
        ({"type": "watch", "name": "Ann", "seat": 1}, "table.message.field", ("watch", "seat")),
        ({"type": "claim", "ply": 1, "tricks": [0, "1"]}, "table.message.field",
         ("claim", "tricks[1]")),
        ({"type": "create", "rules": "poof", "players": 3, "name": "Ann",
          "options": {"clock": {"ask": -1}}}, "table.message.field",
         ("create", "options.clock.ask")),
        ({"type": "create", "rules": "poof", "players": 3, "name": "Ann",
          "options": {"clock": {"a b": 1}}}, "table.message.field",
         ("create", "options.clock.a b")),
    ],
)  # fmt: skip
def test_a_refusal_names_what_is_wrong(
    data: object, code: str, params: tuple[str, str] | None
) -> None:
    with pytest.raises(NotReadable) as caught:
        read_command(written(data))
    reason = caught.value.reason
    assert reason.code == code
    if params is None:
        assert reason.params["allowed"].split(", ")[:2] == ["create", "configure"]
    else:
        assert (reason.params["type"], reason.params["field"]) == params


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff", b'{"type":"play","move":"\\ud800"}', b"[" * 9999]
)
def test_what_is_not_json_is_refused(text: bytes) -> None:
    for read in (read_command, read_event):
        with pytest.raises(NotReadable, match="not valid JSON"):
            read(text)


def test_the_name_of_a_field_is_cut_to_a_readable_length() -> None:
    with pytest.raises(NotReadable) as caught:
        read_command(written({"type": "leave", "x" * 4000: 1}))
    assert len(caught.value.reason.params["field"]) < 100
