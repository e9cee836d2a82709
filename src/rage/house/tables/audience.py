"""The clients connected to a table, and the messages to them.

Guests of the table are sent its events, and the chat. Visitors only look at it from outside: they
are sent the whole table from time to time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rage.coach import Coach
from rage.house.base.messages import ELSEWHERE, REMOVED, TOO_MANY, TOO_SLOW, FullTable, encode
from rage.house.base.thinking import Asker
from rage.house.limits import MAX_VISITORS, MAX_VISITORS_FROM, PEOPLE, REST_AFTER
from rage.house.limits.limiting import for_people
from rage.house.limits.networks import Crowd, is_within
from rage.house.tables import broadcast, index
from rage.house.tables.broadcast import RESETS, SHIFTS, Broadcast
from rage.house.tables.client import Client, State
from rage.house.tables.event_log import EventLog
from rage.table import Event, SetPresence
from rage.table.facts.shapes import ReactionData
from rage.table.parts import ChatLine
from rage.table.seen.visibility import MAX_CHAT_IN_VIEW

#: Seconds between two updates for visitors.
VISITOR_INTERVAL: Final = 1.0


class Delivery(NamedTuple):
    """Messages to be sent or dropped, and what the clients knew before, together and each."""

    messages: list[tuple[Client, bytes]]
    known: Mapping[str, Any] | None
    states: list[tuple[Client, State]]


class Audience:
    """The clients of one table, one for each person. It reads the table and the events of a
    ``log``, and only adds chat lines; ``now`` gives milliseconds; ``people``: how many may share an
    address."""

    def __init__(self, log: EventLog, now: Callable[[], int], people: int = PEOPLE) -> None:
        self._most_from = min(for_people(MAX_VISITORS_FROM, people), MAX_VISITORS)
        self.clients: dict[str, Client] = {}
        #: The numbers of the last event and of the last line of the chat that were sent.
        self.sent_seq = 0
        self.last_line = 0
        #: The ``shared_data`` of the table that all guests among the clients have been sent.
        self.known: Mapping[str, Any] | None = None
        self._log = log
        self._now = now
        #: The number up to which clients may have seen events that are lost.
        self.lost_until = 0
        self._visitor_timer: asyncio.TimerHandle | None = None
        # Until when bots play with no one connected, and the address of the last client that left.
        self._awake_until = 0.0
        self._left_from: str | None = None

    def close(self) -> None:
        """Cancel the timer."""
        if self._visitor_timer is not None:
            self._visitor_timer.cancel()

    # Who is here.

    async def admit(self, client: Client, since: int | None, line: int | None) -> None:
        """Add a client, which has the events up to number ``since`` and the chat up to ``line``, if
        any. An older connection of the same person ends. Raises
        :class:`rage.house.store.BrokenTable` and :class:`rage.house.store.StoreFailed`."""
        client.observe(self._log.table)
        if (older := self.clients.pop(client.person, None)) is not None:
            older.close(ELSEWHERE)
        if not client.is_guest:
            self._make_room_for_visitor(client)
        self.clients[client.person] = client
        await self.catch_up(client, since, line)

    def _make_room_for_visitor(self, client: Client) -> None:
        """If there are too many visitors, remove one of them and close the connection: from the
        same address, if that has too many, otherwise from the address that has the most."""
        visitors = [each for each in self.clients.values() if not each.is_guest]
        crowd = Crowd(each.address for each in visitors)
        if there := crowd.full(client.address, self._most_from, MAX_VISITORS):
            gone = next(each for each in visitors if is_within(each.address, there))
        elif len(visitors) < MAX_VISITORS:
            return
        else:
            gone = max(visitors, key=lambda each: crowd.rank(each.address))
        gone.close(TOO_MANY)
        del self.clients[gone.person]  # or it would be chosen again until it has closed

    def remove(self, client: Client) -> bool:
        """Remove a client. Returns whether it was still its person's current one."""
        if self.clients.get(client.person) is not client:
            return False
        del self.clients[client.person]
        self._awake_until = asyncio.get_running_loop().time() + REST_AFTER
        self._left_from = client.address
        return True

    @property
    def awake(self) -> bool:
        """Whether bots play here: they rest once no one has been connected for a while."""
        return bool(self.clients) or asyncio.get_running_loop().time() < self._awake_until

    @property
    def asker(self) -> Asker:
        """The asker for whom the bots of this table think."""
        here = frozenset(client.address for client in self.clients.values())
        return Asker(self._log.name, here or frozenset((self._left_from,)), bool(here))

    def close_removed(self, events: Sequence[Event]) -> None:
        """End the connections of people whom events removed from the table."""
        for person in index.removed_people(events):
            if person in self.clients:
                self.clients[person].close(REMOVED)

    def presence_change(self, person: str) -> SetPresence | None:
        """The command that records whether a person is here, if the table doesn't know yet."""
        guest, here = self._log.table.state.guests.get(person), person in self.clients
        if here and person in self._log.table.state.replaced:
            return SetPresence(person, True)  # which gives back the seat
        if guest is None or guest.present == here:
            return None
        return SetPresence(person, here)

    def drop_slow(self) -> None:
        """Close the connections of clients that do not read; send the others the chat lines that
        were held back while they read slowly."""
        for client in list(self.clients.values()):
            if client.too_slow:
                client.drop(TOO_SLOW)
            elif self._log.in_sync:
                self._send_chat(client)

    # Events.

    def prepare(self, events: Broadcast, actor: str | None, number: int | None) -> Delivery:
        """Make the messages for events that are folded, but not stored yet; the one to the
        ``actor`` has the ``number`` of the command."""
        states = [(client, client.state) for client in self.clients.values()]
        delivery = Delivery([], self.known, states)
        self.known = events.known
        try:
            reset = not events.kinds.isdisjoint(RESETS)
            delivery.messages.extend(self._messages(events, actor, number, as_table=reset))
        except BaseException:
            self.discard(delivery)
            raise
        return delivery

    def send(self, delivery: Delivery) -> None:
        """Send messages, now that their events are stored."""
        self.sent_seq = self._log.table.seq
        for client, message in delivery.messages:
            client.write(message)

    def discard(self, delivery: Delivery) -> None:
        """Drop messages whose events could not be stored: no one has been sent anything."""
        self.known = delivery.known
        for client, state in delivery.states:
            client.state = state

    def send_missed(self, events: list[Event] | None) -> None:
        """Send everyone the events that another process has stored; ``None``: too many to send
        singly."""
        table = self._log.table
        if events is None:
            to_act = self._to_act
            for client in self.clients.values():
                client.observe(table)
                client.needs_prompt(to_act, self._turn, again=True)
                client.last_line = self.last_line
                client.write(self._whole(client))
            self.known = table.shared_data if table.seq else None
        elif events:
            made = Broadcast(table, events, self.known)
            self.known, as_table = made.known, not broadcast.can_catch_up(events)
            for client, message in self._messages(made, None, None, as_table=as_table):
                client.write(message)
        self.sent_seq = table.seq

    async def catch_up(self, client: Client, since: int | None, line: int | None = None) -> None:
        """Send one client the events and the chat that it has missed, if they can be added to what
        it knows; otherwise the whole table. Raises :class:`rage.house.store.BrokenTable` and
        :class:`rage.house.store.StoreFailed`."""
        table, person = self._log.table, client.person
        client.last_line = self.last_line
        if self.known is None:
            self.known = table.shared_data
        prompt = client.needs_prompt(self._to_act, self._turn, again=True)
        missed, lost = None, 0
        if client.is_guest and since:
            lost = max(0, since - table.seq)  # or so it claims: only it is told
            if since > max(self.lost_until, table.state.lost_until):
                missed = await self._log.between(since, table.seq)
        if missed is None or not broadcast.can_catch_up(missed):
            client.write(self._whole(client, lost=lost))
            return
        if missed:
            own = table.own_data(person)
            client.news(own)
            made = Broadcast(table, missed, None)
            client.write(made.message_for(person, own=own, prompt=prompt, coach=client.coach))
        else:
            client.write(broadcast.empty_update(table, person, prompt=prompt, coach=client.coach))
        if line is not None and (lines := table.chat_for(person, line)[-MAX_CHAT_IN_VIEW:]):
            client.write(broadcast.chat_message(lines))

    def _whole(self, client: Client, undone: int = 0, lost: int = 0) -> bytes:
        """A message with everything that a client may know of the table, and a hint if it has a
        coach; ``undone``: how many decisions have just been taken back; ``lost``: how many events
        that it was shown are lost."""
        table, person = self._log.table, client.person
        view, turn = table.view_for(person), table.turn_for(person, client.coach)
        client.news(view.me)
        return encode(FullTable(table.seq, self._now(), person, view, turn, undone, lost))

    def coach(self, client: Client, taught: Sequence[str] | None) -> None:
        """Give a client hints from now on, and at once if it is their turn. ``taught``: the lessons
        they have had (``None``: no more hints)."""
        client.coach = None if taught is None else Coach(taught)
        if taught is not None and client.person in self._to_act:
            table = self._log.table
            client.write(
                broadcast.empty_update(table, client.person, prompt=True, coach=client.coach)
            )

    def send_bid(self, seat: int, bidder: str) -> None:
        """Send the changed sealed bid of a seat to those who see its cards, except the ``bidder``.
        No one else must notice."""
        table = self._log.table
        for client in self.clients.values():
            if client.person != bidder and table.state.viewpoint(client.person) == seat:
                client.write(broadcast.empty_update(table, client.person))

    @property
    def _to_act(self) -> Sequence[str]:
        """The persons who are to act, unless bots act for them: one, or all who bid at once."""
        state = self._log.table.state
        if (at := state.to_act) is None:
            return ()
        seats = state.bidders if state.sealing else (at,)
        return [state.seats[each].person or "" for each in seats if state.seats[each].self_played]

    @property
    def _turn(self) -> int:
        """A number that changes with the options of the player to act: with each decision, and with
        whether they may claim or ask for advice."""
        table = self._log.table
        return 4 * table.ply + 2 * table.may_claim + table.advice_allowed

    def _messages(
        self, events: Broadcast, actor: str | None, number: int | None, *, as_table: bool
    ) -> list[tuple[Client, bytes]]:
        """The messages for events; ``as_table``: with the whole table instead."""
        table, to_act, made = self._log.table, self._to_act, list[tuple[Client, bytes]]()
        turn = self._turn if to_act else -1
        shifts = not events.kinds.isdisjoint(SHIFTS)  # only these change what a person may see
        for client in self.clients.values():
            asked = number if client.person == actor else None
            shifted = shifts and client.observe(table)
            prompt = client.needs_prompt(to_act, turn)
            if client.is_guest and not as_table and not shifted:
                person, coach = client.person, client.coach
                news = None if events.moves_only else client.news(table.own_data(person))
                message = events.message_for(person, asked, own=news, prompt=prompt, coach=coach)
                made.append((client, message))
            else:
                made += self._table_messages(client, events, asked)
        return made

    def _table_messages(
        self, client: Client, events: Broadcast, own: int | None
    ) -> list[tuple[Client, bytes]]:
        """The messages to a client that can't be sent these events (a change of seats, an undo), or
        to a visitor: the whole table, and a message with the number of their ``own`` command. Empty
        if there is nothing to send, or not yet."""
        if not client.is_guest and events.changed.keys() <= self._log.table.waiting_data.keys():
            return []
        if not client.is_guest and own is None:
            self._update_visitors_later()
            return []
        whole = self._whole(client, events.undone, events.lost)
        client.last_line = self.last_line  # included in it
        made = [(client, whole)]
        if own is not None:
            made.append((client, broadcast.empty_update(self._log.table, client.person, own)))
        return made

    # Visitors.

    def _update_visitors_later(self) -> None:
        """Send visitors the table after a moment, so that their cost does not depend on how much
        happens."""
        if self._visitor_timer is None:
            loop = asyncio.get_running_loop()
            self._visitor_timer = loop.call_later(VISITOR_INTERVAL, self._update_visitors)

    def _update_visitors(self) -> None:
        self._visitor_timer = None
        if not self._log.in_sync:  # something is being stored
            self._update_visitors_later()
            return
        for client in self.clients.values():
            if not client.is_guest:
                client.write(self._whole(client))

    # The chat, and reactions.

    def add_chat(self, lines: Iterable[ChatLine]) -> None:
        """Add new stored lines of the chat to the table, and send them to everyone who may read
        them."""
        table = self._log.table
        for line in lines:
            chat = table.state.chat
            if chat and line.number <= chat[-1].number:
                if line in chat:
                    continue
                while chat and line.number <= chat[-1].number:  # lines that the store has lost
                    chat.pop()
                self._have_no_lines_after(line.number - 1)
            table.add_chat_line(line)
            self.last_line = max(self.last_line, line.number)
        for client in self.clients.values():
            self._send_chat(client)

    def _have_no_lines_after(self, number: int) -> None:
        """Have lines of the chat after a number sent to everyone again."""
        self.last_line = min(self.last_line, number)
        for client in self.clients.values():
            client.last_line = min(client.last_line, number)

    def forget_chat(self) -> None:
        """Forget what was sent of the chat, because the store may have lost lines."""
        self._have_no_lines_after(0)

    def _send_chat(self, client: Client) -> None:
        """Send a client the lines of the chat that are new to it; later, if it reads slowly: the
        game comes first, and a crowd that chats must not get slow clients disconnected."""
        if not client.is_guest or client.last_line >= self.last_line or client.connection.unsent:
            return
        lines = self._log.table.chat_for(client.person, client.last_line)[-MAX_CHAT_IN_VIEW:]
        client.last_line = self.last_line
        if lines:
            client.write(broadcast.chat_message(lines))

    def send_reaction(self, reaction: ReactionData) -> None:
        """Send a reaction to everyone who wants to see it, unless they read slowly: later it would
        be too late."""
        message, table = broadcast.reaction_message(reaction), self._log.table
        for client in self.clients.values():
            if not client.connection.unsent and table.hears(client.person, reaction.person):
                client.write(message)
