"""Many tables in one call are as many positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from envs.episodes import Played, episodes
from rage import Game
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.envs import Episode, Step, Tables, unit_rules, unpack
from rage.features.encode import actual_move, canonical_move, colour_places, encode
from rage.game.account import leads
from rage.notation import read_record, replay
from uncompiled import run_uncompiled

N = 6


def random_actions(step: Step, rng: np.random.Generator) -> NDArray[np.int64]:
    """A random legal action at every table where there is one."""
    found = [np.flatnonzero(row) for row in unpack(step.legal)]
    return np.array([rng.choice(each) if len(each) else 0 for each in found])


class Single:
    """The same episodes as one table's, played with a position."""

    def __init__(self, rules: Rules, seed: int, table: int) -> None:
        self.rules, self.seed, self.table = rules, seed, table
        self.begin(0)

    def begin(self, number: int) -> None:
        self.number = number
        self.episode = Episode(self.rules, self.seed, self.table, number)
        self.position = Position(self.rules)
        self.episode.deal(self.position)

    def play(self, action: int, canonical: bool) -> None:
        seat = self.position.to_act
        if seat is None:
            self.begin(self.number + 1)
            return
        places = colour_places(self.position, seat)
        self.position.play(actual_move(action, places) if canonical else action)
        if self.position.phase == 0:
            self.episode.deal(self.position)


@pytest.mark.parametrize(
    ("name", "players", "unit"),
    [("poof", 4, "round"), ("amigo+sweep", 8, "game"), ("fundex+secret-bids", 2, "round"),
     ("poof+teams:2", 4, "game")],
)  # fmt: skip
@pytest.mark.parametrize("observe", [None, "full"])
def test_tables_are_as_many_positions(name: str, players: int, unit: Any, observe: Any) -> None:
    rng = np.random.default_rng(3)
    rules = unit_rules(name, players, unit, 4 if unit == "round" else None)
    tables = Tables(rules, N, 7, observe=observe)
    singles = [Single(rules, 7, number) for number in range(N)]
    step = tables.reset()
    ended = 0
    while ended < (20 if unit == "round" else 2):
        actions = random_actions(step, rng)
        step = tables.step(actions)
        for number, single in enumerate(singles):
            single.play(int(actions[number]), observe is not None)
            position = single.position
            assert tables.position(number) == position
            over = position.to_act is None
            assert step.terminated[number] == over
            assert step.to_act[number] == (-1 if over else position.to_act)
            wanted = leads(position.scores) if over else [0.0] * tables.sides
            assert step.rewards[number].tolist() == np.array(wanted, np.float32).tolist()
            legal = np.flatnonzero(unpack(step.legal[number])).tolist()
            if over:
                assert legal == []
                ended += 1
            elif observe is None:
                assert legal == position.legal()
            else:
                assert position.to_act is not None
                row = encode(position, position.to_act)
                assert step.observation is not None
                assert step.observation[number].tolist() == row.tolist()
                assert legal == np.flatnonzero(row[-128:]).tolist()


@pytest.mark.parametrize("played", episodes(), ids=lambda played: f"{played.rules}, {played.unit}")
@pytest.mark.parametrize("observe", [None, "compact"])
def test_tables_play_the_episodes(played: Played, observe: Any) -> None:
    rules = played.kernel_rules()
    tables = Tables(rules, 1, played.seed, observe=observe)
    step = tables.reset()
    for _ in range(played.episode):
        step = tables.reset()
    rewards = np.zeros(tables.sides)
    for seat, legal, move in zip(played.to_act, played.legal, played.moves, strict=True):
        places = range(6) if observe is None else colour_places(tables.position(0), seat)
        shown = np.flatnonzero(unpack(step.legal[0])).tolist()
        assert step.to_act[0] == seat
        assert sorted(actual_move(action, places) for action in shown) == legal
        assert not rewards.any()
        step = tables.step([canonical_move(move, places)])
        rewards += step.rewards[0]
    assert step.terminated[0]
    assert rewards == pytest.approx(played.rewards)


@pytest.mark.parametrize("played", episodes(), ids=lambda played: f"{played.rules}, {played.unit}")
def test_the_records_of_the_episodes_say_the_same(played: Played) -> None:
    game = replay(read_record(played.record))
    assert [move.number for each in game.rounds for move in each.moves] == played.moves
    assert leads(game.scores) == played.rewards


def test_the_deals_of_an_episode_are_those_of_a_game() -> None:
    rules = unit_rules("amigo", 5, "game")
    episode = Episode(rules, 12, 3, 4)
    position = Position(rules)
    game = Game(rules.ruleset, 5, deals=episode.deals())
    while not game.over:
        if position.phase == 0:
            later = episode.deals()
            episode.deal(position)
            assert position.dealer == later[0].dealer
            assert episode.deals() == later[1:]
        assert [position.hand(seat) for seat in range(5)] == [
            game.position.hand(seat) for seat in range(5)
        ]
        move = game.legal_moves()[0]
        game.play(move)
        position.play(move.number)
    assert position.scores == game.position.scores


def play(tables: Tables, steps: int) -> list[Step]:
    """The steps of a play that depends on what is seen alone."""
    found = [tables.reset()]
    for _ in range(steps):
        legal = unpack(found[-1].legal)
        found.append(tables.step(legal.argmax(axis=1)))
    return found


def equal(one: Step, other: Step, rows: slice) -> bool:
    pairs: list[tuple[Any, Any]] = list(zip(one[:5], other[:5], strict=True))
    return all((a is b is None) or np.array_equal(a[rows], b[rows]) for a, b in pairs)


@pytest.mark.parametrize("other", [{"count": 40}, {"count": 9, "threads": 2}])
def test_a_table_is_the_same_among_more_and_on_more_threads(other: dict[str, Any]) -> None:
    settings: dict[str, Any] = {"players": 3, "hand": 3, "observe": "compact"}
    few = play(Tables("amigo", 9, 5, **settings), 40)
    more = play(Tables("amigo", seed=5, **other, **settings), 40)
    assert all(equal(one, two, slice(9)) for one, two in zip(few, more, strict=True))


#: Prints a digest of some steps.
DIGEST = """
import numpy as np
from hashlib import sha256
from rage.envs import Tables, unpack
found = sha256()
for observe in ("full", "compact", None):
    for illegal in ("lose", "random"):
        rng = np.random.default_rng(1)
        tables = Tables("amigo+sweep", 3, 5, players=3, hand=4, observe=observe, illegal=illegal)
        step = tables.reset()
        for number in range(40):
            rows = rng.random((3, 128)) * unpack(step.legal)
            step = tables.step(rows.argmax(axis=1) if number % 9 else [127, -1, 130])
            for array in step[:5]:
                found.update(b"" if array is None else array.tobytes())
print(found.hexdigest()[:16])
"""


def test_uncompiled_every_byte_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(DIGEST, {})
    assert run_uncompiled(tmp_path, DIGEST) == capsys.readouterr().out.strip()


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Tables("poof", 0), "count is an integer from 1 to"),
    (lambda: Tables("poof", 2, 1.5), "a seed is an integer, not 1.5"),  # type: ignore[arg-type]
    (lambda: Tables("poof", 2, observe="all"), "observe is one of None, 'full', 'compact', not"),  # type: ignore[arg-type]
    (lambda: Tables("poof", 2, seats=[1]), "seats are for play against opponents"),
    (lambda: Tables([], 2), "rules are a rule set, its name, Rules, or a sequence of Rules"),
    (lambda: Tables("poof", 2, unit="game", hand=3), 'hand is for unit="round"'),
    (lambda: Tables("poof", 2).step([0, 0]), "reset() comes before the first step()"),
    (lambda: reset().step([0, 0, 0]), "actions are integers of shape (2,), not int64 of shape"),
    (lambda: reset().step([0.5, 0]), "actions are integers of shape (2,), not float64"),
    (lambda: reset().step([112, 112], [1, 0]), "a mask is bool of shape (2,), not int64"),
    (lambda: reset().step([112, 200]), "action 200 is not legal at table 1"),
    (lambda: reset().step([0, 112]), "action 0 is not legal at table 0"),
    (lambda: reset().position(2), "table is an integer from 0 to 1, not 2"),
]


def reset() -> Tables:
    tables = Tables("poof", 2, 1)
    tables.reset()
    return tables


@pytest.mark.parametrize(("call", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_bad_arguments_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        call()
    assert str(refused.value).startswith(said)
