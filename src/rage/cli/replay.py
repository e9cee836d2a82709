"""``rage replay``: check a record move by move, and show the game or answer in JSON."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator

from rage.cards import CARD_CODES, hand_order
from rage.cli.files import read_bytes, read_game
from rage.editions import name_of
from rage.game import Game
from rage.notation import Record, replay, replay_json, result
from rage.notation.replaying import Moment
from rage.say import NotReadable, Reason, sentence, text
from rage.story import tell_end, tell_round

_MOMENT = re.compile(r"(\d{1,2})(?:\.(\d{1,2})(?:\.(\d))?)?")


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help=text("cli.file", language))
    parser.add_argument("--json", action="store_true", help=text("cli.replay.json", language))
    parser.add_argument("--stop", metavar="R[.T[.C]]", help=text("cli.replay.stop", language))


def run(arguments: argparse.Namespace) -> int:
    """0 if the record keeps the rules, 1 if it breaks one, 2 if it is no record."""
    if arguments.json and arguments.stop is None:
        return _run_json(arguments.file)
    record = read_game(read_bytes(arguments.file))
    until = None if arguments.stop is None else _moment(arguments.stop, record)
    game = replay(record, until)
    if arguments.json:
        print(json.dumps(result(game)))
        return 0
    for line in tell_game(game, until):
        print(sentence(line, arguments.language, edition=game.rules.edition, names=game.names))
    return 0


def _run_json(path: str) -> int:
    """One object, whatever the file holds: also where it cannot be read at all."""
    try:
        answer = replay_json(read_bytes(path))
    except NotReadable as error:
        answer = {"ok": False, "error": str(error)}
    print(json.dumps(answer))
    if answer["ok"]:
        return 0
    return 1 if "round" in answer else 2


def _moment(written: str, record: Record) -> Moment:
    """The moment that ``--stop`` names: before a round's bids, in a trick, after a card."""
    match = _MOMENT.fullmatch(written)
    first = record.first_round
    if match is None or not first <= int(match[1]) < first + len(record.rounds):
        raise NotReadable("cli.replay.no_moment", moment=written)
    trick = int(match[2] or 0)
    card = int(match[3] or (len(record.players) if match[2] else 0))
    tricks = record.rounds[int(match[1]) - first].tricks
    if trick > len(tricks) or card > (len(tricks[trick - 1]) if trick else 0):
        raise NotReadable("cli.replay.no_moment", moment=written)
    return (int(match[1]), trick, card)


def tell_game(game: Game, until: Moment | None = None) -> Iterator[Reason]:
    """The whole game as sentences; stopped at a moment, also the hands and the legal moves."""
    yield Reason(
        "replay.head", {"rules": name_of(game.rules), "players": list(range(game.players))}
    )
    for each in game.rounds:
        yield from tell_round(each, game.rules)
    if until:
        yield Reason("replay.stopped", dict(zip(("round", "trick", "card"), until, strict=True)))
        yield from _tell_hands(game)
    if any(each.points for each in game.rounds):
        yield Reason("replay.scores", {"scores": " ".join(map(str, game.scores))})
    if game.winners is not None:
        yield tell_end(game.scores, game.winners, game.players)
    else:
        yield Reason("replay.not_over")
    if game.to_act is not None:
        yield Reason("replay.to_act", {"player": game.to_act})
        yield Reason("replay.legal", {"moves": " ".join(map(str, game.legal_moves()))})


def _tell_hands(game: Game) -> Iterator[Reason]:
    for seat in range(game.players):
        cards = sorted(game.position.hand(seat), key=hand_order)
        codes = " ".join(CARD_CODES[card] for card in cards)
        code = "replay.hand" if cards else "replay.empty_hand"
        yield Reason(code, {"player": seat, "cards": codes})
