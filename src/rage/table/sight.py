"""What each person may see of a table: its state with a view of the game, and its events."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from rage.cards import BID, CARD_CODES, CARD_OF_MOVE, CHANGE, MOVE_CODES, N_COLOURED, hand_order
from rage.editions import name_of
from rage.history import MOVES, Move
from rage.kernel import Phase
from rage.position import Position
from rage.rules import SETTING_NAMES, RuleSet
from rage.rulings import refusal
from rage.say import NotAllowed
from rage.table.consent import undo_count
from rage.table.data import plain
from rage.table.events import Chatted, Event, hidden_data
from rage.table.shapes import (
    OwnData,
    ProposalData,
    ReasonData,
    SaidData,
    SeatData,
    SeenGameData,
    SpectatorData,
    TableData,
    ToActData,
)
from rage.table.state import State
from rage.view import View

#: How many lines of chat are told again.
MOST_TOLD: Final = 50


def game_view(state: State, person: str | None) -> View | None:
    """The game as a person at the table may see it; ``None`` where none has begun, or the person
    is not at the table."""
    if state.play is None or person not in state.guests:
        return None
    return state.play.game.view(state.eye(person))


def view_for(state: State, person: str | None) -> TableData:
    """Everything a person may know, as plain data for JSON. Who is not at the table sees who is,
    and what is played, but no game."""
    view = game_view(state, person)
    play = state.play
    return {
        "seq": state.seq,
        "ply": state.ply,
        "phase": state.phase,
        "rules": name_of(state.ruleset()),
        "settings": _settings(state.ruleset()),
        "options": plain(state.options),
        "host": state.host,
        "games": state.games,
        "commitment": state.commitment,
        "seed": state.seed if state.phase == "over" else None,
        "turn_since": state.turn_since,
        "asked": play is not None and state.asked == state.ply,
        "seats": [_seat_data(state, seat) for seat in range(len(state.seats))],
        "spectators": _spectators(state),
        "proposal": _proposal_data(state) if person in state.guests else None,
        "chat": _chat_data(state, person),
        "me": _own_data(state, person),
        "game": None if view is None else _game_data(view, state.options.known),
    }


def _game_data(view: View, known: bool) -> SeenGameData:
    data = view.as_data()
    if not known:
        del data["seen"], data["voids"]
    return {**data, "why_not": _refusals(view.position) if view.my_turn else {}}


def _settings(rules: RuleSet) -> dict[str, Any]:
    """The edition and the value of every setting, for who has no rules of their own."""
    values = {name: getattr(rules, name) for name in SETTING_NAMES}
    return {"edition": rules.edition, **values, "pack": rules.pack._asdict()}


def _refusals(position: Position) -> dict[str, ReasonData]:
    """To who is to act, each card of the hand and each bid that may not be made now, with the
    reason: its code and its parameters. The position may be masked for that seat."""
    bidding = position.phase == Phase.BIDDING
    return {
        code: reason if bidding else ReasonData({**reason, "card": code})
        for codes, reason in _refused(position)
        for code in codes
    }


def _refused(position: Position) -> list[tuple[list[str], ReasonData]]:
    """The same, each reason once, without the card."""
    seat = position.to_act
    assert seat is not None
    legal = position.legal()
    if position.phase == Phase.BIDDING:
        bids = set(range(position.hand_size + 1)).difference(move - BID for move in legal)
        return [([str(bid)], _why_not(position, BID + bid, seat)) for bid in sorted(bids)]
    turns, trump = position.rules.ruleset.change == "reveal", position.trump
    playable = {CARD_OF_MOVE[move] for move in legal}
    cards = sorted({*position.hand(seat)} - playable, key=hand_order)
    coloured = [CARD_CODES[card] for card in cards if card < N_COLOURED]
    found: list[tuple[list[str], ReasonData]] = []
    if coloured:  # which all are refused because another colour is to be followed
        found.append((coloured, _why_not(position, _usual(cards[0], turns, trump), seat)))
    for card in cards[len(coloured) :]:
        reason = _why_not(position, _usual(card, turns, trump), seat)
        codes = next((codes for codes, other in found if other == reason), None)
        if codes is None:
            found.append(([CARD_CODES[card]], reason))
        else:
            codes.append(CARD_CODES[card])
    return found


def _why_not(position: Position, move: int, seat: int) -> ReasonData:
    reason = refusal(position, move, seat)
    assert reason is not None
    rest = {name: value for name, value in reason.params.items() if name != "card"}
    return ReasonData({"code": reason.code, **rest})


def turn_data(state: State, person: str | None) -> ToActData | None:
    """To who is to act: the ``legal`` moves as codes with a space between, and under ``why_not``,
    for each reason once, the cards or bids that may not be; ``None`` for everybody else."""
    seat = state.seat_of(person)
    if seat is None or seat != state.to_act or state.seats[seat].bot is not None:
        return None
    position = state.require_play().game.position.masked(seat)  # no reason from others' hands
    return {
        "legal": " ".join(position.legal_of(MOVE_CODES)),
        "why_not": [(" ".join(codes), reason) for codes, reason in _refused(position)],
    }


@cache
def _usual(card: int, turns: bool, trump: int | None) -> Move:
    """A move that plays a card, in the form that the rules have for it; ``turns``: a Change
    turns the next trump up, instead of naming it."""
    forms = [move for move in MOVES[:BID] if move.card == card]
    if card == CHANGE:
        forms = [move for move in forms if (move.colour is None) == turns]
    return next((move for move in forms if move.colour != trump), forms[0])


def _seat_data(state: State, at: int) -> SeatData:
    seat = state.seats[at]
    return {
        "name": seat.name,
        "person": seat.person,
        "bot": seat.bot,
        "here": not state.is_away(at),
        "word": seat.word,
        "shows": seat.shows,
        "votes": dict(state.votes.get(at, {})),
    }


def _spectators(state: State) -> list[SpectatorData]:
    return [
        {"person": each, "name": guest.name, "here": guest.present, "looking": guest.looking}
        for each, guest in state.guests.items()
        if state.seat_of(each) is None
    ]


def _proposal_data(state: State) -> ProposalData | None:
    proposal = state.proposal
    if proposal is None:
        return None
    return {
        "kind": proposal.kind,
        "seat": proposal.seat,
        "ply": proposal.ply,
        "count": proposal.count,
        "tricks": list(proposal.tricks),
        "hand": proposal.hand,
        "agreed": sorted(proposal.agreed),
        "asked": state.consulted(proposal.seat),
    }


def _chat_data(state: State, person: str | None) -> list[SaidData]:
    """What was said last, by whom this person hears; nothing for who is not at the table."""
    if person is None or person not in state.guests:
        return []
    muted = state.guests[person].muted
    heard = [said for said in state.chat if said.person not in muted]
    return [
        {
            "seq": said.seq,
            "at": said.at,
            "person": said.person,
            "name": said.name,
            "text": said.text,
            "preset": said.preset,
        }
        for said in heard[-MOST_TOLD:]
    ]


def _own_data(state: State, person: str | None) -> OwnData | None:
    if person is None or person not in state.guests:
        return None
    guest, seat = state.guests[person], state.seat_of(person)
    return {
        "person": person,
        "name": guest.name,
        "seat": seat,
        "looking": guest.looking,
        "muted": sorted(guest.muted),
        "may_undo": seat is not None and _may_undo(state, seat),
    }


def _may_undo(state: State, seat: int) -> bool:
    if not state.options.undo or state.phase != "playing" or state.seats[seat].bot is not None:
        return False
    try:
        return undo_count(state, seat) > 0
    except NotAllowed:
        return False


def redact(state: State, event: Event, person: str | None) -> dict[str, Any]:
    """An event of this table as a person at it may see it now, as plain data for JSON; one of
    which they may see nothing leaves a mark with its number. Raises :class:`rage.NotAllowed`
    for who is not at the table."""
    guest = state.guest(person)
    fact = event.fact
    if isinstance(fact, Chatted) and fact.person in guest.muted:
        return hidden_data(event)
    seen = event.visible_to(person, state.eye(person))
    return hidden_data(event) if seen is None else seen.as_data()
