"""``rage completion``: the script with which a shell completes the command ``rage``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, Final

from rage.cli.parser import FILES, Parser

SHELLS: Final = ("bash", "zsh", "fish")


def configure(parser: Parser) -> None:
    """Add the argument that names the shell."""
    parser.choice("shell", code="cli.completion.shell", of=SHELLS)


def run(arguments: argparse.Namespace) -> int:
    """Print the script that the shell reads at startup."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["rage"], use_defaults=False, shell=arguments.shell))
    return 0


def complete(parser: Parser) -> None:
    """Answer the shell, which asks through environment variables, not arguments, and exit."""
    from argcomplete.completers import BaseCompleter, FilesCompleter
    from argcomplete.finders import CompletionFinder

    class Offer(BaseCompleter):
        """Completes the values of an argument; none for a number or a name, not even files."""

        def __init__(self, values: Callable[[str], Iterable[str]]) -> None:
            self._values = values

        def __call__(self, *, prefix: str, **_: Any) -> Iterable[str]:
            return self._values(prefix)

    def tell(command: Parser) -> None:
        for action, values in command.values:
            offer = FilesCompleter() if values == FILES else Offer(values)
            vars(action)["completer"] = offer
        for below in command.commands.values():
            tell(below)

    tell(parser)
    nothing = Offer(lambda _: ())
    CompletionFinder()(parser, always_complete_options="long", default_completer=nothing)
