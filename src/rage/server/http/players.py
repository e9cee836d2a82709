"""Admits players even if others at their address have used up its limits."""

from __future__ import annotations

from rage.house.base.codes import NoTable, read_code
from rage.house.limits.limiting import Limits
from rage.house.people.identity import Keys
from rage.house.store import StoreFailed
from rage.house.tables.hub import Hub
from rage.server.asgi import Scope


class Players:
    """Recognizes people at a table of a hub by their cookies."""

    def __init__(self, hub: Hub, keys: Keys, limits: Limits) -> None:
        self._hub = hub
        self._keys = keys
        self._limits = limits

    async def seated_person(self, scope: Scope) -> str | None:
        """The person of a request, if they are at the table it is for, or were recently connected
        to one."""
        person = self._keys.authenticate(scope["headers"])
        if person is None:
            return None
        if not self._limits.has_seat(person) and await self._is_at(person, scope["path"]):
            self._limits.note_seat(person)
        return person if self._limits.has_seat(person) else None

    async def _is_at(self, person: str, path: str) -> bool:
        """Return whether a person, or a screen of theirs, is at the table of a WebSocket's path."""
        if not path.startswith("/ws/"):
            return False
        try:
            code = read_code(path.removeprefix("/ws/"))
            everybody = (person, self._keys.screen(person))
            return any([await self._hub.is_guest(code, each) for each in everybody])
        except (NoTable, StoreFailed):
            return False
