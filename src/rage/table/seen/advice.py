"""Advice at the table: who may ask for it, and the view that it is based on."""

from __future__ import annotations

from rage.game.view import View
from rage.say import NotAllowed
from rage.table.play.sealing import game_for
from rage.table.state import State


def advice_allowed(state: State) -> bool:
    """Return whether the players to act may ask for advice: by the options of the table, or because
    only one person plays."""
    if state.options.advice == "alone":
        people = 0
        for seat in state.seats:
            people += seat.person is not None
        return people == 1
    return state.options.advice == "always"


def view_to_advise(state: State, person: str | None, ply: int) -> View:
    """The view for advice to a person on the decision numbered ``ply``. Raises
    :class:`rage.NotAllowed` if that decision is not theirs, or the table does not allow advice."""
    seat = state.require_seat(person)
    if not advice_allowed(state):
        raise NotAllowed("table.no_advice")
    if state.phase != "playing" or not state.may_act(seat) or state.seats[seat].bot is not None:
        raise NotAllowed("table.advice_later")
    state.check_ply(ply, seat)
    return game_for(state, seat).view(seat)
