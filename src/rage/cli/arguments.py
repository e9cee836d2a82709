"""Arguments shared by several commands: rule sets, bots, files, and the store of tables."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rage.bots import BOTS, OFFERED
from rage.cli.parser import FILES, Parser
from rage.cli.terminal import program_name, with_progress_bar
from rage.engine.position import Position
from rage.extras import install_command
from rage.files import changed_at, data_folder
from rage.game.view import View
from rage.notation import NotARecord, Record, example_record, parse_record, read_record
from rage.notation.pasted import fragments
from rage.notation.record import MAX_BYTES
from rage.rules.editions import PRESETS
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import PRINTED
from rage.say import NotAllowed, NotReadable, RageError, Reason, text
from rage.score.file import NotASheet
from rage.score.link import is_sheet, read_pasted
from rage.score.sheet import Sheet
from rage.tui import game_files

if TYPE_CHECKING:
    from rage.house.store.copies import Rows


def rule_sets(begun: str) -> list[str]:
    """Editions and ready-made rule sets; after a plus, the variants not named yet."""
    named, plus, _ = begun.rpartition("+")
    if not plus:
        return [*PRINTED, *PRESETS]
    return [f"{named}+{each}" for each in VARIANTS if each not in named.split("+")]


def named_bots(written: str) -> list[str]:
    """The bots named in a text: separated by commas, or by spaces if none is custom, because the
    command of a custom bot may contain spaces."""
    words = written if ":" in written else written.replace(" ", ",")
    return [each for word in words.split(",") if (each := word.strip())]


def bot_names(begun: str) -> list[str]:
    """All bots, also after a comma."""
    return _after_comma(begun, BOTS)


def opponents(begun: str) -> list[str]:
    """The bots offered to people, also after a comma."""
    return _after_comma(begun, OFFERED)


def check_counts(arguments: argparse.Namespace, *options: str) -> None:
    """Raise :class:`rage.NotAllowed` if one of these options is given and below 1."""
    for option in options:
        if (given := getattr(arguments, option)) is not None and given < 1:
            raise NotAllowed("arena.too_few", option=f"--{option}", given=given)


def _after_comma(begun: str, names: Iterable[str]) -> list[str]:
    named, comma, _ = begun.rpartition(",")
    return [f"{named}{comma}{each}" for each in names]


def view_to_act(written: str) -> View:
    """What the seat to act knows of a position written as one line of text. Raises like
    :meth:`rage.View.from_text`, and :class:`rage.NotAllowed` if no seat is to act or its hand is
    hidden."""
    seat = Position.from_text(written).to_act
    if seat is None:
        raise NotAllowed("position.nobody_to_act")
    view = View.from_text(written, seat)
    if not view.hand:
        raise NotAllowed("position.hidden")
    return view


def usual_edition(language: str) -> str:
    """The edition of the last game in the data folder; without a game, the edition that most
    speakers of the language own."""
    return next(_used(), text("edition.usual", language))


def _used() -> Iterator[str]:
    """The editions of the last readable games, most recent first."""
    try:
        kinds = game_files.unfinished_games(), game_files.finished_games()
    except NotReadable:  # there is no data folder
        return
    for path in sorted((kind[0] for kind in kinds if kind), key=changed_at, reverse=True):
        # Without the packages of the terminal, an unfinished game cannot be read.
        with contextlib.suppress(RageError, OSError, ModuleNotFoundError):
            yield _edition_of(path)


def _edition_of(path: Path) -> str:
    if path.name.endswith(game_files.LOG):
        from rage.tui import saved

        return saved.load(path).table.state.ruleset().edition
    return parse_record(path.read_bytes()).rules.edition


#: The word for the game that comes with Rage.
_SAMPLE: Final = "sample"


def is_link(word: str) -> bool:
    """Return whether a word of the command line is itself a link, not the name of a file."""
    try:
        return next(fragments(word), None) is not None and not os.path.exists(word)
    except ValueError:
        return False


def read_bytes(path: str) -> bytes:
    """The bytes of a file, at most one more than a record may have, or of a link itself. Raises
    :class:`rage.notation.NotARecord` if the file cannot be read."""
    if is_link(path):
        return path.encode("utf-8", "replace")
    try:
        if path == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        message = getattr(error, "strerror", None) or str(error)
        raise NotARecord("cli.no_file", file=path, message=message) from None


def print_bytes(data: bytes) -> None:
    """Write bytes to standard output, after any printed text."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def read_game_file(path: str) -> Record:
    """The game in a file of any form; a saved game by its name in ``rage games`` or a part of it;
    or the sample game by the word ``sample``. Raises :class:`rage.notation.NotARecord`, also for an
    unfinished game."""
    if path != "-" and not os.path.exists(path) and not is_link(path):
        if path == _SAMPLE:
            return example_record()
        path = _saved_file(path)
    data = read_bytes(path)
    if data.startswith(game_files.HEAD):
        name = game_files.name_of_game(Path(path))
        raise NotARecord("cli.game_goes_on", file=path, command=program_name(), game=name)
    try:
        return read_record(data)
    except NotARecord:
        if is_sheet(data):
            raise NotARecord("cli.is_sheet", file=path, command=program_name()) from None
        raise


def read_sheet_file(path: str) -> Sheet:
    """The sheet of a file or a link. Raises like :func:`rage.score.link.read_pasted`, and
    :class:`rage.notation.NotARecord` if the file cannot be read."""
    data = read_bytes(path)
    try:
        return read_pasted(data)
    except NotASheet as error:
        try:
            read_record(data)
        except RageError:
            raise error from None
        raise NotASheet("cli.is_game", file=path, command=program_name()) from None


def _saved_file(name: str) -> str:
    """The file of the only saved game whose name contains this one; otherwise the name itself."""
    try:
        games = (*game_files.unfinished_games(), *game_files.finished_games())
    except NotReadable:  # there is no data folder
        return name
    by_name = {game_files.name_of_game(each): each for each in games}
    found = game_files.games_named(name, by_name)
    return str(by_name[found[0]]) if len(found) == 1 else name


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
    """The data folder, or the database's address if one is given. Raises
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
    """The file of a backup. Raises :class:`rage.NotReadable` if the word names no file."""
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
    """Turn an error of a store into a refusal of the command."""
    from rage.house.store import StoreFailed

    try:
        yield
    except StoreFailed as error:
        raise NotAllowed("serve.store", reason=error.reason) from error


def configure_partial(parser: Parser) -> None:
    """Add the option that copies the readable part of a damaged store."""
    parser.option("--partial", code="cli.backup.partial", action="store_true")


def copy_all(
    source: Rows, target: Rows, words: str, *, partial: bool
) -> tuple[dict[str, Any], list[Reason]]:
    """Copy all undamaged rows, with a progress bar; ``partial``: leave out unreadable pages.
    Returns how many tables, finished games and people were copied, and the problems found. Raises
    :class:`StoreFailed`."""
    from rage.house.store.checking import Look
    from rage.house.store.copies import copy, pieces

    source.partial = partial
    look = Look(str, old=not source.has_checksums(), at_once=True)
    if damage := source.damage():
        if not partial:
            return {}, [damage]
        look.note(damage)
    for _ in with_progress_bar(copy(source, target, look), words, pieces(source)):
        pass
    people = {row[0] for table in ("names", "people")  # some have a name only at a table
              for rows in target.read(table, ("person",)) for row in rows}  # fmt: skip
    counts = {"tables": target.count("tables"), "games": target.count("games")}
    return counts | {"people": len(people)}, look.problems


def named(problems: list[Reason]) -> list[Reason]:
    """The first few problems, and how many more there are."""
    if (more := len(problems) - MAX_PROBLEMS) > 0:
        return [*problems[:MAX_PROBLEMS], Reason("store.more", {"n": more})]
    return problems
