"""The commands: everything that a table can be asked to do.

A command never says who sends it: the sender is an argument of ``Table.decide``, whose caller knows
the person from a signed cookie, or is the house itself (``None``: clock, bots, connections). Nor
does a command contain a seed, because no player may choose one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, get_args

import msgspec

from rage.say import NotReadable
from rage.table.options import DEFAULT_OPTIONS, Options
from rage.table.schema import UNREADABLE, Items, Number, Tagged, Text, refusal_of


class Create(Tagged, frozen=True):
    """Open a table; the sender becomes its host and sits in seat 0. Needs a seed."""

    rules: Text
    players: Number
    name: Text
    options: Options = DEFAULT_OPTIONS
    sign: Text = ""


class Configure(Tagged, frozen=True):
    """Change the options or, before the game, the rules and the number of players (host). People in
    removed seats move to an empty seat or a bot's; bots there leave."""

    rules: Text
    players: Number
    options: Options


class Join(Tagged, frozen=True):
    """Come to the table before the game and take a seat: by default the first empty one, or else
    the first bot's. A person who already has a seat moves. ``sign``: chosen by the person
    (``signs.py``); people already at the table keep theirs."""

    name: Text
    seat: Number | None = None
    sign: Text = ""


class Watch(Tagged, frozen=True):
    """Come to the table as a spectator; ``screen``: as a television, which can never play."""

    name: Text
    screen: bool = False
    sign: Text = ""


class Leave(Tagged, frozen=True):
    """Leave the table for good; during a game, a bot plays on."""


class Rename(Tagged, frozen=True):
    """Take another name and, with ``sign``, another sign (empty: the one of the seat)."""

    name: Text
    sign: Text | None = None


class GiveSeat(Tagged, frozen=True):
    """Give a seat to a spectator (``person``) or to a bot: your own or, as host, any. During a game
    a spectator gets a seat only if the others agree, and a person's seat only from that person, or
    by asking for it as that person on another device."""

    seat: Number
    person: Text | None = None
    bot: Text | None = None
    name: Text | None = None


class AskForSeat(Tagged, frozen=True):
    """As a spectator during a game, ask the host for a bot's seat, or for your own from another
    device, which must be away; ``None`` withdraws the request. With a ``name``, also come to the
    table: for your own seat even where spectators are not allowed."""

    seat: Number | None = None
    name: Text | None = None
    sign: Text = ""


class RefuseSeat(Tagged, frozen=True):
    """Refuse a spectator the seat they ask for (host)."""

    person: Text


class Vacate(Tagged, frozen=True):
    """Remove a bot before the game (host)."""

    seat: Number


class Swap(Tagged, frozen=True):
    """Swap the occupants of two seats before the game (host); either seat may be empty."""

    seat: Number
    other: Number


class Remove(Tagged, frozen=True):
    """Remove a person other than the owner (host); ``bar``: for good."""

    person: Text
    bar: bool = False


class TakeHost(Tagged, frozen=True):
    """Become host in place of one who has been away for a while or, as the owner, at any time."""


class GoOn(Tagged, frozen=True):
    """Go on without the events after the last readable one (host, or any player while the host is
    not connected)."""


class CommitWord(Tagged, frozen=True):
    """Commit to a word for the shuffle, after the seed's commitment and before the start. Only the
    commitment is sent (``rage.engine.deal.word_commitment``): 64 lower-case hexadecimal digits."""

    hash: Text


class RevealWord(Tagged, frozen=True):
    """Reveal your committed word once the host has started."""

    word: Text


class Start(Tagged, frozen=True):
    """Begin the game (host); committed words are revealed first. Bots called ``names`` fill the
    empty seats; a name that resembles another at the table is skipped."""

    bot: Text = "steady"
    names: Items[Text] = ()


class StartAnyway(Tagged, frozen=True):
    """Begin the game without the words that were not revealed in time (house)."""


class Pause(Tagged, frozen=True):
    """Stop play and the clock (host)."""


class Resume(Tagged, frozen=True):
    """Continue a game that is paused (host)."""


class Ready(Tagged, frozen=True):
    """Declare yourself ready for the round after the finished one (``round``, from 1)."""

    round: Number


class DealNext(Tagged, frozen=True):
    """Deal the next round, because everyone is ready or the time is up (house)."""


class Play(Tagged, frozen=True):
    """Make the decision numbered ``ply``. ``move`` is a code from ``docs/record.md``."""

    ply: Number
    move: Text


class ChangeBid(Tagged, frozen=True):
    """Change your sealed bid, the decision numbered ``ply``. It goes to ``Table.change_bid``,
    because it must not affect anything sent to others."""

    ply: Number
    move: Text


class SetPresence(Tagged, frozen=True):
    """Record that a person's connection was lost or is back (house)."""

    person: Text
    present: bool


class SetClock(Tagged, frozen=True):
    """Correct times that are in the future (house)."""


class Nudge(Tagged, frozen=True):
    """Remind the player whose turn it is (house)."""

    seat: Number
    ply: Number


class OpenTakeoverVote(Tagged, frozen=True):
    """Ask the others whether a bot should take over (house)."""

    seat: Number
    ply: Number


class StepIn(Tagged, frozen=True):
    """Let a bot play for a person: for yourself at any time, for another if the options allow
    it."""

    seat: Number


class Vote(Tagged, frozen=True):
    """Vote on whether a bot should play for a player who is away or slow."""

    seat: Number
    yes: bool


class TakeBack(Tagged, frozen=True):
    """Take your seat back from the bot that stepped in."""


class ProposeUndo(Tagged, frozen=True):
    """Ask to take back your last decision; ``ply`` is the decision now due."""

    ply: Number


class Claim(Tagged, frozen=True):
    """On your turn, propose how many of the remaining ``tricks`` each seat wins; this shows your
    hand."""

    ply: Number
    tricks: Items[Number]


class Answer(Tagged, frozen=True):
    """Accept or decline the proposal made at ``ply``."""

    ply: Number
    yes: bool


class Withdraw(Tagged, frozen=True):
    """Withdraw your own proposal."""


class Settle(Tagged, frozen=True):
    """Settle a proposal that no longer waits for anyone (house)."""


class Rematch(Tagged, frozen=True):
    """Play again with the same people (host). Needs a seed."""


class ShowHand(Tagged, frozen=True):
    """Allow spectators to see your hand, or forbid it."""

    allowed: bool


class LookAt(Tagged, frozen=True):
    """As a spectator, see what a seat sees, if its player allows it; ``None``: the public view."""

    seat: Number | None = None


class Chat(Tagged, frozen=True):
    """Say something: a text, or one of the ready-made phrases. It goes to ``Table.say``, because
    the chat is not part of the events."""

    text: Text | None = None
    preset: Text | None = None


class React(Tagged, frozen=True):
    """React with one of :data:`REACTIONS` to the card that a ``seat`` played to a trick (``round``
    and ``trick`` count from 1). It goes to ``Table.react``, because it is not stored."""

    kind: Text
    round: Number
    trick: Number
    seat: Number


class Mute(Tagged, frozen=True):
    """Mute a person, to hide their chat and reactions, or unmute them."""

    person: Text
    muted: bool = True


Command = (
    Create | Configure | Join | Watch | Leave | Rename | GiveSeat | AskForSeat | RefuseSeat | Vacate
    | Swap | Remove | TakeHost | CommitWord | RevealWord | Start | StartAnyway | Pause | Resume
    | Ready | DealNext | Play | SetPresence | SetClock | Nudge | OpenTakeoverVote | StepIn | Vote
    | TakeBack | ProposeUndo | Claim | Answer | Withdraw | Settle | Rematch | ShowHand | LookAt
    | Mute | GoOn
)  # fmt: skip
#: Commands that never become events.
UnloggedCommand = Chat | React | ChangeBid
COMMANDS: Final[tuple[type[Tagged], ...]] = get_args(Command | UnloggedCommand)

#: The ready-made phrases; the catalogues have them as ``chat.<name>``.
PRESETS: Final = (
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "one_moment", "again", "bye",
)  # fmt: skip

#: The reactions; the page draws them, and the catalogues have them as ``reaction.<name>``.
REACTIONS: Final = ("bravo", "laugh", "wow", "ouch", "hm", "grr")

_DECODER: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(Command | UnloggedCommand)


def read_command(data: bytes) -> Command | UnloggedCommand:
    """Decode a command from JSON. Raises :class:`rage.NotReadable`."""
    try:
        command: Command | UnloggedCommand = _DECODER.decode(data)
    except UNREADABLE as error:
        raise _refusal(error, data) from None
    return command


def _refusal(error: Exception, data: bytes) -> NotReadable:
    """Why ``data`` is not a command. msgspec reports a wrong field before it has read everything,
    so ``data`` might not even be JSON."""
    if isinstance(error, msgspec.ValidationError):
        with suppress(*UNREADABLE):
            return refusal_of(error, msgspec.json.decode(data), COMMANDS)
    return NotReadable("table.message.json")
