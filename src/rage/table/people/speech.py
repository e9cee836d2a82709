"""What is said at a table, who may say it, and who hears it.

A spectator who has seen a hand could tell the others what is in it. So they cannot send any text
until the round is over: not in the chat, and not as a name for themselves or for a bot. Players may
talk: what they say about their own hand is up to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

from rage.game.game import Game
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.facts.shapes import ReactionData
from rage.table.parts import ChatLine
from rage.table.schema import storable
from rage.table.state import State

MAX_CHAT: Final = 300
#: The most people that a person can mute.
MAX_MUTED: Final = 200

Facts = Iterator[e.Fact]


def is_silenced(state: State, person: str | None) -> bool:
    """Return whether a person must not send text that others read now."""
    seen = person is not None and state.saw.get(person)
    watches = state.seat_of(person) is None and state.phase in ("playing", "paused")
    return bool(seen and watches)


def check_may_speak(state: State, person: str | None) -> None:
    """Raise :class:`rage.NotAllowed` if a person must not send text that others read now. Every
    command with such a text calls this, even for people who are not at the table."""
    if is_silenced(state, person):
        raise NotAllowed("table.looking")


def clean(text: str, most: int) -> str:
    """Text in composed form (NFC) without surrounding spaces. Raises :class:`rage.NotReadable` if
    nothing is left, or if it is too long or cannot be stored."""
    text = normalize("NFC", text.strip())
    if not text or len(text) > most or not storable(text):
        raise NotReadable("table.text", most=most)
    return text


def say(state: State, command: c.Chat, actor: str | None, now: int) -> ChatLine:
    """The next line of the chat, spoken by ``actor``."""
    guest = state.require_guest(actor)
    assert actor is not None
    check_may_speak(state, actor)
    if (command.text is None) == (command.preset is None):
        raise NotReadable("table.chat")
    if command.preset is not None and command.preset not in c.PRESETS:
        raise NotReadable("table.preset", allowed=", ".join(c.PRESETS))
    text = None if command.text is None else clean(command.text, MAX_CHAT)
    number = state.chat[-1].number + 1 if state.chat else 1
    return ChatLine(number, now, actor, guest.name, text, command.preset)


def react(state: State, command: c.React, actor: str | None) -> ReactionData:
    """The reaction of ``actor`` to a card that has been played."""
    state.require_guest(actor)
    assert actor is not None
    check_may_speak(state, actor)
    if command.kind not in c.REACTIONS:
        raise NotReadable("table.reaction", allowed=", ".join(c.REACTIONS))
    if not _was_played(state.require_play().game, command):
        raise NotAllowed("table.not_played")
    return ReactionData(actor, command.kind, command.round, command.trick, command.seat)


def _was_played(game: Game, card: c.React) -> bool:
    if not (0 < card.round <= len(game.rounds) and 0 <= card.seat < game.players):
        return False
    tricks = game.rounds[card.round - 1].tricks
    if not 0 < card.trick <= len(tricks):
        return False
    trick = tricks[card.trick - 1]
    return (card.seat - trick.leader) % game.players < len(trick.moves)


def mute(state: State, command: c.Mute, actor: str | None) -> Facts:
    """Mute a person, to hide their chat and reactions, or unmute them."""
    guest = state.require_guest(actor)
    assert actor is not None
    if command.person == actor:
        raise NotAllowed("table.not_yourself")
    if command.muted:
        state.require_guest(command.person)
        if len(guest.muted) >= MAX_MUTED:
            raise NotAllowed("table.muted_enough", most=MAX_MUTED)
    if (command.person in guest.muted) != command.muted:
        yield e.Muted(actor, command.person, command.muted)
