"""What a network learns from a round: its points, and what it took later decisions to be worth."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy")

from numpy import asarray, isnan
from numpy.random import default_rng

from lab.training.environments import UNSETTLED, Environment, Environments, Ring
from lab.training.labels import Labeller
from lab.training.rule_sets import all_rules
from rage import Game
from rage.bots.net import Network as Shipped
from rage.bots.net import network
from rage.bots.steady import best_move_of
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.envs import Tables, decode
from rage.features.encode import FEATURES, canonical_move, colour_places, encode
from rage.game.account import leads
from rage.rules.editions import ruleset

ROOT = Path(__file__).parents[2]


def played(trace: float, seed: int) -> tuple[Ring, list[tuple[int, int]]]:
    """A round of three players, all moves random; its decisions as rows and seats. The network took
    each to be worth the number of its row."""
    ring = Ring(100, trace)
    ring.values[:] = range(100)
    rng = Random(seed)
    game = Environment([Rules(ruleset("poof+schedule:3.3"), 3)], rng, 0.0, best_move_of)
    game.go(ring)
    decisions: list[tuple[int, int]] = []
    while not ring.leads:
        seat = game.position.to_act
        assert seat is not None
        decisions.append((len(decisions), seat))
        game.decisions.append(decisions[-1])
        game.make(rng.choice(game.position.legal_moves), ring)
        if not ring.leads:
            game.go(ring)
    return ring, decisions


@pytest.mark.parametrize("trace", [0.0, 0.25, 1.0])
def test_a_decision_is_worth_what_comes_after_it(trace: float) -> None:
    """Of each seat, the last decision the points of the round; any other its share of the target of
    the next one, and the rest of what that was taken to be worth."""
    for seed in range(5):
        ring, decisions = played(trace, seed)
        for seat in range(3):
            rows = [row for row, whose in decisions if whose == seat]
            target = ring.leads[seat]
            for row in reversed(rows):
                assert ring.points[row] == pytest.approx(target, abs=1e-4)
                target = trace * target + (1 - trace) * row
        assert all(ring.tricks[row] != UNSETTLED for row, _ in decisions)
        assert all(ring.tricks[len(decisions) :] == UNSETTLED)


@pytest.mark.parametrize("trace", [0.25, 1.0])
def test_many_tables_settle_their_decisions_as_one_does(trace: float) -> None:
    rules = [Rules(ruleset("poof+schedule:3.3"), 3), Rules(ruleset("poof+two-teams"), 4)]
    many = Environments(rules, 4, 64, 5, 0.0, trace=trace)
    ring, rng = many.ring, default_rng(1)
    legal = next(each for each in FEATURES if each.name == "legal").slice
    decided = list[list[tuple[int, Position]]]([] for _ in range(4))
    for step in range(60):
        for table in range(4):
            decided[table].append((4 * step + table, many.position(table)))
        allowed = many.look()[:, legal]
        ring.values[many.start : many.start + 4] = rng.random(4)
        many.play((allowed * rng.random(allowed.shape)).argmax(axis=1))
    settled = 0
    for of_table in decided:
        for seat in range(4):
            target, later = 0.0, None
            for row, position in reversed(of_table):
                if position.to_act != seat or ring.tricks[row] == UNSETTLED:
                    continue
                this = (position.rules, position.scores, position.round, position.dealer)
                if this == later:
                    assert ring.points[row] == pytest.approx(target, abs=1e-3)
                later, target = this, float(ring.points[row])
                target = trace * target + (1 - trace) * float(ring.values[row])
                assert 0 <= ring.tricks[row] <= position.hand_size
                settled += 1
    assert settled > 150
    assert abs(sum(ring.leads)) < 1e-3


@pytest.mark.long
def test_decoded_tensors_are_decoded_arrays() -> None:
    torch = pytest.importorskip("torch")
    rows = Tables("poof", 3, 4, observe="compact").reset().observation
    arrays, tensors = decode(rows), decode(torch.from_numpy(rows))
    assert all((arrays[name] == tensors[name].numpy()).all() for name in arrays)


class Watched(Environment):
    """A game that notes what each of its rounds came to."""

    rounds: list[tuple[list[int], list[float]]]

    def make(self, move: int, ring: Ring) -> None:
        position = self.position
        super().make(move, ring)
        if position.phase not in (Phase.BIDDING, Phase.PLAYING):
            gained = [now - then for now, then in zip(position.scores, self._before, strict=True)]
            self.rounds.append(([*position.won], leads(gained)))


@pytest.mark.parametrize(("rules", "players"), [("poof+schedule:3.3", 3), ("poof+two-teams", 4)])
def test_what_came_of_a_decision_is_what_came_of_its_round(rules: str, players: int) -> None:
    rng, ring = Random(7), Ring(1000)
    game = Watched([Rules(ruleset(rules), players)], rng, 0.0, best_move_of)
    game.rounds = []
    seats = list[int]()
    begun = [0]
    while len(game.rounds) < 4:
        game.go(ring)
        if len(game.rounds) == len(begun):
            begun.append(len(seats))
        seat = game.position.to_act
        assert seat is not None
        game.decisions.append((len(seats), seat))
        seats.append(seat)
        game.make(rng.choice(game.position.legal_moves), ring)
    for (won, ahead), first, last in zip(game.rounds, begun, begun[1:], strict=False):
        for row in range(first, last):
            assert ring.tricks[row] == won[seats[row]]
            assert ring.points[row] == pytest.approx(ahead[seats[row] % len(ahead)], abs=1e-4)


#: Runs a program as ``python -m`` does, where a library cannot be found.
WITHOUT_TORCH = """
import importlib.machinery, runpy, sys

found = importlib.machinery.PathFinder
find = found.find_spec
found.find_spec = lambda name, *of: None if name == "torch" else find(name, *of)
sys.path.insert(0, "")
sys.argv[:] = ["-m"]
runpy.run_module(sys.orig_argv[-1], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("name", ["lab.training", "lab.training.expert", "lab.training.nash"])
def test_without_pytorch_a_program_says_what_installs_it(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, name], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("training: ")
    assert "torch" in done.stderr
    assert done.stderr.endswith("pip install -r lab/training/requirements.txt does it\n")
    assert done.stderr.count("\n") == 1


def test_labels_are_of_all_legal_moves_and_of_rounds_that_are_over() -> None:
    rows, values, tricks = Labeller(all_rules(1), network("general"), "steady", 4, 0, 1).label(30)
    legal = next(each for each in FEATURES if each.name == "legal").slice
    assert ((rows[:, legal] > 0) == ~isnan(values)).all()
    assert (tricks != UNSETTLED).all()


def test_to_make_labels_needs_no_pytorch() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "lab.training.labels"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stderr.startswith("usage: ")


@pytest.mark.long
def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """Needs PyTorch."""
    torch = pytest.importorskip("torch")
    from lab.training.learning import Learner, add_options

    parser = argparse.ArgumentParser()
    add_options(parser)
    wanted = parser.parse_args(["--out", str(tmp_path / "general"), "--games", "8"])
    wanted.horizon, wanted.share = 170.0, 0.15
    learner = Learner(wanted, all_rules(1))
    while learner.samples == 0:
        learner.step()
    learner.save()
    again = Learner(wanted, all_rules(1))
    assert (again.samples, again.trained) == (learner.samples, learner.trained)
    for one, other in ((learner.network, again.network), (learner.averaged, again.averaged)):
        for mine, its in zip(one.parameters(), other.parameters(), strict=True):
            assert torch.equal(mine, its)
    states = [each.optimizer.state_dict()["state"] for each in (learner, again)]
    assert all(
        torch.equal(mine[name], states[1][at][name])
        for at, mine in states[0].items()
        for name in mine
    )


@pytest.mark.long
def test_the_weights_that_are_exported_play_as_the_network_does(tmp_path: Path) -> None:
    """But for what half precision costs. Needs PyTorch."""
    torch = pytest.importorskip("torch")
    from lab.training.export import export
    from lab.training.learning import best_values
    from lab.training.network import POINTS, Network

    torch.manual_seed(1)
    network = Network(24, 1)
    export(network, tmp_path / "network.safetensors")
    shipped = Shipped((tmp_path / "network.safetensors").read_bytes())
    for seed in range(20):
        game = Game("amigo", 5, seed=seed)
        for _ in range(seed):
            game.play(game.legal_moves[0])
        seat = game.to_act
        assert seat is not None
        row = asarray(encode(game.position, seat))
        values = POINTS * best_values(network, row[None])[0]
        places = colour_places(game.position, seat)
        for move, points in shipped.values(game.position).items():
            assert points == pytest.approx(float(values[canonical_move(move, places)]), abs=0.05)


@pytest.mark.long
@pytest.mark.parametrize(("cards", "most"), [(1, 0.3), (2, 0.5)])
def test_where_rage_is_so_small_the_training_comes_close_to_a_solution(
    cards: int, most: float
) -> None:
    """The last NashConv that `lab/training/nash.py` prints. Takes some minutes, and PyTorch."""
    pytest.importorskip("torch")
    command = ["-m", "lab.training.nash", "--cards", str(cards), "--minutes", "4"]
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = re.findall(r"NashConv ([0-9.]+)", done.stdout)
    assert float(found[-1]) < most
