"""``rage replay``: checks a record move by move, and shows the game or answers in JSON."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rage.cli.arguments import read_game_file
from rage.cli.parser import FILES, Parser
from rage.cli.reports import players_of
from rage.game.game import Game
from rage.game.story import tell_end, tell_round
from rage.notation import Record, names_by_round, replay, result
from rage.notation.validation import Moment, failure
from rage.say import NotReadable, RageError, Reason, sentence, signed

VARIABLES: Final = ("RAGE_DATA",)
_MOMENT = re.compile(r"(\d{1,2})(?:\.(\d{1,2})(?:\.([1-9]))?)?")


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage replay``."""
    parser.option("file", code="cli.file", metavar="FILE", values=FILES)
    parser.option("--json", code="cli.replay.json", action="store_true")
    parser.option("--stop", code="cli.replay.stop", metavar="R[.T[.C]]")


def run(arguments: argparse.Namespace) -> int:
    """Replay a record. Returns 0 if it keeps the rules, 1 if it breaks one, 2 if it is none."""
    if arguments.json:
        return _run_json(arguments)
    record, until = _read(arguments)
    game, names = replay(record, until), players_of(record, arguments.language)
    for line in tell_game(game, names_by_round(record), until):
        print(sentence(line, arguments.language, edition=game.rules.edition, names=names))
    return 0


def _read(arguments: argparse.Namespace) -> tuple[Record, Moment | None]:
    """The record in the file, and the moment of ``--stop`` if given."""
    record = read_game_file(arguments.file)
    return record, None if arguments.stop is None else _moment(arguments.stop, record)


def _run_json(arguments: argparse.Namespace) -> int:
    """Print one JSON object for any file, even one that cannot be read."""
    try:
        print(json.dumps(result(replay(*_read(arguments)))))
    except RageError as error:
        print(json.dumps(failure(error, arguments.language)))
        return 2 if isinstance(error, NotReadable) else 1
    return 0


def _moment(written: str, record: Record) -> Moment:
    """The moment named by ``--stop``: before a round's first card, or after a trick or a card."""
    match = _MOMENT.fullmatch(written)
    first = record.first_round
    if match is None or not first <= int(match[1]) < first + len(record.rounds):
        raise NotReadable("cli.replay.no_moment", moment=written)
    trick = int(match[2] or 0)
    card = int(match[3] or (len(record.names) if match[2] else 0))
    tricks = record.rounds[int(match[1]) - first].tricks
    if trick > len(tricks) or card > (len(tricks[trick - 1]) if trick else 0):
        raise NotReadable("cli.replay.no_moment", moment=written)
    return (int(match[1]), trick, card)


def tell_game(
    game: Game, names: Mapping[int, Sequence[str]], until: Moment | None = None
) -> Iterator[Reason]:
    """The whole game as sentences; if stopped at a moment, with the hands and the legal moves.
    ``names``: by round, who was dealt it, by seat."""
    yield Reason("replay.head", {"rules": game.rules.name, "players": list(range(game.players))})
    for each in game.rounds:
        for line in tell_round(each, game.rules):
            yield _cast(line, names[each.number])
    if until:
        yield _tell_stop(*until)
        for line in _tell_hands(game):
            yield _cast(line, names[until[0]])
    if any(each.points for each in game.rounds):
        yield Reason("replay.scores", {"scores": " ".join(map(signed, game.scores))})
    if game.winners is not None:
        yield tell_end(game.scores, game.winners, game.players)
    else:
        yield Reason("replay.not_over")
    if game.to_act is not None:
        to_act = Reason("replay.to_act", {"player": game.to_act})
        yield _cast(to_act, names[game.rounds[-1].number])
        yield _tell_legal(game)


def _cast(line: Reason, names: Sequence[str]) -> Reason:
    return Reason(line.code, {**line.params, "cast": names})


def _tell_stop(number: int, trick: int, card: int) -> Reason:
    if trick == 0:
        return Reason("replay.stopped_before", {"round": number})
    return Reason("replay.stopped", {"round": number, "trick": trick, "card": card})


def _tell_legal(game: Game) -> Reason:
    """The legal moves, with cards written as in the hands."""
    moves = [str(move) for move in game.legal_moves]
    if game.bidding:
        return Reason("replay.legal_bids", {"bids": ", ".join(moves)})
    return Reason("replay.legal", {"moves": " ".join(moves)})


def _tell_hands(game: Game) -> Iterator[Reason]:
    for seat in range(game.players):
        hand = game.hand(seat)
        code = "replay.hand" if hand else "replay.empty_hand"
        yield Reason(code, {"player": seat, "cards": str(hand)})
