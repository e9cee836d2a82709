"""``python -m tools.generated.playthrough EDITION`` prints a short game of an edition, moment by
moment, in every form the library gives it: the position in one line, the view of the seat to act,
its legal moves and its features, the events at the table, and the sentences about them.

The texts are committed (``tests/playthroughs``), so that a change of behaviour shows as a readable
diff.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Final

from rage.features.encode import encode
from rage.features.meanings import FEATURES
from rage.game.plain_text import Lines, News
from rage.game.view import View
from rage.table import Create, Join, Play, Ready, Start, Table, write_event
from rage.table.commands import Command

#: The hand sizes of the two rounds, large enough for action cards and several tricks to occur.
ROUNDS: Final = "+schedule:4.2"
PEOPLE: Final = ("Ann", "Ben", "Cem")


def playthrough(edition: str) -> Iterator[str]:
    """Yield the lines of the text."""
    table, rng = Table(), Random(edition)
    yield f"# {edition}: two rounds of random moves, as everything that is made of them"
    seed = b"the seed of a playthrough"
    yield from _do(table, Create(f"{edition}{ROUNDS}", len(PEOPLE), PEOPLE[0]), "Ann", seed)
    for name in PEOPLE[1:]:
        yield from _do(table, Join(name), name)
    yield from _do(table, Start(), "Ann")
    game, news = table.state.require_play().game, News()
    while not game.over:
        if (seat := game.to_act) is None:
            for person in PEOPLE:
                yield from _do(table, Ready(game.rounds[-1].number), person)
            continue
        yield ""
        yield from _moment(game.view(seat))
        move = rng.choice(game.legal_moves)
        yield f"move: {move}"
        yield from _do(table, Play(game.ply, str(move)), PEOPLE[seat])
        yield from (f"said: {line}" for line in news.lines(Lines(game.view(None), "en")))
    yield ""
    yield f"position: {game.position.text}"
    yield from Lines(game.view(None), "en").end()


def _do(table: Table, command: Command, person: str, seed: bytes | None = None) -> Iterator[str]:
    """Execute a command a second after the last one, and yield its events."""
    for event in table.decide(command, person, table.state.at + 1000, seed=seed):
        table.apply(event)
        yield f"event: {write_event(event).decode()}"


def _moment(view: View) -> Iterator[str]:
    """The lines about the view of the seat to act."""
    yield f"position: {view.text}"
    lines = Lines(view, "en")
    for part in (lines.hand, lines.bids, lines.trick, lines.trump):
        yield from (f"view: {line}" for line in part())
    yield f"legal: {view.legal_moves}"
    yield f"features: {_digests(encode(view.position, view.seat or 0))}"


def _digests(numbers: array[int]) -> str:
    """Each feature block that is not all zero, as four digits of a digest."""
    said = []
    for block in FEATURES:
        part = numbers[block.start : block.start + block.length]
        if any(part):
            said.append(f"{block.name} {sha256(str(part.tolist()).encode()).hexdigest()[:4]}")
    return ", ".join(said)


if __name__ == "__main__":
    print("\n".join(playthrough(sys.argv[1])))
