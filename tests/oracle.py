"""A slow oracle of the rules: sets, lists of card codes and ``max``, from docs/rules.md alone.

It shares no code with ``rage`` (it only reads the settings of a rule set) and was written before
the kernel was looked at. Cards and moves are the codes of docs/record.md; a seat is a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LETTERS = "ROYGBP"
ACTIONS = {"W", "C", "X", "+", "-"}


def colour(code: str) -> str | None:
    """The colour a played card has: its own, or the one a Wild was called."""
    return next((c for c in code[:2] if c in LETTERS), None) if code[0] != "C" else None


def led(trick: Sequence[str]) -> str | None:
    return next((colour(code) for code in trick if colour(code)), None)


def plays(rules: Any, hand: Sequence[str], trick: Sequence[str], trump: str | None) -> set[str]:
    """The legal plays from a hand."""
    letters = LETTERS[: rules.colours]
    allowed = {card for card in hand if card[0] == led(trick)}
    if not allowed:
        allowed = set(hand)
    elif rules.anytime_actions:
        allowed |= set(hand) & ACTIONS
    moves = allowed - {"W", "C"}
    if "W" in allowed:
        moves |= {"W" + letter for letter in letters}
    if "C" in allowed:
        named = {"C" + letter for letter in letters if letter != trump}
        moves |= named if rules.change == "choose" else {"C"}
    return moves


def winner(rules: Any, trick: Sequence[str], trump: str | None) -> int:
    """Which card of a trick wins it, counted from 0, with the trump in force at its end."""
    for wanted in (trump, led(trick)):
        of_it = [place for place, code in enumerate(trick) if wanted and colour(code) == wanted]
        if of_it:
            later = 1 if rules.second_wild == "higher" else -1
            wild = [later * place for place in of_it if trick[place][0] == "W"]
            return abs(max(wild)) if wild else max(of_it, key=lambda place: int(trick[place][1:]))
    return 0


class Round:
    """One deal being played out."""

    def __init__(
        self, rules: Any, dealer: int, hands: Sequence[Sequence[str]], stock: Sequence[str]
    ):
        self.rules, self.dealer, self.n, self.size = rules, dealer, len(hands), len(hands[0])
        self.hands = [list(hand) for hand in hands]
        self.stock, self.up = list(stock), list[str]()  # up: turned over, in order
        self.shown = list[str]()  # likewise, never put back
        self.depth = len(stock)
        self.trump: str | None = None
        self.bids: list[int | None] = [None] * self.n
        self.to_act: int | None = (dealer + 1) % self.n
        self.trick, self.out_in_trick = list[str](), False
        self.taken: list[list[list[str]]] = [[] for _ in hands]
        self.turn_up()

    def turn_up(self) -> None:
        turned = list[str]()
        while self.stock:
            turned.append(self.stock.pop(0))
            self.shown.append(turned[-1])
            if turned[-1] not in ACTIONS:
                self.trump = turned[-1][0]
                self.up += turned
                return
        self.stock, self.trump = turned, None

    def legal(self) -> set[str]:
        if self.to_act is None:
            return set()
        if None not in self.bids:
            return plays(self.rules, self.hands[self.to_act], self.trick, self.trump)
        free = set(range(self.size + 1))
        if self.rules.bid_total == "not_tricks" and self.bids.count(None) == 1:
            free.discard(self.size - sum(bid for bid in self.bids if bid is not None))
        return {str(bid) for bid in free}

    def play(self, code: str) -> None:
        seat = self.to_act
        assert seat is not None
        self.to_act = (seat + 1) % self.n
        if None in self.bids:
            self.bids[seat] = int(code)
            return
        self.hands[seat].remove(code[0] if code[0] in ACTIONS else code)
        self.trick.append(code)
        if code == "X":
            self.trump = None
            if self.rules.out == "trick":
                self.out_in_trick = True
                self.stock, self.up = self.stock + self.up, []
        elif code == "C":
            self.turn_up()
        elif code[0] == "C":
            self.trump = code[1]
        if len(self.trick) == self.n:
            self.end_trick((self.to_act + winner(self.rules, self.trick, self.trump)) % self.n)

    def end_trick(self, taker: int) -> None:
        self.taken[taker].append(self.trick)
        self.to_act = taker if any(self.hands) else None
        if self.trump is None and self.out_in_trick and any(self.hands):
            self.turn_up()
        self.trick, self.out_in_trick = [], False

    def seen(self) -> list[str]:
        """The cards that everybody has seen (those of the stock come up in its order, again and
        again, if it is small)."""
        tricks = [trick for taken in [*self.taken, [self.trick]] for trick in taken]
        played = [code[0] if code[0] in ACTIONS else code for trick in tricks for code in trick]
        return self.shown[: self.depth] + played

    def sides(self) -> list[list[int]]:
        teams = self.rules.teams or self.n
        return [[seat for seat in range(self.n) if seat % teams == side] for side in range(teams)]

    def met(self) -> list[bool]:
        """Whether each side met its bid."""
        return [
            sum(self.bids[seat] or 0 for seat in side) == sum(len(self.taken[s]) for s in side)
            for side in self.sides()
        ]

    def points(self) -> list[int]:
        """What the round scored, by side."""
        points = []
        for side, met in zip(self.sides(), self.met(), strict=True):
            tricks = [trick for seat in side for trick in self.taken[seat]]
            each = 2 if self.rules.sweep and len(tricks) == self.size > 1 else 1
            bid = sum(self.bids[seat] or 0 for seat in side)
            reward = self.rules.exact if bid else self.rules.exact_zero
            cards = [card for trick in tricks for card in trick]
            action = 5 * (cards.count("+") - cards.count("-"))
            points.append(each * len(tricks) + (reward if met else self.rules.miss) + action)
        return points


def winners(rules: Any, scores: Sequence[int], bids_met: Sequence[int]) -> list[int]:
    """Who wins the game, from the totals and the bids met, by side."""
    weights = [
        (score, met if rules.tie == "exact_bids" else 0)
        for score, met in zip(scores, bids_met, strict=True)
    ]
    return [side for side, weight in enumerate(weights) if weight == max(weights)]
