"""Games of a match on the machines of a Ray cluster. Each of them has the same version of Rage, and
whatever else the bots need."""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any, Final

import rage
from rage.arena.match import Match, Planned
from rage.arena.playing import Played, play
from rage.say import NotAllowed, NotReadable

#: How many games each processor of the cluster is given at a time, so that none waits for the next.
_AHEAD: Final = 3
#: How many seconds a cluster has to answer; Ray itself would try for minutes.
_PATIENCE: Final = 5.0


def play_on_cluster(
    match: Match, games: Iterable[Planned], address: str
) -> Generator[Played, None, None]:
    """Play games on the cluster at an address (``host:port``, or ``auto``: the one of this machine,
    or of ``RAY_ADDRESS``), and return them as they end. Raises what a bot raises,
    :class:`rage.NotReadable` where there is no such cluster, and :class:`rage.NotAllowed` without
    Ray, where a machine has another version of Rage, and where games are lost for good."""
    ray = _connected(address)
    try:
        yield from _shared_out(ray, match, iter(games))
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None  # as it was raised there
    except ray.exceptions.RayError:
        raise NotAllowed("arena.cluster_lost", address=address) from None
    finally:  # also where whoever asked wants no more: what is still played is given up
        ray.shutdown()


def _connected(address: str) -> Any:
    """Ray's module, once it is connected."""
    if address != "auto":
        _check_answers(address)
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise NotAllowed("arena.no_ray", extra="rage-cards[cluster]") from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = str(error).strip().partition("\n")[0]
        raise NotReadable("arena.no_cluster", address=address, message=why) from None
    return ray


def _check_answers(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise NotReadable("arena.cluster_address", address=address)
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except OSError as error:
        why = error.strerror or str(error)
        raise NotReadable("arena.no_cluster", address=address, message=why) from None


def _shared_out(ray: Any, match: Match, games: Iterator[Planned]) -> Iterator[Played]:
    """Play games in a cluster that never holds more than a few for each of its processors; machines
    may join it meanwhile."""
    remote = ray.remote(num_cpus=1)(_play_there)
    pending: list[Any] = []
    while True:
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        fresh = islice(games, max(0, most - len(pending)))
        pending += [remote.remote(rage.__version__, match, each) for each in fresh]
        if not pending:
            return
        ended, pending = ray.wait(pending)
        yield from ray.get(ended)


def _play_there(version: str, match: Match, planned: Planned) -> Played:
    """Play a game on a machine of the cluster."""
    if version != rage.__version__:
        host = socket.gethostname()
        raise NotAllowed("arena.other_version", host=host, rage=rage.__version__, needed=version)
    return play(match, planned)
