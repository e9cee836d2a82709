"""What each person may see of a table: its state, a view of the game, and its events."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

from rage.coach import Coach
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.game.history import seats_of
from rage.game.rulings import example_move, names_colour, refusal
from rage.game.view import GameData, View
from rage.rules.cards import (
    BID,
    CARD_CODES,
    CARD_OF_MOVE,
    MOVE_CODES,
)
from rage.rules.hands import hand_of
from rage.rules.ruleset import RuleSet
from rage.rules.settings import SETTING_NAMES
from rage.rules.values import Card, Colour, Move
from rage.say import ReasonData
from rage.table.facts.events import Event
from rage.table.facts.shapes import (
    BetweenData,
    HintData,
    OwnData,
    ProposalData,
    SaidData,
    SeatData,
    SpectatorData,
    TableData,
    ToActData,
)
from rage.table.facts.table_facts import PRACTICE
from rage.table.people.guests import may_look
from rage.table.people.hosts import host_free_at
from rage.table.people.speech import is_silenced
from rage.table.people.transfers import may_ask, may_give, may_seat_bot, why_not_give
from rage.table.play.between_rounds import deal_time
from rage.table.play.clock import takeover
from rage.table.play.consent import may_claim, may_undo
from rage.table.play.sealing import game_for
from rage.table.seen.advice import advice_allowed
from rage.table.seen.records import holders_at
from rage.table.state import State

#: The most lines of chat in a view.
MAX_CHAT_IN_VIEW: Final = 50
#: Not sent with a game: the legal moves are part of a turn, and the page counts the bids met.
_OMITTED: Final = ("legal", "met")


def game_view(state: State, person: str | None) -> View | None:
    """The game as a person at the table may see it; ``None`` before one has begun, or if they are
    not at the table."""
    if state.play is None or person not in state.guests:
        return None
    return state.play.game.view(state.viewpoint(person))


def view_for(state: State, person: str | None) -> TableData:
    """Everything a person may know. A person who is not at the table sees who is there and the
    rules, but nothing of the game, and not the seed, which would reveal its cards."""
    view = game_view(state, person)
    shared = shared_data(state)
    if person not in state.guests:
        shared.update(seed=None, holders=[], proposal=None)
    return TableData(
        seq=state.seq,
        ply=state.ply,
        chat=chat_for(state, person)[-MAX_CHAT_IN_VIEW:],
        me=own_data(state, person),
        may_undo=state.play is not None and state.seat_of(person) in may_undo(state),
        barred=person in state.barred,
        game=None if view is None else _game_data(state, view),
        **shared,
    )


def shared_data(state: State) -> dict[str, Any]:
    """The fields of :class:`TableData` that are the same for everyone at the table and do not count
    its events or decisions."""
    rules = state.ruleset()
    return {
        "phase": state.phase,
        "rules": rules.name,
        "settings": _settings(rules),
        "naming": _naming(rules),
        "card_points": _card_points(rules, len(state.seats)),
        "options": state.options,
        "host": state.host,
        "owner": state.owner,
        "games": state.games,
        "commitment": state.commitment,
        "given": state.deals_id is not None,
        "event": state.event,
        "practice": PRACTICE in (state.deals_id or ""),
        "word_commitments": list(state.word_commitments),
        "seating": list(state.seating),
        "withheld": state.withheld,
        "first_dealer": state.first_dealer if state.phase in ("gathering", "revealing") else None,
        "seed": state.seed if state.phase == "over" and state.event is None else None,
        "between": between_data(state),
        "seats": [_seat_data(state, seat) for seat in range(len(state.seats))],
        "sides": _sides(state),
        "holders": holders_at(state),
        "spectators": _spectators(state),
        "proposal": proposal_data(state),
        "gap": state.gap,
        **waiting_data(state),
    }


def waiting_data(state: State) -> dict[str, Any]:
    """The fields of :func:`shared_data` that moves change: since when, and for what, people
    wait."""
    return {"turn_since": state.turn_since, "takeover": takeover(state)}


def _game_data(state: State, view: View) -> GameData:
    data: dict[str, Any] = {**view.as_data()}
    if state.sealed:
        data["to_act"] = state.awaited
        data["has_bid"] = [bid or at in state.sealed for at, bid in enumerate(view.has_bid)]
        if view.seat in state.sealed:
            data["rounds"][-1]["bids"][view.seat] = state.sealed[view.seat].move.tricks
    for name in _OMITTED if state.options.known else (*_OMITTED, "seen", "voids"):
        del data[name]
    return cast(GameData, data)


def _settings(rules: RuleSet) -> dict[str, Any]:
    """The edition and the value of every setting, for a client that does not know the rules."""
    values = {name: getattr(rules, name) for name in SETTING_NAMES}
    return {"edition": rules.edition, **values, "pack": dict(vars(rules.pack))}


def _sides(state: State) -> list[list[int]]:
    players = len(state.seats)
    sides = state.ruleset().teams or players
    return [seats_of(side, sides, players) for side in range(sides)]


@cache
def _naming(rules: RuleSet) -> str:
    return " ".join(str(card) for card in (Card.WILD, Card.CHANGE) if names_colour(card, rules))


@cache
def _card_points(ruleset: RuleSet, players: int) -> int:
    rules = Rules(ruleset, players)
    return rules.points(2, 0, 1, 1) - rules.points(2, 0, 1, 0)


def _refused(position: Position) -> list[tuple[list[str], ReasonData]]:
    """The cards of the hand, or the bids, that the player to act cannot play now, grouped by
    reason. The position may be masked for that seat."""
    seat = position.to_act
    assert seat is not None
    legal = position.legal_moves
    if position.phase == Phase.BIDDING:
        bids = set(range(position.hand_size + 1)).difference(move - BID for move in legal)
        return [([str(bid)], _why_not(position, Move.bid(bid), seat)) for bid in sorted(bids)]
    refused = {*position.hand(seat)}.difference([CARD_OF_MOVE[move] for move in legal])
    if not refused:
        return []
    rules, number = position.rules.ruleset, position.trump
    trump = None if number is None else Colour.of(number)
    cards = list(hand_of(refused))
    coloured = [CARD_CODES[card.number] for card in cards if card.colour]
    found: list[tuple[list[str], ReasonData]] = []
    if coloured:  # all for the same reason: another colour must be followed
        found.append((coloured, _why_not(position, example_move(cards[0], rules, trump), seat)))
        if not rules.anytime_actions:  # the actions are refused for the same reason
            coloured += [str(card) for card in cards[len(coloured) :]]
    for card in cards[len(coloured) :]:
        reason = _why_not(position, example_move(card, rules, trump), seat)
        codes = next((codes for codes, other in found if other == reason), None)
        if codes is None:
            found.append(([str(card)], reason))
        else:
            codes.append(str(card))
    return found


def _why_not(position: Position, move: Move, seat: int) -> ReasonData:
    reason = refusal(position, move, seat)
    assert reason is not None
    data = reason.as_data()
    data.pop("card", None)
    return data


def turn_data(state: State, person: str | None, coach: Coach | None = None) -> ToActData | None:
    """What a person may do at their turn, with a hint if they have a ``coach``; ``None`` if it is
    not their turn."""
    seat = state.seat_of(person)
    if seat is None or not state.may_act(seat) or state.seats[seat].bot is not None:
        return None
    game, ply = game_for(state, seat), state.ply_of(seat)
    position = game.position.masked(seat)  # reasons must not reveal other hands
    return ToActData(
        legal=" ".join(position._legal_of(MOVE_CODES)),
        why_not=[(" ".join(codes), reason) for codes, reason in _refused(position)],
        may_claim=may_claim(state),
        hint=None if coach is None else _hint_data(coach, game.view(seat), _own_bid(state, seat)),
        advice=advice_allowed(state),
        ply=None if ply == state.ply else ply,
    )


def _own_bid(state: State, seat: int) -> bool:
    """Return whether a seat's person made its last bid: while bidding, the previous round's."""
    play = state.require_play()
    dealt = play.occupants.get(len(play.game.rounds) - play.game.bidding)
    before = None if dealt is None else dealt[seat].person
    if play.game.bidding:
        return dealt is None or before == state.seats[seat].person
    bid = next(each for each in play.trail if each.seat == seat)
    return bid.by == "person" and before in (None, state.seats[seat].person)


def _hint_data(coach: Coach, view: View, own_bid: bool) -> HintData | None:
    hint = coach.hint(view, own_bid)
    if hint is None:
        return None
    had, lessons = coach.progress(view)
    return HintData(
        reason=hint.reason.as_data(),
        had=had,
        lessons=lessons,
        topic=hint.topic,
        cards=hint.cards,
        seats=list(hint.seats),
        bid=hint.bid,
    )


def _seat_data(state: State, at: int) -> SeatData:
    seat = state.seats[at]
    return SeatData(
        name=seat.name,
        person=seat.person,
        bot=seat.bot,
        here=not state.is_away(at),
        word_commitment=seat.word_commitment,
        word=seat.word,
        shows=seat.shows,
        sign=seat.sign,
    )


def _spectators(state: State) -> list[SpectatorData]:
    spectators = [(person, state.guests[person]) for person in state.spectators]
    return [
        SpectatorData(
            person,
            guest.name,
            guest.present,
            guest.looking,
            guest.wants,
            guest.screen,
            guest.sign,
        )
        for person, guest in spectators
    ]


def between_data(state: State) -> BetweenData | None:
    """What the table waits for between two rounds."""
    if not state.between_rounds:
        return None
    until = deal_time(state) if state.phase == "playing" else None  # a pause stops the time
    return BetweenData(ready=sorted(state.ready), unready=state.unready, until=until)


def proposal_data(state: State) -> ProposalData | None:
    """The open proposal, as everyone at the table sees it."""
    proposal = state.proposal
    if proposal is None:
        return None
    return ProposalData(
        kind=proposal.kind,
        seat=proposal.seat,
        ply=proposal.ply,
        count=proposal.count,
        tricks=list(proposal.tricks),
        hand=proposal.hand,
        given=proposal.given,
        person=proposal.person,
        agreed=sorted(proposal.agreed),
        asked=state.seats_asked(proposal.kind, proposal.seat, proposal.given),
    )


def chat_for(state: State, person: str | None, after: int = 0) -> list[SaidData]:
    """The lines of the chat after a number, without speakers this person has muted; none for people
    who are not at the table."""
    if person is None or person not in state.guests:
        return []
    muted = state.guests[person].muted
    return [
        SaidData(*said) for said in state.chat if said.number > after and said.person not in muted
    ]


def own_data(state: State, person: str | None) -> OwnData | None:
    """What concerns only this person, and what they may do; ``None`` if they are not at the
    table."""
    if person is None or person not in state.guests:
        return None
    guest, seat = state.guests[person], state.seat_of(person)
    return OwnData(
        person=person,
        name=guest.name,
        seat=seat,
        looking=guest.looking,
        muted=sorted(guest.muted),
        silenced=is_silenced(state, person),
        host_free_at=host_free_at(state, person),
        may_look=may_look(state, person),
        may_ask=may_ask(state, person),
        may_give=may_give(state, person),
        why_not_give=_why_not_give(state, person),
        may_seat_bot=may_seat_bot(state, person),
    )


def _why_not_give(state: State, host: str) -> list[tuple[str, ReasonData]]:
    if host != state.host:
        return []
    asked = [(person, guest.wants) for person, guest in state.guests.items()]
    reasons = [
        (person, why_not_give(state, seat, person, host))
        for person, seat in asked
        if seat is not None
    ]
    return [(person, reason.as_data()) for person, reason in reasons if reason is not None]


def redact(state: State, event: Event, person: str | None) -> Event:
    """An event of this table as a person at it may see it now. Raises :class:`rage.NotAllowed` for
    anybody else."""
    state.require_guest(person)
    return event.visible_to(person, state.viewpoint(person))
