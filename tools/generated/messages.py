"""``python -m tools.generated.messages`` prints docs/messages.md: the commands and events of a
table, from the docstrings of commands and facts."""

from __future__ import annotations

import re
import sys
from typing import Final

from rage.table.commands import COMMANDS
from rage.table.facts.events import FACTS
from rage.table.facts.table_facts import Hidden
from rage.table.schema import Tagged, tag_of
from tools.generated.types import members_of, type_of

HEAD: Final = """\
# Commands and events

Printed from the sources by `make generated`. A command is what a client sends to [a \
table](table.md) (`{{"type": "join", "name": "Ann"}}`), and an event is what everyone there is \
told, as far as each may see it. [The protocol](protocol.md) says how both are sent. The fields \
of each follow it, with their types in TypeScript; one with `?` is left out where it has its \
default value.

## Commands
{commands}
## Events
{facts}"""


def page() -> str:
    """The text of the page."""
    commands = "".join(map(_section, COMMANDS))
    kinds: list[type[Tagged]] = [*FACTS, Hidden]
    facts = "".join(map(_section, kinds))
    return HEAD.format(commands=commands, facts=facts)


def _section(kind: type[Tagged]) -> str:
    named = [(f"{name}{'?' if optional else ''}", of) for name, of, optional in members_of(kind)]
    members = ", ".join(f"`{name}: {type_of(of)}`" for name, of in named[1:])  # without the tag
    told = _in_markdown(kind.__doc__ or "")
    return f"\n### `{tag_of(kind)}`\n{told}\n" + (f"\n{members}\n" if members else "")


def _in_markdown(text: str) -> str:
    """A docstring as a paragraph: its roles and double backticks become single ones."""
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", " ".join(text.split()))
    text = re.sub(r"``docs/([\w.]+)``", r"[\1](\1)", text)
    return text.replace("``", "`").replace("`None`", "`null`")


if __name__ == "__main__":
    sys.stdout.write(page())
