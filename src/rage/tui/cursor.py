"""The bid or card under the cursor: whether it may be chosen, and why not."""

from __future__ import annotations

from rage.game.scene import Scene, moves_of, why_not
from rage.rules.values import Move
from rage.say import card_name
from rage.tui import draw
from rage.tui.guide import Guide
from rage.tui.look import Look


def choices(scene: Scene) -> list[int]:
    """The current choices: bids, or indices of cards in the hand."""
    if not scene.my_turn:
        return []
    if scene.bidding:
        return [move.tricks for move in scene.view.legal_moves if move.tricks is not None]
    return [index for index, card in enumerate(scene.hand) if moves_of(scene.view, card)]


def usual_bid(scene: Scene, guide: Guide | None) -> int:
    """The bid where the cursor starts: the coach's fair bid while the coach is on."""
    hint = None if guide is None else guide.hint(scene.view)
    if hint is None or hint.bid is None:
        return scene.round.hand_size // 4
    return hint.bid


def refusal(scene: Scene, looks: Look, cursor: int) -> str | None:
    """Why the bid or card under the cursor cannot be chosen; ``None`` if it can."""
    if not scene.my_turn:
        return None
    if scene.bidding:
        reason = scene.view.why_not(Move.bid(cursor))
    else:
        reason = why_not(scene.view, scene.hand[cursor])
    return None if reason is None else draw.say(scene, looks, reason)


def chosen(scene: Scene, looks: Look, cursor: int) -> str:
    """The bid or the name of the card under the cursor; empty if it is another's turn."""
    if not scene.my_turn:
        return ""
    if scene.bidding:
        return str(cursor)
    return card_name(str(scene.hand[cursor]), looks.language, looks.edition)
