"""The data sent to people about a table, as structs from which the page's types are generated."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from rage.game.view import GameData
from rage.say import ReasonData
from rage.table.options import Options
from rage.table.parts import Phase


class HintData(Struct, omit_defaults=True):
    """The coach's hint for the player to act. ``topic``: the lesson, which now counts as taught;
    ``None`` for a reminder, which may come again. ``cards`` of the hand, ``seats`` and ``bid``: the
    subject of the hint. The player has had ``had`` of the ``lessons`` for this table's rules."""

    reason: ReasonData
    had: int
    lessons: int
    topic: str | None = None
    cards: str = ""
    seats: list[int] = []
    bid: int | None = None


class ToActData(Struct, omit_defaults=True):
    """What the player to act may do: the ``legal`` moves, as codes separated by spaces, and in
    ``why_not`` the cards or bids that are not legal, grouped by reason (without its ``card``).
    ``may_claim``: whether they may claim the rest of the round; ``advice``: whether they may ask
    for advice. ``hint``: for a player who wants hints. ``ply``: the number of the decision, if it
    is not the table's because all bid at once."""

    legal: str
    why_not: list[tuple[str, ReasonData]] = []
    may_claim: bool = True
    hint: HintData | None = None
    advice: bool = False
    ply: int | None = None


class SeatData(Struct):
    """A seat: who sits there, the sign they have chosen (empty: none), and the word they add to the
    shuffle, once it is revealed."""

    name: str
    person: str | None
    bot: str | None
    here: bool
    word_commitment: str | None
    word: str
    shows: bool
    sign: str


class SpectatorData(Struct):
    """A spectator, the seat they watch, and the one they ask for; ``screen``: a television."""

    person: str
    name: str
    here: bool
    looking: int | None
    wants: int | None
    screen: bool
    sign: str


class ProposalData(Struct):
    """A proposal: the seat that makes it (``None``: a host without one, or a spectator who wants
    the host's seat), the seats that have ``agreed``, and all that are ``asked``. For the kind
    ``seat``, the seat to be ``given`` to ``person``."""

    kind: Literal["undo", "claim", "seat"]
    seat: int | None
    ply: int
    count: int
    tricks: list[int]
    hand: str
    given: int | None
    person: str | None
    agreed: list[int]
    asked: list[int]


class TakeoverData(Struct):
    """A seat for which the others wait because its player is away or slow. ``how``: the ``voters``
    (seats) can ``vote`` on whether a bot should play there, let one play ``at_once``, or only
    ``wait``. A vote takes ``needed`` votes; ``yes`` and ``no``: the seats that have voted."""

    seat: int
    how: Literal["vote", "at_once", "wait"]
    voters: list[int]
    yes: list[int]
    no: list[int]
    needed: int


class BetweenData(Struct):
    """What the table waits for between two rounds: the seats whose players are ``ready`` for the
    next one, the seats it waits for (``unready``), and when it is dealt anyway, in milliseconds
    (``until``; ``None`` if something must happen first)."""

    ready: list[int]
    unready: list[int]
    until: int | None


class SaidData(Struct):
    """A line of the chat: its number at the table, from 1, its time, and its speaker's name at that
    time."""

    number: int
    at: int
    person: str
    name: str
    text: str | None
    preset: str | None


class ReactionData(Struct):
    """A person's reaction to the card that a ``seat`` played to a trick; ``round`` and ``trick``
    count from 1."""

    person: str
    kind: str
    round: int
    trick: int
    seat: int


class OwnData(Struct):
    """The data that concerns only this person, and what they may do. ``silenced``: they have seen a
    hand, and must not write anything that others can read before the round is over.
    ``host_free_at``: when they may replace the host, in milliseconds (0: at once; ``None``: not as
    things stand). The seats whose cards they ``may_look`` at, the seats they ``may_ask`` for (a
    bot's, or their own from another device), and the seats where they ``may_seat_bot``;
    ``may_give``: by seat, the spectators to whom they may give it, perhaps only if others agree.
    ``why_not_give``: for the host, the spectators whose request cannot be granted now, and why."""

    person: str
    name: str
    seat: int | None
    looking: int | None
    muted: list[str]
    silenced: bool
    host_free_at: int | None
    may_look: list[int]
    may_ask: list[int]
    may_give: list[list[str]]
    why_not_give: list[tuple[str, ReasonData]]
    may_seat_bot: list[int]


class HolderData(Struct, frozen=True):
    """A seat's holder, from the ``first`` round dealt to them (``None``: since the last deal)."""

    name: str
    bot: bool
    first: int | None


class TableData(Struct):
    """Everything that a person may know about a table. ``owner``: the host by right. ``sides``: the
    seats of each side; teams have several. ``holders``: by seat, everyone who held it in the game,
    in order. ``word_commitments``: by seat, once the host has started, if anyone added a word to
    the shuffle; ``seating``: the names by seat when they were fixed; ``withheld``: the seats whose
    words were never revealed. ``first_dealer``: in a rematch or with given deals, the seat that
    deals first (``None``: the seed decides). ``given``: the deals have been played before, so that
    someone may know them; ``event``: the code of the event that they are of. ``naming``: the codes
    of the cards that name a colour. ``card_points``: what a Bonus adds and a Mad takes away.
    ``between``: what the next round waits for (``None``: it does not wait). ``may_undo``: this
    person may take back their last decision, if all agree; ``barred``: they are barred from the
    table. ``gap``: how many later events cannot be read."""

    seq: int
    ply: int
    phase: Phase
    rules: str
    settings: dict[str, Any]
    naming: str
    card_points: int
    options: Options
    host: str | None
    owner: str | None
    games: int
    commitment: str
    given: bool
    event: str | None
    practice: bool
    word_commitments: list[str | None]
    seating: list[str]
    withheld: list[int]
    first_dealer: int | None
    seed: str | None
    turn_since: int
    between: BetweenData | None
    seats: list[SeatData]
    sides: list[list[int]]
    holders: list[list[HolderData]]
    spectators: list[SpectatorData]
    proposal: ProposalData | None
    takeover: TakeoverData | None
    chat: list[SaidData]
    me: OwnData | None
    may_undo: bool
    barred: bool
    gap: int
    game: GameData | None
