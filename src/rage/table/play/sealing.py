"""Sealed bids: if bids are hidden or secret, all bid at once.

The game asks for bids one after the other. The table takes each early, keeps it to itself, and
hands them over in order once the last is in; until then they may be changed. That a seat has bid is
an event. A change is not, because the others would see it: the caller keeps the changed bids beside
the log, and they count once they are stored.
"""

from __future__ import annotations

import msgspec

from rage.game.game import Game
from rage.game.view import View
from rage.rules.values import Move
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table.schema import UNREADABLE
from rage.table.state import State


class _Changed(msgspec.Struct):
    """The changed bids by seat, in the bidding whose first decision is numbered ``ply``."""

    ply: int
    bids: dict[int, str]


def game_for(state: State, seat: int) -> Game:
    """The game as it stands at a seat's turn. While bids are sealed it is a copy in which all
    earlier bidders have bid; the seat cannot tell these from the real bids."""
    game = state.require_play().game
    if not state.sealing or seat not in state.bidders:
        return game
    game = game.copy()
    while game.to_act != seat:
        game.play(Move.bid(0))
    return game


def view_in_turn(state: State, seat: int) -> View:
    """The view of a seat at its turn or, once it has sealed a bid, at the turn of the first seat
    without one."""
    if seat not in state.sealed or (awaited := state.awaited) is None:
        return game_for(state, seat).view(seat)
    return game_for(state, awaited).view(seat).with_bid(state.sealed[seat].move)


def change_bid(state: State, command: c.ChangeBid, actor: str | None) -> bytes | None:
    """All changed bids with this one, as JSON, or ``None`` if it changes nothing. Raises
    :class:`rage.NotAllowed` and :class:`rage.NotReadable`."""
    move = Move(command.move)
    seat = state.require_seat(actor)
    state.require_phase("playing")
    if state.seats[seat].bot is not None:
        raise NotAllowed("table.bot_plays")
    state.check_ply(command.ply, seat)
    if seat not in state.sealed:
        raise NotAllowed("table.early")
    reason = game_for(state, seat).why_not(move, seat)
    if reason is not None:
        raise NotAllowed(reason.code, **reason.params)
    if move == state.sealed[seat].move:
        return None
    bids = {at: str(each.move) for at, each in state.sealed.items() if each.changed}
    bids[seat] = str(move)
    return msgspec.json.encode(_Changed(state.ply, bids))


def restore_changed(state: State, data: bytes) -> None:
    """Replace sealed bids from the log with the changed ones. Raises :class:`rage.NotReadable`."""
    try:
        found = msgspec.json.decode(data, type=_Changed)
    except UNREADABLE:
        raise NotReadable("table.message.json") from None
    if found.ply != state.ply:
        return
    for seat, bid in found.bids.items():
        if (sealed := state.sealed.get(seat)) is not None:
            state.sealed[seat] = sealed._replace(move=Move(bid), changed=True)


def own_bid(state: State, person: str | None) -> int | None:
    """The sealed bid of the seat whose cards a person sees."""
    seat = state.viewpoint(person)
    if seat is None or (sealed := state.sealed.get(seat)) is None:
        return None
    return sealed.move.tricks
