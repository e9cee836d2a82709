"""Perft files: a conformance format for anybody's engine of Rage.

A file is lines of text. ``#`` begins a comment; an empty line ends a case. Every case names a
deal and says how many ways there are to play it to the end of the round::

    rules amigo+sweep+schedule:2     the rule set, as docs/rules.md writes names
    dealer 2                         the dealer's seat
    hand G5 W                        the hand of seat 0, and so on by seat (codes of record.md)
    hand R1 X
    hand - B4
    stock O7 P1 C                    the stock, top first; cut short after what can be turned over
    played 1 0 2                     moves made before the count begins (optional)
    count 1234                       the leaves: all sequences of legal moves to the end
    digest 0123456789abcdef          the sum, modulo 2**64, of a digest of each leaf's points

The digest of a leaf is FNV-1a in 64 bits, over the points of each side in order, each point as
one unit of 16 bits (two's complement): begin with cbf29ce484222325, and for each side exclusive-or
its points in, then multiply by 100000001b3, modulo 2**64. A move differs from another if its code
does: two equal Bonus cards are one move; the six calls of a Wild are six.

An engine that is wrong gives another count or digest; ``split`` (the two numbers for each first
move) then shows where, one move deeper each time. ``make generated`` prints the files
again from the kernel; the slow oracle, which shares no code with it, confirms the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import oracle
from rage import ruleset
from rage.engine import kernel
from rage.engine.position import Position
from rage.rules.cards import MOVE_CODES, MOVE_NUMBERS
from rage.rules.hands import Cards

HERE = Path(__file__).parent
M64 = 2**64 - 1


class Case(NamedTuple):
    """One case of a perft file."""

    rules: str
    dealer: int
    hands: tuple[str, ...]
    stock: str
    played: str = ""
    leaves: int = 0
    digest: int = 0

    def position(self) -> Position:
        """The kernel's position of this case."""
        position = Position(kernel.Rules(ruleset(self.rules), len(self.hands)))
        position.deal(
            self.dealer, [Cards(hand).numbers for hand in self.hands], Cards(self.stock).numbers
        )
        for code in self.played.split():
            position.play(MOVE_NUMBERS[code])
        return position

    def text(self) -> str:
        """The lines of this case."""
        lines = [f"rules {self.rules}", f"dealer {self.dealer}"]
        lines += [f"hand {hand}" for hand in self.hands]
        lines.append(f"stock {self.stock}")
        if self.played:
            lines.append(f"played {self.played}")
        return "\n".join([*lines, f"count {self.leaves}", f"digest {self.digest:016x}"]) + "\n"


def read(text: str) -> Iterator[Case]:
    """The cases of a file. Raises ``KeyError`` where a line of a case is missing."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        words = dict(line.partition(" ")[::2] for line in lines)
        yield Case(
            rules=words["rules"],
            dealer=int(words["dealer"]),
            hands=tuple(line[5:] for line in lines if line.startswith("hand ")),
            stock=words["stock"],
            played=words.get("played", ""),
            leaves=int(words["count"]),
            digest=int(words["digest"], 16),
        )


def all_cases() -> dict[str, Case]:
    """Every case of every file, by file and number."""
    return {
        f"{path.stem}-{number}-{case.rules}": case
        for path in sorted(HERE.glob("*.perft"))
        for number, case in enumerate(read(path.read_text(encoding="ascii")), 1)
    }


def split(case: Case) -> str:
    """The count and the digest for each first move, one a line."""
    lines = []
    for move in case.position().legal_moves:
        position = case.position()
        position.play(move)
        count, digest = position.perft()
        lines.append(f"{MOVE_CODES[move]:>3} {count:>8} {digest:016x}")
    return "\n".join(lines)


def leaf_digest(points: list[int]) -> int:
    """FNV-1a over the points, each as 16 bits."""
    digest = 0xCBF29CE484222325
    for each in points:
        digest = ((digest ^ (each & 0xFFFF)) * 0x100000001B3) & M64
    return digest


def by_oracle(case: Case) -> tuple[int, int]:
    """The count and the digest by the oracle, which replays every line from the deal."""
    rules = ruleset(case.rules)
    count = digest = 0
    lines = [case.played.split()]
    while lines:
        line = lines.pop()
        game = oracle.Round(rules, case.dealer, [hand.split() for hand in case.hands],
                            case.stock.split())  # fmt: skip
        for code in line:
            game.play(code)
        while len(moves := game.legal()) == 1:
            line = [*line, *moves]
            game.play(line[-1])
        lines += [[*line, code] for code in moves]
        if not moves:
            count += 1
            digest = (digest + leaf_digest(game.points())) & M64
    return count, digest
