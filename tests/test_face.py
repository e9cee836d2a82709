"""The public face of the library: what the reference promises is what is there."""

from __future__ import annotations

import io
from collections import Counter
from contextlib import redirect_stdout
from inspect import isclass

import rage
from documents import ROOT
from tools.generated.face import Entry, entries, main, members

#: Bases whose methods other libraries describe.
OF_OTHERS = ("TableEnv", "SeatEnv", "SeatVectorEnv")


def test_a_change_of_the_public_face_is_seen() -> None:
    """``make generated`` prints it again."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        main()
    assert printed.getvalue() == (ROOT / "tests" / "face.txt").read_text("utf-8")


def test_each_public_name_is_on_one_page() -> None:
    listed = [entry.name for entry in entries()]
    assert [name for name, count in Counter(listed).items() if count > 1] == []
    ours = {name.removeprefix("rage.") for name in listed if name.count(".") == 1}
    assert sorted(ours) == rage.__all__ == dir(rage)
    things = [entry.thing for entry in entries() if isclass(entry.thing)]
    assert len(things) == len(set(things))


def hidden(entry: Entry) -> set[str]:
    """The public methods and properties of a class that its page does not show."""
    kind = entry.thing
    own = {name for name in members(kind) if callable(getattr(kind, name, None))
           or isinstance(getattr(kind, name, None), property)}  # fmt: skip
    if "members" not in entry.options:
        return own
    if named := entry.options["members"]:
        return own - {each.strip() for each in named.split(",")}
    if "inherited-members" in entry.options:
        return set()
    return {name for name in own if name not in vars(kind)}


def test_a_page_shows_all_of_a_class() -> None:
    shown = [entry for entry in entries() if isclass(entry.thing)]
    assert len(shown) > 40
    for entry in shown:
        if entry.thing.__name__ not in OF_OTHERS:
            assert hidden(entry) == set(), entry.name
