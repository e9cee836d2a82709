"""What anybody can ask of a server: commands of a table, and routes over HTTP."""

from __future__ import annotations

from typing import Final

from rage.house.requests.routes import ROUTES
from rage.table.commands import COMMANDS

#: The types of all commands, as a client writes them.
COMMAND_TYPES: Final = {str(command.__struct_config__.tag) for command in COMMANDS}
#: The method and the path of each route, as ``docs/protocol.md`` writes them.
REACHABLE: Final = {(route.method, route.path) for route in ROUTES}
