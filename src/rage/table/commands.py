"""What can be asked of a table: small typed data, each to and from plain JSON data.

Who asks is never in a command: the caller of ``Table.decide`` says it, and knows it from a
signed cookie or from being the house itself (``None``: clocks, bots, connections). Nor is a seed:
nobody who plays may choose one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from rage.table.data import Codec
from rage.table.options import USUAL, Options


@dataclass(frozen=True, slots=True)
class Create:
    """Open a table; who asks is its host, and sits in seat 0. Needs a seed."""

    rules: str
    players: int
    name: str
    options: Options = USUAL


@dataclass(frozen=True, slots=True)
class Configure:
    """Change the options, or, while people gather, the rules and the number of players too: with
    fewer, whoever's seat goes takes an empty one or a bot's, and bots there go."""

    rules: str
    players: int
    options: Options


@dataclass(frozen=True, slots=True)
class Join:
    """Come to the table and sit down: in a seat, or in the first one without a person; or,
    already seated while people gather, move there."""

    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Come to the table as a spectator."""

    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Go for good; a bot plays on."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Be called something else."""

    name: str


@dataclass(frozen=True, slots=True)
class GiveSeat:
    """Give a seat to a spectator (``person``), or to a bot: one's own, or, as host, any."""

    seat: int
    person: str | None = None
    bot: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Vacate:
    """Empty a bot's seat while people gather (host)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a person from the table (host); ``bar``: for good."""

    person: str
    bar: bool = False


@dataclass(frozen=True, slots=True)
class TakeHost:
    """Be host instead of one who is away or gone."""


@dataclass(frozen=True, slots=True)
class SayWord:
    """Add a word to the shuffle, after the commitment and before the start."""

    word: str


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the game (host). Bots called ``names`` fill the empty seats."""

    bot: str = "steady"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop play and clock (host)."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on (host)."""


@dataclass(frozen=True, slots=True)
class Play:
    """Answer the decision numbered ``ply`` with a move, by its code."""

    ply: int
    move: str


@dataclass(frozen=True, slots=True)
class SetPresence:
    """A person's connection was lost, or is there again (house)."""

    person: str
    present: bool


@dataclass(frozen=True, slots=True)
class Nudge:
    """Remind the player whose turn it is (house)."""

    seat: int
    ply: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the others whether a bot shall take over (house)."""

    seat: int
    ply: int


@dataclass(frozen=True, slots=True)
class StepIn:
    """Let a bot play for a person: for oneself at any time, for another as the options say."""

    seat: int


@dataclass(frozen=True, slots=True)
class Vote:
    """Say whether a bot shall play for someone who is away or slow."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Play oneself again, instead of the bot that stepped in."""


@dataclass(frozen=True, slots=True)
class ProposeUndo:
    """Ask to take one's last decision back; ``ply`` is the decision now due."""

    ply: int


@dataclass(frozen=True, slots=True)
class Claim:
    """On one's turn, propose how the tricks that are left in the round fall, by seat; shows one's
    hand."""

    ply: int
    tricks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Agree to what is proposed at ``ply``, or not."""

    ply: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Drop one's own proposal."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again with the same people (host). Needs a seed."""


@dataclass(frozen=True, slots=True)
class ShowHand:
    """Let spectators look into one's hand, or not any more."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class LookAt:
    """As a spectator, see what a seat sees, where its player allows; ``None``: the public view."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """Say something: a text, or one of the ready-made phrases."""

    text: str | None = None
    preset: str | None = None


@dataclass(frozen=True, slots=True)
class Mute:
    """Stop hearing a person's chat, or hear it again."""

    person: str
    muted: bool = True


COMMANDS: Final[tuple[type, ...]] = (
    Create, Configure, Join, Watch, Leave, Rename, GiveSeat, Vacate, Remove, TakeHost, SayWord,
    Start, Pause, Resume, Play, SetPresence, Nudge, Ask, StepIn, Vote, TakeBack, ProposeUndo,
    Claim, Answer, Withdraw, Rematch, ShowHand, LookAt, Chat, Mute,
)  # fmt: skip
Command = (
    Create | Configure | Join | Watch | Leave | Rename | GiveSeat | Vacate | Remove | TakeHost
    | SayWord | Start | Pause | Resume | Play | SetPresence | Nudge | Ask | StepIn | Vote
    | TakeBack | ProposeUndo | Claim | Answer | Withdraw | Rematch | ShowHand | LookAt | Chat | Mute
)  # fmt: skip

#: The ready-made phrases; the catalogues have them as ``chat.<name>``.
PRESETS: Final = (
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "one_moment", "again", "bye",
)  # fmt: skip

_CODEC: Final[Codec[Any]] = Codec(COMMANDS)


def command_data(command: Command) -> dict[str, Any]:
    """A command as plain JSON data."""
    return _CODEC.write(command)


def read_command(data: object) -> Command:
    """The command of plain JSON data. Raises :class:`rage.NotReadable`."""
    command: Command = _CODEC.read(data)
    return command


command_fields = _CODEC.fields
