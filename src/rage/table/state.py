"""The state of a table, folded from its events: all that a table remembers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from rage.game.history import bidding_order
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed
from rage.table.options import DEFAULT_OPTIONS, Options
from rage.table.parts import (
    OF_EVENT,
    ChatLine,
    Decision,
    Guest,
    Occupant,
    Phase,
    Proposal,
    SealedBid,
    Seat,
    TableGame,
    Time,
    withheld_in,
)

#: How many lines of chat are remembered.
MAX_CHAT_LINES: Final = 200


@dataclass(slots=True)
class State:
    """The whole table after its ``seq``-th event."""

    rules: RuleSet | None = None
    options: Options = DEFAULT_OPTIONS
    phase: Phase = "new"
    seq: int = 0
    at: int = 0
    seats: list[Seat] = field(default_factory=list)
    guests: dict[str, Guest] = field(default_factory=dict)
    barred: set[str] = field(default_factory=set)
    host: str | None = None
    #: The host by right (``hosts.py``).
    owner: str | None = None
    #: The number of the current game at this table, from 1, and its seed.
    games: int = 0
    commitment: str = ""
    seed: str = ""
    #: The inputs of deals that repeat earlier ones (``rage.engine.deal.GivenSeed``).
    deals_id: str | None = None
    given_words: tuple[str, ...] = ()
    given_dealer: int | None = None
    given_moves: tuple[str, ...] = ()
    #: By seat, once the host has started: the commitments to the words (empty: no one added one),
    #: the names of the people there when they were fixed, when that was, and the words revealed so
    #: far.
    word_commitments: tuple[str | None, ...] = ()
    seating: tuple[str, ...] = ()
    words_closed_at: Time = 0
    words: tuple[str | None, ...] = ()
    next_dealer: int | None = None
    #: The seats that are ready for the next round, while it waits for them.
    ready: set[int] = field(default_factory=set)
    play: TableGame | None = None
    #: The last trick of the previous round or game: any of its moves might be sent again.
    last_trick: tuple[Decision, ...] = ()
    #: The number of the next decision, and when the turn began.
    ply: int = 0
    turn_since: Time = 0
    nudged: int = -1
    asked: int = -1
    votes: dict[int, dict[str, bool]] = field(default_factory=dict)
    #: While bids are sealed, by seat: the bids made, and since when the time of a seat counts.
    sealed: dict[int, SealedBid] = field(default_factory=dict)
    bid_since: list[Time] = field(default_factory=list)
    proposal: Proposal | None = None
    #: The seats that were refused an undo since the last decision.
    undo_refused: set[int] = field(default_factory=set)
    #: The people whom others have refused in this round to accept as the player of a seat.
    not_same: set[str] = field(default_factory=set)
    #: The last lines of the chat, which are not part of the events.
    chat: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=MAX_CHAT_LINES))
    #: The seats whose cards each person has seen in this round, even before they changed seats.
    saw: dict[str, set[int]] = field(default_factory=dict)
    #: The names of the people in ``saw`` who have left during this round.
    gone: dict[str, str] = field(default_factory=dict)
    #: By person, the seat given in this round to the same player on another device: a person who
    #: returns in this round has it again.
    replaced: dict[str, int] = field(default_factory=dict)
    #: By seat, the person whose hand it is in this round: they sat there when it was dealt, or were
    #: given the seat since, even if a bot has the seat now.
    dealt_to: tuple[str | None, ...] = ()
    #: How many events after the last one are lost or cannot be read; until someone decides to go on
    #: without them, nothing else happens.
    gap: int = 0
    #: After lost events, the number of the last game that has ended, as far as the store knows.
    last_over: int = 0
    #: The number of the last event that people may have seen before it was lost.
    lost_until: int = 0

    def ruleset(self) -> RuleSet:
        """The rules. Raises :class:`rage.NotAllowed` while the table is not open."""
        if self.rules is None:
            raise NotAllowed("table.new")
        return self.rules

    def check_no_gap(self) -> None:
        """Raise :class:`rage.NotAllowed` until it is decided to go on without lost events."""
        if self.gap:
            raise NotAllowed("table.gap")

    @property
    def seed_is_public(self) -> bool:
        """Whether lost events have shown the seed of the current game, or of a later one."""
        return self.last_over >= max(1, self.games + (self.phase == "over"))

    def require_play(self) -> TableGame:
        """The game. Raises :class:`rage.NotAllowed` before one has begun."""
        if self.play is None:
            raise NotAllowed("table.while.gathering")
        return self.play

    def begin_turn(self) -> None:
        """Begin the turn now, with the full time, or the turns of all seats that bid at once."""
        self.bid_since = [self.at] * len(self.seats) if self.sealing else []
        self._count_from(self.at)

    def renew_turn(self, seat: int) -> None:
        """Give a seat the full time again, if it is its turn."""
        if self.bid_since:
            self.bid_since[seat] = self.at
        if self.to_act == seat:
            self._count_from(self.at)

    def seal(self, seat: int, bid: SealedBid) -> None:
        """Keep the bid of a seat until all are in. If the others waited for it, they now wait for
        the next seat, whose time has been running."""
        awaited = self.to_act
        self.sealed[seat] = bid
        self.votes.pop(seat, None)
        if self.to_act not in (None, awaited):
            since = self.bid_since[self.to_act] if self.bid_since else self.turn_since
            self._count_from(since)

    def _count_from(self, at: int) -> None:
        """Count the turn from ``at``, without reminders or questions yet; only a vote on a player
        who is away continues."""
        self.turn_since = at
        self.nudged = self.asked = -1
        to_act = self.to_act
        if to_act is not None and not self.is_away(to_act):
            self.votes.pop(to_act, None)

    def set_back(self, at: int) -> None:
        """Set every :data:`Time` later than ``at`` (now) back to it, because the clock was
        wrong."""
        self.turn_since = min(self.turn_since, at)
        self.bid_since = [min(since, at) for since in self.bid_since]
        self.words_closed_at = min(self.words_closed_at, at)
        for guest in self.guests.values():
            guest.since = min(guest.since, at)
        if self.play is not None:
            self.play.started = min(self.play.started, at)
            if self.play.ended is not None:
                self.play.ended = min(self.play.ended, at)

    @property
    def event(self) -> str | None:
        """The code of the event whose deals are played here."""
        if self.deals_id is None or not self.deals_id.startswith(OF_EVENT):
            return None
        return self.deals_id.split()[1]

    def check_not_ranked(self) -> None:
        """Raise :class:`rage.NotAllowed` during a game whose result is ranked with others: at an
        event, or with the deals of a day, which one person plays alone. Its options and the players
        of its seats are fixed."""
        if self.event is not None:
            raise NotAllowed("table.event")
        self.check_not_of_the_day()

    def check_not_of_the_day(self) -> None:
        """Raise :class:`rage.NotAllowed` during a game with the deals of a day."""
        ranked = self.deals_id is not None and "/" not in self.deals_id
        if ranked and self.event is None and self.phase != "over":
            raise NotAllowed("table.day")

    def check_ply(self, ply: int, seat: int | None = None) -> None:
        """Raise :class:`rage.NotAllowed` unless ``ply`` is the number of the decision that is due
        (``seat``: from that seat)."""
        due = self.ply if seat is None else self.ply_of(seat)
        if ply != due:
            raise NotAllowed("table.stale" if ply < due else "table.early")

    def require_phase(self, *phases: Phase) -> None:
        """Raise :class:`rage.NotAllowed` in any other phase."""
        if self.phase not in phases:
            raise NotAllowed(f"table.while.{self.phase}")

    @property
    def first_dealer(self) -> int | None:
        """Before a game, the seat that will deal its first round; ``None`` if the seed decides."""
        if self.deals_id is not None:
            return self.given_dealer
        return self.next_dealer if self.next_dealer in range(len(self.seats)) else None

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, while the game is played."""
        if self.play is None or self.phase != "playing":
            return None
        return self.awaited if self.sealed else self.play.game.to_act

    @property
    def awaited(self) -> int | None:
        """Like :attr:`to_act`, also while the game is paused. While bids are sealed, the first seat
        without one."""
        if self.play is None:
            return None
        seat = self.play.game.to_act
        if seat not in self.sealed:
            return seat
        return next((at for at in self.bidders if at not in self.sealed), seat)

    @property
    def sealing(self) -> bool:
        """Whether all bid at once, and the table keeps each bid until the last is in."""
        if self.play is None or self.rules is None or self.rules.bidding == "open":
            return False
        game = self.play.game
        return game.bidding and game.position.hides_bids

    @property
    def bidders(self) -> list[int]:
        """While bids are sealed, the seats that bid, in the order in which the game asks them."""
        game = self.require_play().game
        assert game.dealer is not None
        assert game.to_act is not None
        order = bidding_order(game.dealer, len(self.seats))
        return order[order.index(game.to_act) :]

    def may_act(self, seat: int) -> bool:
        """Return whether the player of a seat may decide now, or change a sealed bid."""
        if self.phase == "playing" and self.sealing:
            return seat in self.bidders
        return seat == self.to_act

    def is_awaited(self, seat: int) -> bool:
        """Return whether a seat is to act: one of several, while bids are sealed."""
        return self.may_act(seat) and seat not in self.sealed

    def ply_of(self, seat: int) -> int:
        """The number of the decision that a seat has to make; while bids are sealed, all have
        one."""
        if not self.sealing or seat not in self.bidders:
            return self.ply
        return self.ply + self.bidders.index(seat)

    @property
    def between_rounds(self) -> bool:
        """Whether a round is over, and the next one has not been dealt."""
        if self.play is None or self.play.game.under_way or self.phase == "over":
            return False
        return bool(self.play.game.rounds)

    @property
    def unready(self) -> list[int]:
        """Between rounds, the seats whose players are not ready for the next one."""
        seats = enumerate(self.seats)
        return [at for at, seat in seats if seat.self_played and at not in self.ready]

    @property
    def unrevealed(self) -> list[int]:
        """The seats whose players have yet to reveal their words."""
        pairs = enumerate(zip(self.word_commitments, self.words, strict=True))
        return [
            at
            for at, (hash_, word) in pairs
            if hash_ is not None and word is None and self.seats[at].person is not None
        ]

    @property
    def withheld(self) -> list[int]:
        """The seats whose words are missing from the shuffle of this game: never revealed."""
        return withheld_in(self.word_commitments, () if self.play is None else self.play.words)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def occupants(self) -> tuple[Occupant, ...]:
        """The current occupants, by seat."""
        return tuple(Occupant(seat.name, seat.person, seat.bot) for seat in self.seats)

    def seat_of(self, person: str | None) -> int | None:
        """The seat of a person, if they have one."""
        if person is not None:
            for at, seat in enumerate(self.seats):
                if seat.person == person:
                    return at
        return None

    def viewpoint(self, person: str | None) -> int | None:
        """The seat whose cards a person sees: their own, or one whose player allows it."""
        own = self.seat_of(person)
        if own is not None or person not in self.guests:
            return own
        looking = self.guests[person].looking
        return looking if looking is not None and self.seats[looking].shows else None

    def is_away(self, seat: int) -> bool:
        """Return whether the person of a seat is disconnected."""
        person = self.seats[seat].person
        return person is not None and not self.guests[person].present

    @property
    def away(self) -> list[int]:
        """The seats whose people are disconnected."""
        guests = self.guests
        return [
            at
            for at, seat in enumerate(self.seats)
            if seat.person is not None and not guests[seat.person].present
        ]

    def away_until(self, seat: int) -> int:
        """When the person of a seat will have been away for as long as the options allow."""
        person = self.seats[seat].person
        assert person is not None
        return self.guests[person].since + 1000 * self.options.grace

    def waiting(self, seat: int) -> Iterator[int]:
        """The other seats whose people are present and play for themselves: they wait for ``seat``,
        so a bot may step in, and they vote on that."""
        for at, each in enumerate(self.seats):
            if at != seat and each.self_played and not self.is_away(at):
                yield at

    def asks_for_own(self, person: str | None, seat: int) -> bool:
        """Return whether a person asks for a player's seat as the same player on another device."""
        guest = None if person is None else self.guests.get(person)
        return guest is not None and guest.wants == seat and self.seats[seat].person is not None

    def is_for_own(self, proposal: Proposal) -> bool:
        """Return whether a proposal is to give a player their own seat on another device."""
        given = proposal.given
        return (
            given is not None
            and proposal.seat != given
            and self.asks_for_own(proposal.person, given)
        )

    def seats_asked(
        self, kind: Literal["undo", "claim", "seat"], seat: int | None, given: int | None = None
    ) -> list[int]:
        """The other seats that have to agree to a proposal of ``seat`` (``None``: of no seat):
        those whose people play for themselves, present or not. To give a seat, and thus show a
        hand, also people who are present while a bot plays for them, because a host could cause
        that with the clock. The ``given`` seat is not asked."""
        return [
            at
            for at, each in enumerate(self.seats)
            if at not in (seat, given)
            and (each.self_played or (kind == "seat" and each.person and not self.is_away(at)))
        ]

    def require_guest(self, person: str | None) -> Guest:
        """A person at the table. Raises :class:`rage.NotAllowed` for anybody else."""
        found = None if person is None else self.guests.get(person)
        if found is None:
            raise NotAllowed("table.stranger")
        return found

    def check_no_screen(self, person: str) -> None:
        """Raise :class:`rage.NotAllowed` for a television, which only watches."""
        if person in self.guests and self.guests[person].screen:
            raise NotAllowed("table.screen")

    def require_seat(self, person: str | None) -> int:
        """The seat of a person. Raises :class:`rage.NotAllowed` for anybody without one."""
        seat = self.seat_of(person)
        if seat is None:
            raise NotAllowed("table.no_seat_of_yours")
        return seat

    def require_host(self, person: str | None) -> str:
        """The host. Raises :class:`rage.NotAllowed` for anybody else."""
        if person is None or person != self.host:
            raise NotAllowed("table.host_only")
        return person

    @property
    def spectators(self) -> list[str]:
        """The people at the table without a seat, the latest arrivals last."""
        seated = {seat.person for seat in self.seats}
        return [person for person in self.guests if person not in seated]

    def seats_where(self, check: Callable[[int], object]) -> list[int]:
        """The seats for which ``check`` does not raise :class:`rage.NotAllowed`."""
        found = list[int]()
        for seat in range(len(self.seats)):
            try:
                check(seat)
            except NotAllowed:
                continue
            found.append(seat)
        return found

    def check_seat(self, seat: int) -> int:
        """Return the number of a seat. Raises :class:`rage.NotAllowed` if there is no such seat."""
        if not 0 <= seat < len(self.seats):
            raise NotAllowed("view.no_seat", seat=seat, last=len(self.seats) - 1)
        return seat
