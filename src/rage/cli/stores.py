"""Where the tables are, as commands are told: a data folder, or a PostgreSQL database."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rage.cli.parser import FILES, Parser
from rage.cli.progress import with_progress_bar
from rage.extras import install_command
from rage.files import data_folder
from rage.say import NotAllowed, NotReadable, Reason, text

if TYPE_CHECKING:
    from rage.house.store.copies import Rows

#: The environment variables that say where the tables are.
LOCATIONS: Final = ("RAGE_DATA", "RAGE_STORE")
#: The most problems of a store that are named.
MAX_PROBLEMS: Final = 20


def configure_location(parser: Parser) -> None:
    """Add the options that say where the tables are."""
    none = text("cli.none", parser.language)
    data = text("cli.serve.usual.store", parser.language)
    parser.option(
        "--data", code="cli.serve.data", metavar="DIR", usual=_usual_data(none), values=FILES
    )
    parser.option("--store", code="cli.serve.store", metavar="URL", usual=data)


def _usual_data(none: str) -> str:
    """The default data folder, for the help."""
    try:
        return str(data_folder())
    except NotReadable:
        return none


def read_location(arguments: argparse.Namespace) -> Path | str:
    """The data folder, or the address of the database if one is given. Raises
    :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    from rage.server.postgres.url import check_address

    given: str | None = arguments.store or os.environ.get("RAGE_STORE") or None
    if given is None:
        folder = str(data_folder()) if arguments.data is None else arguments.data
        if not folder or (os.path.exists(folder) and not os.path.isdir(folder)):
            raise NotReadable("serve.not_folder", folder=folder or "''")
        return Path(folder)
    check_address(given)
    if find_spec("asyncpg") is None:
        raise NotAllowed("serve.needs_postgres", command=install_command("postgres"))
    if arguments.data is not None:
        origin = "--store" if arguments.store else "RAGE_STORE"
        raise NotAllowed("serve.store_and_data", store=origin)
    return given


def read_file(given: str) -> Path:
    """The file of a backup. Raises :class:`rage.NotReadable` for what names none."""
    if given in ("", "-"):
        raise NotReadable("backup.no_name", given=f"'{given}'")
    return Path(given)


def read_secret() -> bytes | None:
    """The secret that signs cookies, if ``RAGE_SECRET`` is set. Raises
    :class:`rage.NotReadable`."""
    given = os.environ.get("RAGE_SECRET")
    if given is None:
        return None
    if len(given) < 32:
        raise NotReadable("serve.secret", least=32)
    return given.encode("utf-8", "surrogateescape")


@contextlib.contextmanager
def store_refusals() -> Iterator[None]:
    """Let an error of a store be one of the command."""
    from rage.house.store import StoreFailed

    try:
        yield
    except StoreFailed as error:
        raise NotAllowed("serve.store", reason=error.reason) from error


def configure_partial(parser: Parser) -> None:
    """Add the option that copies what can be read of a damaged store."""
    parser.option("--partial", code="cli.backup.partial", action="store_true")


def copy_all(
    source: Rows, target: Rows, words: str, *, partial: bool
) -> tuple[dict[str, Any], list[Reason]]:
    """Copy all rows that are what was written, with a progress bar; ``partial``: leave out pages
    that cannot be read. Returns how many tables, finished games and people were copied, and what is
    damaged. Raises :class:`StoreFailed`."""
    from rage.house.store.checking import Look
    from rage.house.store.copies import copy, pieces
    from rage.house.store.file import DAMAGE

    source.partial, look = partial, Look(str, old=not source.has_checksums())
    if not source.is_sound():
        if not partial:
            return {}, [DAMAGE]
        look.note(DAMAGE)
    for _ in with_progress_bar(copy(source, target, look), words, pieces(source)):
        pass
    people = {row[0] for table in ("names", "people")  # somebody may have no name but at a table
              for rows in target.read(table, ("person",)) for row in rows}  # fmt: skip
    counts = {"tables": target.count("tables"), "games": target.count("games")}
    return counts | {"people": len(people)}, look.problems


def named(problems: list[Reason]) -> list[Reason]:
    """The first problems, and how many more there are."""
    if (more := len(problems) - MAX_PROBLEMS) > 0:
        return [*problems[:MAX_PROBLEMS], Reason("store.more", {"n": more})]
    return problems
