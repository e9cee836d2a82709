"""What people are told of a table, as structs; the page's types are made from them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from rage.game.view import GameData
from rage.say import ReasonData
from rage.table.options import Options
from rage.table.state import Phase


class HintData(Struct, omit_defaults=True):
    """What the coach tells the player to act. ``topic``: the lesson, from now on had; none for a
    reminder, which may come again. ``cards`` of the hand, ``seats`` and ``bid``: what it speaks
    of. The player has had ``had`` lessons of the ``lessons`` that this table's rules have."""

    reason: ReasonData
    had: int
    lessons: int
    topic: str | None = None
    cards: str = ""
    seats: list[int] = []
    bid: int | None = None


class ToActData(Struct, omit_defaults=True):
    """What the player to act may do: the ``legal`` moves as codes with a space between and, under
    ``why_not``, once for each reason, the cards or bids that may not be played, if there are any.
    The reason leaves out which ``card`` it is. ``may_claim``: whether they may claim the rest of
    the round. ``hint``: for a player who has asked for hints. ``advice``: whether they may ask
    what to do. ``ply``: the number of the decision, where all bid at the same time and it is not
    the table's."""

    legal: str
    why_not: list[tuple[str, ReasonData]] = []
    may_claim: bool = True
    hint: HintData | None = None
    advice: bool = False
    ply: int | None = None


class SeatData(Struct):
    """A seat: who sits there, the word they add to the shuffle once it is revealed, and the votes
    on whether a bot should play for them, by person."""

    name: str
    person: str | None
    bot: str | None
    here: bool
    word_commitment: str | None
    word: str
    shows: bool


class SpectatorData(Struct):
    """A spectator, the seat they look at, and the bot's seat that they ask for; ``screen``: it is a
    television."""

    person: str
    name: str
    here: bool
    looking: int | None
    wants: int | None
    screen: bool


class ProposalData(Struct):
    """A proposal: by which seat (``None``: by a host without one), which seats have agreed, and
    which are asked. For the kind ``seat``, which seat would be ``given`` to which ``person``."""

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
    """A seat for which the others wait, because its player is away or slow. ``how``: what the
    ``voters`` (seats) can do about it: ``vote`` on whether a bot should play there, where
    ``needed`` votes decide (``yes`` and ``no``: the seats that have voted so), or let one play
    ``at_once``, or only ``wait``."""

    seat: int
    how: Literal["vote", "at_once", "wait"]
    voters: list[int]
    yes: list[int]
    no: list[int]
    needed: int


class BetweenData(Struct):
    """What the table waits for between two rounds: the seats whose players are ``ready`` for the
    next one, those that it waits for (``unready``), and when it is dealt all the same, in
    milliseconds (``until``; ``None``: not before something happens)."""

    ready: list[int]
    unready: list[int]
    until: int | None


class SaidData(Struct):
    """A line of the chat, with its number at the table, from 1, its time, and the name of its
    speaker at that time."""

    number: int
    at: int
    person: str
    name: str
    text: str | None
    preset: str | None


class OwnData(Struct):
    """What concerns only the person told, and what they may do. ``silenced``: they have seen a
    hand, and may write nothing that others read before the round is over. ``host_free_at``: when
    they may become host in place of the present one, in milliseconds (0: at once; ``None``: not as
    things stand). The seats that they ``may_look`` into, ``may_ask`` for, and in which they
    ``may_seat_bot``; and by seat the spectators to whom they ``may_give`` it, perhaps only if
    others agree."""

    person: str
    name: str
    seat: int | None
    looking: int | None
    muted: list[str]
    may_undo: bool
    silenced: bool
    host_free_at: int | None
    may_look: list[int]
    may_ask: list[int]
    may_give: list[list[str]]
    may_seat_bot: list[int]


class StintData(Struct, frozen=True):
    """The rounds from ``first`` to ``last``, dealt to one person or bot at a seat."""

    seat: int
    name: str
    bot: bool
    first: int
    last: int


class TableData(Struct):
    """Everything that a person may know of a table. ``owner``: the host by right.
    ``sides``: the seats of each side that scores; there are teams where it has several.
    ``stints``: once the game is over, who was dealt which rounds at the seats that changed hands.
    ``word_commitments``: by seat, from the host's start on, if anybody added a word to the shuffle;
    ``seating``: the names of those who sat there when these were fixed;
    ``withheld``: the seats whose words are not in it because nobody revealed them.
    ``first_dealer``: before a game, the seat that will deal its first round, in a rematch and with
    given deals (``None``: the seed decides). ``given``: whether the deals are those of something
    else, such as a game that was played before, so that somebody may know them. ``naming``: the
    cards with which a colour is named, as codes. ``card_points``: what a Bonus adds, and a Mad
    takes away. ``between``: what the next round waits for (``None``: none waits).
    ``barred``: the person told may not come to the table."""

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
    word_commitments: list[str | None]
    seating: list[str]
    withheld: list[int]
    first_dealer: int | None
    seed: str | None
    turn_since: int
    between: BetweenData | None
    seats: list[SeatData]
    sides: list[list[int]]
    stints: list[StintData]
    spectators: list[SpectatorData]
    proposal: ProposalData | None
    takeover: TakeoverData | None
    chat: list[SaidData]
    me: OwnData | None
    barred: bool
    game: GameData | None
