"""The guided first round: short scenes with dealt hands, in which the learner makes the moves.

A scene is a file: three hands, the stock, the dealer and the bids (``null``: the learner bids). The
learner has seat 0; the others play the first legal card of theirs, in the order of the file.
:func:`build_scenes` works out everything that can happen in it, wrong moves included, so that a
program that shows it needs no rules.
"""

from __future__ import annotations

import json
from functools import cache
from pkgutil import get_data
from typing import Any, Final, NamedTuple

from rage.coach import Hint, hint, topics
from rage.engine.deal import Deal
from rage.game.account import account_of, tell_account
from rage.game.game import Game
from rage.game.history import TrumpChange, seat_after
from rage.game.rulings import example_move, ruling
from rage.game.story import tell_trump_change
from rage.rules.editions import ruleset
from rage.rules.values import Move, letter_of
from rage.say import Reason, ReasonData

#: The scenes, in the order in which they are played.
SCENES: Final = ("follow", "trump", "wild", "change", "bid")
#: The other players, after the learner.
OTHERS: Final = ("Ada", "Ben")
#: The seat of the learner.
LEARNER: Final = 0
#: The action card that a scene is about.
_CARDS: Final = {"wild": "W", "change": "C"}


class Scene(NamedTuple):
    """A scene as its file has it. ``lesson``: the topic of the coach that it is about."""

    lesson: str
    dealer: int
    bids: list[int | None]
    stock: str
    hands: list[str]


@cache
def scene(name: str) -> Scene:
    """A scene from its file in ``scenes/``, which is read once."""
    data = get_data("rage.learn", f"scenes/{name}.json")
    assert data is not None
    return Scene(**json.loads(data))


def open_scene(name: str, edition: str) -> Game:
    """The game of a scene by the rules of an edition, before the first bid."""
    found = scene(name)
    deal = Deal(found.dealer, found.hands, found.stock)
    rules = ruleset(edition).replace(schedule=(len(deal.hands[0]),))
    return Game(rules, ["", *OTHERS], deals=[deal])


def build_scenes(edition: str) -> dict[str, Any]:
    """Every scene, played out: by name, its ``moments``, beginning with the first.

    A moment is a decision of the learner, or the end. It has what the learner sees, and for each
    card or bid its ``choices``: why it is refused (``why``), or what happens then (``tell``) and
    which moment comes ``next``. The ``tell`` of the scene itself is what happens before: the trump
    is turned up, and the others bid and play."""
    return {
        "edition": edition,
        "scenes": {name: _Builder(name, edition).build() for name in SCENES},
    }


class _Builder:
    """Plays one scene in every way."""

    def __init__(self, name: str, edition: str) -> None:
        self._scene = scene(name)
        self._game = open_scene(name, edition)
        self._moments: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}

    def build(self) -> dict[str, Any]:
        trump = _trump(self._game.rounds[-1].trump_changes[0])
        tell = self._others(self._game)
        self._moment(self._game)
        return {"tell": [trump, *tell], "moments": self._moments}

    def _moment(self, game: Game) -> int:
        """The number of the moment that a game has reached; equal positions are the same one."""
        key = repr(game.position.fields())
        if key in self._known:
            return self._known[key]
        number = self._known[key] = len(self._moments)
        self._moments.append({})
        self._moments[number] = _end(game) if game.over else self._decision(game)
        return number

    def _decision(self, game: Game) -> dict[str, Any]:
        view = game.view(LEARNER)
        found = self._hint(game)
        trick = view.trick
        return {
            "hand": str(view.hand),
            "trump": letter_of(view.trump),
            "bidding": view.bidding,
            "bids": view.bids,
            "won": view.won,
            "trick": [
                [seat_after(trick.leader if trick else 0, at, game.players), str(move)]
                for at, move in enumerate(trick.moves if trick else ())
            ],
            "hint": None if found is None else found.reason.as_data(),
            "lit": "" if found is None else found.cards,
            "choices": dict(self._choices(game)),
        }

    def _hint(self, game: Game) -> Hint | None:
        """The coach's hint from the scene's own lesson alone; about a bid only what it is for,
        because finding it is the lesson."""
        if game.bidding:
            return Hint(None, Reason("learn.bid.hint", {"exact": game.rules.exact}))
        taught = {*topics(game.rules, game.players)} - {self._scene.lesson}
        return hint(game.view(LEARNER), taught)

    def _choices(self, game: Game) -> list[tuple[str, dict[str, Any]]]:
        """What the learner may try, as codes, and its consequences."""
        found = []
        for move in game.legal_moves():
            after = game.copy()
            tell = [*_play(after, move), *self._others(after)]
            found.append((str(move), {"tell": tell, "next": self._moment(after)}))
        if game.bidding:
            return found
        playable = {move.card for move in game.legal_moves()}
        for card in game.view(LEARNER).hand:
            if card not in playable:
                why = game.why_not(example_move(card, game.rules, game.trump))
                assert why is not None
                found.append((str(card), {"why": why.as_data()}))
        return found

    def _others(self, game: Game) -> list[dict[str, Any]]:
        """Play until the learner decides, or the round is over. Returns what has happened. The
        learner's bid is made here if the scene has it, and so is the last card."""
        tell: list[dict[str, Any]] = []
        while (seat := game.to_act) is not None:
            bid = self._scene.bids[seat]
            if game.bidding and bid is not None:
                tell += _play(game, Move.bid(bid))
            elif seat == LEARNER and not _is_last_card(game):
                break
            elif seat == LEARNER:
                card, *then = _play(game, game.legal_moves()[0])
                why = Reason("learn.last_card", {"card": card["card"]}).as_data()
                tell += [{**card, "why": why}, *then]
            else:
                tell += _play(game, self._usual(game, seat))
        return tell

    def _usual(self, game: Game, seat: int) -> Move:
        """The first legal card of a hand, in the order of the file."""
        order = self._scene.hands[seat].split()
        return min(game.legal_moves(), key=lambda move: order.index(str(move.card)))


def _is_last_card(game: Game) -> bool:
    """Whether the learner has nothing left to decide: one card, and one way to play it."""
    return len(game.legal_moves()) == 1 == len(game.view(LEARNER).hand)


def _play(game: Game, move: Move) -> list[dict[str, Any]]:
    """Make a move. Returns what has happened, step by step."""
    seat = game.to_act
    if game.bidding:
        game.play(move)
        return [{"seat": seat, "bid": move.tricks}]
    changes = len(game.rounds[-1].trump_changes)
    game.play(move)
    current = game.rounds[-1]
    tell: list[dict[str, Any]] = [{"seat": seat, "card": str(move)}]
    tell += map(_trump, current.trump_changes[changes:])
    last = len(current.tricks) - 1
    if (winner := current.tricks[last].winner) is not None:
        why = ruling(current, last, game.rules.second_wild).as_data()
        tell.append({"winner": winner, "why": why})
    return tell


def _trump(change: TrumpChange) -> dict[str, Any]:
    """The step at which the trump is set."""
    return {"trump": letter_of(change.trump), "why": tell_trump_change(change).as_data()}


def _end(game: Game) -> dict[str, Any]:
    """The end of a scene: whether the learner's bid was met, and the account of the points."""
    current = game.rounds[-1]
    account = account_of(current, game.position.rules, LEARNER)
    return {
        "over": True,
        "met": account.met,
        "bids": list(current.bids),
        "won": list(current.won or ()),
        "account": tell_account(account).as_data(),
    }


def remark(name: str, which: str) -> Reason:
    """A remark about a scene: its ``name``, its ``intro``, or at its end ``met`` or ``missed``."""
    return Reason(f"learn.{name}.{which}", {"card": _CARDS.get(name, "")})


def as_reason(data: ReasonData) -> Reason:
    """A reason of a built scene, ready to be said."""
    params = {
        name: as_reason(ReasonData(value)) if isinstance(value, dict) else value
        for name, value in data.items()
        if name != "code"
    }
    return Reason(data["code"], params)
