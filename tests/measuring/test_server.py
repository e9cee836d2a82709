"""The load generator plays at our own server, and the peers' game is the one that is described.

The peers themselves need npm, and so are tried on demand alone.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from lab.benchmarks.builds import ROOT
from lab.benchmarks.server.asleep import Sleeping
from lab.benchmarks.server.databases import new_database
from lab.benchmarks.server.load import Load, run_load
from lab.benchmarks.server.node import node
from lab.benchmarks.server.processes import serving
from lab.benchmarks.server.runs import PEERS
from tools.services import found as installed

_GAME = """
import { bid, DECK, newGame, play } from '%s';
const game = newGame(DECK);
let moves = 0;
let refused = 0;
const count = (allowed) => (allowed ? (moves += 1) : (refused += 1));
do {
  const seat = game.turn;
  if (game.seats[seat].bid === -1) count(bid(game, seat, 0));
  else for (const card of game.players[seat].hand) {
    const before = moves;
    count(play(game, seat, card, () => [...DECK].reverse()));
    if (moves > before) break;
  }
} while (moves %% 260 !== 0 && moves + refused < 3000);
const hands = Object.values(game.players).map(({ hand }) => hand.length);
console.log(JSON.stringify({ moves, refused, round: game.round, hands }));
"""


def _environment() -> dict[str, str]:
    """What our server runs in: this very interpreter's."""
    return dict(os.environ)


def test_the_load_generator_plays_whole_games_at_our_server(tmp_path: Path) -> None:
    with serving("rage", tmp_path, _environment()) as server:
        found = run_load(server, Load(2, spare=20), 0.2, 1)
        assert found.sockets == 4 * 22
        assert 0 < found.p50 <= found.p99
        assert found.rate > 0  # some hundreds, unless the machine stands still
        assert 50 < found.update < 400
        assert found.cpu > 0
        assert found.memory > 20


@pytest.mark.long
@pytest.mark.skipif(installed("postgres") is None, reason="PostgreSQL is not installed")
def test_two_servers_on_one_database_share_the_tables(tmp_path: Path) -> None:
    with serving("rage", tmp_path, _environment(), new_database(), 2) as server:
        found = run_load(server, Load(20), 0.2, 1)
        assert found.sockets == 80
        assert found.rate > 0
        assert found.cpu > 0
        assert found.database > 0
        assert len(server.addresses) == 2


@pytest.mark.long
@pytest.mark.skipif(installed("postgres") is None, reason="PostgreSQL is not installed")
def test_a_server_lists_the_tables_of_a_store_full_of_others(tmp_path: Path) -> None:
    sleeping = Sleeping(tmp_path, _environment(), 200)
    for name in sleeping.stores:
        found = sleeping.measure(name)
        assert found.started > 0
        assert found.listed > 0
        assert found.memory > 20


@pytest.mark.long
def test_it_offers_moves_at_a_rate_beside_bots(tmp_path: Path) -> None:
    with serving("rage", tmp_path, _environment()) as server:
        found = run_load(server, Load(4, rate=8, bots=2), 0.5, 2)
        assert found.sockets == 8
        assert 0 < found.rate <= 12


def test_the_peers_game_has_260_moves_and_begins_again(tmp_path: Path) -> None:
    script = tmp_path / "game.mjs"
    script.write_text(_GAME % (ROOT / "lab" / "benchmarks" / "peers" / "rules.js").as_uri())
    done = subprocess.run([node(), script], capture_output=True, text=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert found["moves"] == 260
    assert found["refused"] > 0
    assert found["round"] == 0
    assert found["hands"] == [10, 10, 10, 10]


@pytest.mark.long
@pytest.mark.parametrize("peer", PEERS)
def test_the_load_generator_plays_with_the_peers(peer: str, tmp_path: Path) -> None:
    with serving(peer, tmp_path, {}) as server:
        found = run_load(server, Load(3), 0.2, 1)
        assert found.sockets == 12
        assert 0 < found.p50 <= found.p99
        assert found.rate > 5
