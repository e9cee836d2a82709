"""The arena: how much better one bot is than another, and how certain that is.

``match`` defines the games of a match, ``playing`` plays one, ``workers`` plays many in processes,
``cluster`` on the machines of a Ray cluster, ``ledger`` keeps them in a file, ``results`` evaluates
them, with the intervals of ``intervals``, ``plots`` draws the results, and ``stopping`` says when
they are clear. ``data`` simulates games outside matches, as tables.
"""

from __future__ import annotations

from rage.arena.cluster import play_on_cluster
from rage.arena.ledger import Ledger, open_ledger
from rage.arena.match import Match, Planned, Seating, plan, seatings
from rage.arena.playing import Played, play
from rage.arena.results import Results, evaluate
from rage.arena.stopping import Watch
from rage.arena.workers import play_all

__all__ = [
    "Ledger",
    "Match",
    "Planned",
    "Played",
    "Results",
    "Seating",
    "Watch",
    "evaluate",
    "open_ledger",
    "plan",
    "play",
    "play_all",
    "play_on_cluster",
    "seatings",
]
