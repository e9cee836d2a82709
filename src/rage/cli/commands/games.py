"""``rage games``: lists, resumes and deletes the games that ``rage play`` has saved."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from rage.cli.commands.play import VARIABLES as PLAYING
from rage.cli.commands.play import configure_look, resume, show
from rage.cli.parser import Parser, closest, wrap
from rage.cli.reports import tell_holders
from rage.cli.terminal import ask, program_name
from rage.extras import command_line
from rage.files import data_folder
from rage.game.history import side_of
from rage.notation import Record, holders_of, parse_record
from rage.notation.record import Holder
from rage.say import NotAllowed, NotReadable, RageError, Reason, join, sentence, text
from rage.tui import game_files, saved
from rage.tui.opening import PERSON

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_DATA",)


def configure(parser: Parser) -> None:
    """Add the subcommands for saved games."""
    parser.option("--json", code="cli.games.json", action="store_true")
    resume = parser.add_command("resume", "cli.games.resume", variables=PLAYING)
    resume.option("game", code="cli.games.game", metavar="GAME", values=_unfinished_names)
    configure_look(resume)
    delete = parser.add_command("delete", "cli.games.delete", variables=VARIABLES)
    delete.option("game", code="cli.games.games", metavar="GAME", nargs="+", values=_names)
    delete.option("--yes", code="cli.games.yes", action="store_true")


def _names(_: str) -> list[str]:
    paths = (*_unfinished_files(), *game_files.finished_games())
    return [game_files.name_of_game(path) for path in paths]


def _unfinished_names(_: str) -> list[str]:
    return [game_files.name_of_game(path) for path in _unfinished_files()]


def _unfinished_files() -> list[Path]:
    """The files of unfinished games. The log of a finished game may still exist if the program
    ended before deleting it."""
    over = {game_files.name_of_game(path) for path in game_files.finished_games()}
    unfinished = game_files.unfinished_games()
    return [path for path in unfinished if game_files.name_of_game(path) not in over]


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand of ``games``; without one, list the games."""
    if arguments.action is None:
        return _print_list(arguments)
    if arguments.json:
        raise NotAllowed("cli.games.json_alone", action=arguments.action)
    return _delete(arguments) if arguments.action == "delete" else _resume(arguments)


class SavedGame(NamedTuple):
    """A saved game. ``state``: ``unfinished``, ``finished`` or ``damaged``; ``problem``: the reason
    if damaged; ``details``: the fields of ``--json``; ``won``: the holders of each winning seat."""

    path: Path
    state: str
    details: dict[str, Any]
    problem: Reason | None = None
    won: Sequence[Sequence[Holder[str]]] = ()

    @property
    def name(self) -> str:
        """The name of the game on the command line."""
        return game_files.name_of_game(self.path)

    def line(self, language: str) -> str:
        """The game in one line, without its name."""
        if self.problem is not None:
            return text("cli.games.damaged", language, why=self.problem)
        params = {**self.details, "players": len(self.details["players"])}
        for moment in ("started", "ended"):
            params[moment] = _local(params[moment])
        if self.state == "unfinished":
            return text("cli.games.unfinished", language, **params)
        params["winners"] = join([tell_holders(each, language) for each in self.won], language)
        params["points"] = max(self.details["scores"], default=0)
        return text("cli.games.finished", language, **params)


def _local(moment: str | None) -> str:
    """A record's time, converted to local time."""
    try:
        return datetime.fromisoformat(moment or "").astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"


def games() -> list[SavedGame]:
    """All saved games: the unfinished ones first, each kind with the last played first."""
    return [*map(_unfinished, _unfinished_files()), *map(_finished, game_files.finished_games())]


def _unfinished(path: Path) -> SavedGame:
    try:
        table = saved.load(path).table
    except NotReadable as error:
        why = error.reason.params.get("why", error.reason)
        return SavedGame(path, "damaged", {}, why)
    record = table.record()
    view = table.game_view(PERSON)
    assert view is not None
    rounds = {"round": view.rounds[-1].number, "rounds": len(view.rules.schedule)}
    return SavedGame(path, "unfinished", {**_outline(record), **rounds})


def _finished(path: Path) -> SavedGame:
    try:
        record = parse_record(path.read_bytes())
    except NotReadable as error:
        return SavedGame(path, "damaged", {}, error.reason)
    except OSError as error:
        why = Reason("saved.os", {"error": error.strerror or str(error)})
        return SavedGame(path, "damaged", {}, why)
    sides = record.rules.teams or len(record.names)
    won = set(record.winners or ())
    seats = [seat for seat in range(len(record.names)) if side_of(seat, sides) in won]
    details = {**_outline(record), "winners": [record.names[seat] for seat in seats]}
    holders = holders_of(record)
    return SavedGame(path, "finished", details, won=[holders[seat] for seat in seats])


def _outline(record: Record) -> dict[str, Any]:
    return {
        "rules": record.rules.name,
        "players": record.names,
        "started": _moment(record, "started"),
        "ended": _moment(record, "ended"),
        "scores": record.scores or [],
    }


def _moment(record: Record, field: str) -> str | None:
    """A time as written in the record, unchecked; ``None`` if it is not text."""
    moment = record.extra.get(field)
    return moment if isinstance(moment, str) else None


def find(name: str, among: Sequence[SavedGame]) -> SavedGame:
    """The game with this name, or the only one whose name contains it. Raises
    :class:`rage.NotReadable`."""
    called = game_files.games_named(name, [game.name for game in among])
    found = [game for game in among if game.name in called]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(game.name for game in found)
        raise NotReadable("cli.games.several", game=name, allowed=names)
    meant = closest(name, [game.name for game in among])
    if meant is not None:
        raise NotReadable("cli.games.meant", game=name, meant=meant)
    raise NotReadable(
        "cli.games.none", game=name, folder=str(data_folder()), command=program_name()
    )


def _print_list(arguments: argparse.Namespace) -> int:
    kept = games()
    language = arguments.language
    if arguments.json:
        print(json.dumps([_data(game, language) for game in kept], indent=2))
        return 0
    if not kept:
        print(text("cli.games.empty", language, folder=str(data_folder()), command=program_name()))
        return 0
    for state in ("unfinished", "finished", "damaged"):
        here = [game for game in kept if game.state == state]
        if here:
            print(text(f"cli.games.head.{state}", language))
        for game in here:
            print(f"  {game.name}  {game.line(language)}")
    print(wrap(text("cli.games.more", language, command=program_name())))
    return 0


def _data(game: SavedGame, language: str) -> dict[str, Any]:
    """A game as ``--json`` lists it."""
    why = {} if game.problem is None else {"error": sentence(game.problem, language)}
    return {"game": game.name, "file": str(game.path), "state": game.state, **game.details, **why}


def _resume(arguments: argparse.Namespace) -> int:
    game = find(arguments.game, games())
    if game.state == "finished":
        raise NotAllowed(
            "cli.games.over",
            game=game.name,
            file=command_line([str(game.path)]),
            command=program_name(),
        )
    return show(arguments, lambda stack: resume(game.path, arguments.language, stack))


def _delete(arguments: argparse.Namespace) -> int:
    """Delete the named games, once all are found. Returns 1 if any was not deleted."""
    kept = games()
    chosen: list[SavedGame] = []
    for name in arguments.game:
        game = find(name, kept)
        if game not in chosen:
            chosen.append(game)
    for game in chosen:
        print(f"{game.name}  {game.line(arguments.language)}")
    code = "cli.games.delete?" if len(chosen) == 1 else "cli.games.delete_all?"
    if not (arguments.yes or ask(code, arguments.language, usual=False)):
        print(text("cli.games.spared", arguments.language))
        return 1
    status = 0
    for game in chosen:
        try:
            game_files.remove(game.path)
        except (RageError, OSError) as error:
            said = sentence(_why_kept(game, error), arguments.language)
            print(f"rage: {said}", file=sys.stderr)
            status = 1
        else:
            print(text("cli.games.deleted", arguments.language, game=game.name))
    return status


def _why_kept(game: SavedGame, error: RageError | OSError) -> Reason:
    """The reason why a game was not deleted."""
    if isinstance(error, RageError):
        return error.reason
    params = {"file": str(game.path), "message": error.strerror or str(error)}
    return Reason("cli.games.not_deleted", params)
