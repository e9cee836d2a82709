"""What anybody can ask of a server: commands of a table, and routes over HTTP."""

from __future__ import annotations

import re
from typing import Final

from rage.server.app import ROUTES
from rage.table.commands import COMMANDS

#: The types of all commands, as a client writes them.
COMMAND_TYPES: Final = {str(command.__struct_config__.tag) for command in COMMANDS}
#: The method and the path of each route, as ``docs/protocol.md`` writes them.
REACHABLE: Final = {
    (str(method), re.sub(r":\w+", "", path))
    for route in ROUTES
    for path in route.paths
    for method in route.http_methods
}
