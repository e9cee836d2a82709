"""What is told of a table, as the types of plain JSON data; the page's types are made from them."""

from __future__ import annotations

from typing import Any, Literal, NewType, TypedDict

from rage.table.state import Phase
from rage.view import GameData

#: A reason: its ``code``, and its parameters beside it.
ReasonData = NewType("ReasonData", dict[str, Any])


class ToActData(TypedDict):
    """What who is to act may do: the ``legal`` moves as codes with a space between, and under
    ``why_not``, for each reason once, the cards or bids that may not be. The reason leaves out
    which ``card`` it is."""

    legal: str
    why_not: list[tuple[str, ReasonData]]


class SeatData(TypedDict):
    """A seat, who sits there, and the votes on whether a bot shall play for them, by person."""

    name: str
    person: str | None
    bot: str | None
    here: bool
    word: str
    shows: bool
    votes: dict[str, bool]


class SpectatorData(TypedDict):
    """Who watches, and the seat they look at."""

    person: str
    name: str
    here: bool
    looking: int | None


class ProposalData(TypedDict):
    """What is proposed: by which seat, which seats have agreed, and which are asked."""

    kind: Literal["undo", "claim"]
    seat: int
    ply: int
    count: int
    tricks: list[int]
    hand: str
    agreed: list[int]
    asked: list[int]


class SaidData(TypedDict):
    """A line of chat, with the number and the time of its event, and what its speaker was called
    when they said it."""

    seq: int
    at: int
    person: str
    name: str
    text: str | None
    preset: str | None


class OwnData(TypedDict):
    """What concerns only the person told."""

    person: str
    name: str
    seat: int | None
    looking: int | None
    muted: list[str]
    may_undo: bool


class SeenGameData(GameData):
    """A game as a person sees it, with the reason for each card or bid that may not be played."""

    why_not: dict[str, ReasonData]


class TableData(TypedDict):
    """Everything that a person may know of a table."""

    seq: int
    ply: int
    phase: Phase
    rules: str
    settings: dict[str, Any]
    options: dict[str, Any]
    host: str | None
    games: int
    commitment: str
    seed: str | None
    turn_since: int
    asked: bool
    seats: list[SeatData]
    spectators: list[SpectatorData]
    proposal: ProposalData | None
    chat: list[SaidData]
    me: OwnData | None
    game: SeenGameData | None
