"""Run jobs, such as the games of a match, on a Ray cluster whose machines have the same version of
Rage and everything else that the bots need."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any, Final, TypeVar

import rage
from rage.arena.match import Match, Planned, check_can_play, network_of
from rage.arena.playing import Played, play
from rage.extras import install_command
from rage.rules.number import read_number
from rage.say import NotAllowed, NotReadable

T = TypeVar("T")
#: How many jobs are queued for each processor of the cluster, so that none is idle.
_AHEAD: Final = 3
#: Seconds within which an address must answer; Ray itself would try for minutes.
_PATIENCE: Final = 5.0
#: A cluster speaks gRPC over HTTP/2: it answers this preface and empty settings with its own
#: SETTINGS frame (RFC 9113, 3.4 and 6.5).
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS: Final = b"\4"


def play_on_cluster(
    match: Match, games: Iterable[Planned], address: str
) -> Generator[Played, None, None]:
    """Play games on a cluster, and yield them as they end, as :func:`run_on_cluster` does."""
    jobs = (partial(play, match, each) for each in games)
    return run_on_cluster(jobs, match.bots, address)


def run_on_cluster(
    jobs: Iterable[Callable[[], T]], bots: Sequence[str], address: str
) -> Generator[T, None, None]:
    """Run jobs, in which these bots play, on the cluster at an address (``host:port``, or ``auto``:
    this machine's, or ``RAY_ADDRESS``), and yield their results as they end. Raises what a job
    raises, :class:`rage.NotReadable` if there is no such cluster, and :class:`rage.NotAllowed`
    without Ray, if no machine has joined, if one has another version of Rage or another network or
    cannot play the bots, and if jobs are lost for good."""
    ray = _connected(address)
    try:
        yield from _shared_out(ray, iter(jobs), bots)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None  # as it was raised there
    except ray.exceptions.RayError:
        raise NotAllowed("arena.cluster_lost", address=address) from None
    finally:  # also if the caller stops early: pending jobs are cancelled
        ray.shutdown()


def _connected(address: str) -> Any:
    """The module ``ray``, connected to the cluster at this address."""
    if address != "auto":
        _check_answers(address)
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise NotAllowed("arena.no_ray", command=install_command("cluster")) from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = str(error).strip().partition("\n")[0]
        raise NotReadable("arena.no_cluster", address=address, message=why) from None
    except SystemExit:  # raised by Ray if the cluster does not answer
        raise NotReadable("arena.not_ray", address=address) from None
    if ray.cluster_resources().get("CPU", 0) < 1:
        ray.shutdown()
        raise NotAllowed("arena.cluster_empty", address=address)
    return ray


def _check_answers(address: str) -> None:
    host, _, digits = address.rpartition(":")
    port = read_number(digits, 1, 65535)
    if not host or port is None:
        raise NotReadable("arena.cluster_address", address=address)
    try:
        with socket.create_connection((host.strip("[]"), port), _PATIENCE) as connection:
            connection.sendall(_PREFACE)
            answer = connection.recv(9, socket.MSG_WAITALL)
    except (OSError, UnicodeError) as error:  # the latter for an impossible host name
        why = getattr(error, "strerror", None) or str(error)
        raise NotReadable("arena.no_cluster", address=address, message=why) from None
    if answer[3:4] != _SETTINGS:
        raise NotReadable("arena.not_ray", address=address)


def _shared_out(ray: Any, jobs: Iterator[Callable[[], T]], bots: Sequence[str]) -> Iterator[T]:
    """Run jobs on a cluster with only a few queued for each processor; machines can join it
    meanwhile."""
    remote = ray.remote(num_cpus=1)(_do_there)
    pending: list[Any] = []
    same = rage.__version__, network_of(bots)
    while True:
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 0)))
        fresh = islice(jobs, max(0, most - len(pending)))
        pending += [remote.remote(same, bots, each) for each in fresh]
        if not pending:
            return
        ended, pending = ray.wait(pending)
        yield from ray.get(ended)


def _do_there(same: tuple[str, str | None], bots: Sequence[str], job: Callable[[], T]) -> T:
    """Run a job on this machine if it has the same version and network, and no stand-ins."""
    host, (version, network) = socket.gethostname(), same
    if version != rage.__version__:
        raise NotAllowed("arena.other_version", host=host, rage=rage.__version__, needed=version)
    try:
        check_can_play(bots)
    except NotAllowed as error:
        raise NotAllowed("arena.cannot_there", host=host, why=error.reason) from None
    if network_of(bots) != network:
        raise NotAllowed("arena.other_network", host=host)
    return job()
