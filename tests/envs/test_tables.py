"""Many tables in one call are as many positions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from envs.episodes import Played, episodes
from rage.bots.steady import best_move_of
from rage.engine.deal import Deal
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.envs import Episode, Step, Tables, decode, unit_rules, unpack
from rage.envs.batch import reward_bounds
from rage.features.encode import actual_move, canonical_move, colour_places, encode
from rage.game.account import leads
from rage.notation import parse_record, replay
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
                assert legal == position.legal_moves
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
    game = replay(parse_record(played.record))
    assert [move.number for each in game.rounds for move in each.moves] == played.moves
    assert leads(game.scores) == played.rewards


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


@pytest.mark.parametrize("opponents", ["random", "steady"])
def test_opponents_move_until_the_caller_has_a_decision(opponents: Any) -> None:
    tables = Tables("amigo", 4, 3, players=4, hand=3, opponents=opponents, seats=[1, 2])
    rules = tables.rules[0]
    rng = np.random.default_rng(2)
    step = tables.reset()
    for _ in range(30):
        before = [tables.position(number) for number in range(4)]
        actions = random_actions(step, rng)
        over = step.terminated
        step = tables.step(actions)
        assert set(step.to_act.tolist()) <= {-1, 1, 2}
        for number in np.flatnonzero(~over).tolist():
            position = before[number]
            places = colour_places(position, position.to_act or 0)
            position.play(actual_move(int(actions[number]), places))
            while opponents == "steady" and position.to_act in (0, 3):
                position.play(best_move_of(position))
            if opponents == "steady":
                assert tables.position(number) == position
            elif step.terminated[number]:
                assert tables.position(number).phase == 3
    assert rules.players == 4


def ending(autoreset: Any, **settings: Any) -> tuple[Tables, list[Step]]:
    """Rounds of one card with three players, in which six steps end an episode."""
    tables = Tables("poof", 2, 4, players=3, hand=1, autoreset=autoreset, **settings)
    return tables, play(tables, 14)


def test_the_next_step_begins_the_next_episode() -> None:
    tables, steps = ending("next_step")
    over = [bool(step.terminated[0]) for step in steps]
    assert over == [number % 7 == 6 for number in range(15)]
    for before, step in pairwise(steps):
        assert bool(step.rewards.any()) == bool(step.terminated.any())
        if before.terminated[0]:
            assert not step.terminated[0]
            assert step.to_act[0] >= 0
    assert steps[6].to_act[0] == -1
    assert not steps[6].legal.any()
    assert steps[6].final_observation is None
    assert tables.episode(0) == 2


def test_the_same_step_begins_the_next_episode() -> None:
    _, steps = ending("same_step")
    _, others = ending("next_step")
    assert [bool(step.terminated[0]) for step in steps] == [n in (6, 12) for n in range(15)]
    assert np.array_equal(steps[6].rewards, others[6].rewards)
    assert np.array_equal(steps[6].final_observation, others[6].observation)  # type: ignore[arg-type]
    assert np.array_equal(steps[6].observation, others[7].observation)  # type: ignore[arg-type]
    assert np.array_equal(steps[6].legal, others[7].legal)
    assert steps[5].final_observation is not None
    assert len(steps[5].final_observation) == 0


def test_without_autoreset_a_table_waits_for_a_reset() -> None:
    tables, steps = ending("disabled")
    assert [bool(step.terminated[0]) for step in steps] == [number >= 6 for number in range(15)]
    assert not steps[7].rewards.any()
    step = tables.reset(np.array([False, True]))
    assert step.terminated.tolist() == [True, False]
    assert [tables.episode(number) for number in range(2)] == [0, 1]
    _, others = ending("next_step")
    assert np.array_equal(step.observation[1], others[7].observation[1])  # type: ignore[index]


def test_tables_tell_what_a_bot_would_do_and_what_came_of_a_round() -> None:
    rules = "poof+schedule:2.1"
    tables = Tables(rules, 5, 4, players=3, unit="game", autoreset="disabled")
    step = tables.reset()
    ended = np.zeros(5, np.int64)
    while not step.terminated.all():
        before = [tables.position(number) for number in range(5)]
        actions = tables.choices("steady")
        step = tables.step(actions)
        found = tables.results()
        for number, position in enumerate(before):
            if position.to_act is None:
                assert actions[number] == 0
                continue
            move = best_move_of(position)
            assert actions[number] == canonical_move(move, colour_places(position, position.to_act))
            after = tables.position(number)
            if after.round == position.round:
                continue
            ended[number] += 1
            gained = np.subtract(after.scores, position.scores).tolist()
            assert found.points[number].tolist() == gained
            assert found.hand[number] == position.hand_size
            assert found.bids[number, :3].tolist() == position.bids
            assert found.won[number, :3].sum() == position.hand_size
        assert found.rounds.tolist() == ended.tolist()
    assert ended.tolist() == [2] * 5


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_given_deals_are_dealt(autoreset: Any) -> None:
    """Those that would follow from the seed, given, change nothing."""
    rules = unit_rules("amigo+schedule:3.2", 4, "game")
    settings: dict[str, Any] = {"autoreset": autoreset, "opponents": "steady"}

    def deals(table: int, episode: int) -> list[Deal]:
        return Episode(rules, 5, table, episode).deals()

    tables = Tables(rules, 3, deals=deals, **settings), Tables(rules, 3, 5, **settings)
    given, drawn = (play(each, 40) for each in tables)
    assert any(step.terminated.any() for step in given)
    assert all(equal(one, two, slice(3)) for one, two in zip(given, drawn, strict=True))
    assert all(tables[0].position(table) == tables[1].position(table) for table in range(3))
    with pytest.raises(ValueError, match="no deal is left for episode 0 of table 0"):
        Tables(rules, 3, deals=lambda table, episode: []).reset()


@pytest.mark.parametrize("illegal", ["lose", "random"])
def test_after_failed_deals_only_a_reset_goes_on(illegal: Any) -> None:
    """A table without cards has no legal move to draw one from."""
    rules, given = unit_rules("poof", 4), [0]

    def deals(table: int, episode: int) -> list[Deal]:
        given[0] += 1
        return [] if given[0] == 2 else Episode(rules, 1, table, episode).deals()

    tables = Tables(rules, 2, deals=deals, illegal=illegal)
    with pytest.raises(ValueError, match="no deal is left"):
        tables.reset()
    with pytest.raises(ValueError, match="reset"):
        tables.step([0, 0])
    with pytest.raises(ValueError, match="reset"):
        tables.choices("random")
    assert tables.reset().legal.any(axis=1).all()


def test_a_mask_leaves_tables_alone() -> None:
    tables = Tables("poof", 3, 4, hand=2)
    first = tables.reset()
    actions = unpack(first.legal).argmax(axis=1)
    second = tables.step(actions, np.array([True, False, True]))
    assert equal(first, second, slice(1, 2))
    assert not equal(first, second, slice(0, 1))


@pytest.mark.parametrize("rewards", ["leads", "points"])
def test_who_ignores_the_rules_loses_as_much_as_there_is(rewards: Any) -> None:
    tables = Tables("amigo+sweep", 2, 1, players=4, hand=2, illegal="lose", rewards=rewards)
    start = tables.reset()
    step = tables.step([-7, 2**40])
    sides = start.to_act
    assert step.terminated.all()
    lost = step.rewards[[0, 1], sides]
    # All three Mad cards and a missed bid, against both tricks, twice, three Bonus cards and a bid.
    low, high = -3 * 5 - 5, 2 * 2 + 3 * 5 + 10
    assert lost.tolist() == [low - high if rewards == "leads" else low] * 2
    others = step.rewards.sum(axis=1) - lost
    assert others == pytest.approx(-lost if rewards == "leads" else [0, 0])
    assert not tables.step([0, 0]).terminated.any()


@pytest.mark.parametrize(
    "name",
    ["poof+exact:-20+exact_zero:30", "amigo+sweep+miss:40", "poof+teams:2+exact_zero:-9+sweep"],
)
def test_no_points_of_a_unit_are_beyond_its_bounds(name: str) -> None:
    rules = unit_rules(name + "+schedule:1.3", 4, "game")
    pack, low, high = rules.ruleset.pack, 0, 0
    for hand in (1, 3):
        wons, gains = range(hand + 1), range(-pack.mad, pack.bonus + 1)
        all_won = [(bid, won, gain) for bid in range(7) for won in wons for gain in gains]
        points = [rules.points(hand, *each) for each in all_won]
        low, high = low + min(points), high + max(points)
    assert reward_bounds(rules, True) == (low, high)
    assert reward_bounds(rules, False) == (low - high, high - low)


def test_a_random_move_in_place_of_an_illegal_one_follows_from_the_seed() -> None:
    runs = []
    for count in (5, 9):
        tables = Tables("amigo", count, 6, hand=4, illegal="random", observe=None)
        tables.reset()
        runs.append([tables.step(np.full(count, 127)) for _ in range(40)])
    assert all(equal(one, two, slice(5)) for one, two in zip(*runs, strict=True))
    assert len({step.legal.tobytes() for step in runs[0]}) > 20


def test_arrays_are_new_unless_others_are_given() -> None:
    tables = Tables("poof", 3, 4, hand=2)
    first = tables.reset()
    kept = [np.array(each) for each in first[:5]]
    out = tables.empty()
    second = tables.step(unpack(first.legal).argmax(axis=1), out=out)
    assert second is out
    third = tables.step(unpack(second.legal).argmax(axis=1))
    for old, one, other in zip(kept, first[:5], third[:5], strict=True):
        assert one is not None
        assert other is not None
        assert np.array_equal(old, one)
        assert not np.shares_memory(one, other)
    twin = Tables("poof", 3, 4, hand=2)
    again = twin.reset()
    again = twin.step(unpack(again.legal).argmax(axis=1))
    assert equal(second, again, slice(3))


def test_a_table_shows_what_the_seat_may_know() -> None:
    """A compact row is the masked position, turned to its seat, whatever the others hold."""
    tables = Tables("poof+hidden-bids", 40, 8, players=5, hand=4, observe="compact")
    rng = np.random.default_rng(5)
    step = tables.reset()
    for _ in range(22):
        step = tables.step(random_actions(step, rng))
        if step.terminated.any():
            continue
        found = decode(step.observation)
        for number in range(40):
            seat = int(step.to_act[number])
            position = tables.position(number).masked(seat)
            places = colour_places(position, seat)
            turned = [(seat + slot) % 5 for slot in range(5)]
            cards = [card if card >= 96 else 16 * places[card >> 4] + card % 16
                     for card in position.hand(seat)]  # fmt: skip
            hand = found["hand"][number]
            assert np.flatnonzero(hand[:96]).tolist() == sorted(c for c in cards if c < 96)
            counts = (hand[112:127].reshape(5, 3) * [1, 2, 4]).sum(axis=1)
            assert counts.tolist() == [cards.count(96 + kind) for kind in range(5)]
            assert [None if bid == 255 else bid for bid in found["bids"][number, :5].tolist()] == [
                position.bids[each] for each in turned
            ]
            assert found["won"][number, :5].tolist() == [position.won[each] for each in turned]
            assert found["to_act"][number] == 0
            assert found["trump"][number] == (
                6 if position.trump is None else places[position.trump]
            )
            trick = [canonical_move(move, places) for move in position.trick]
            assert found["trick"][number, : len(trick)].tolist() == trick
            void = [sorted(places[c] for c in position.voids[each]) for each in turned]
            assert [np.flatnonzero(row).tolist() for row in found["voids"][number, :5]] == void
            assert not step.observation[number, 16:128].any()  # type: ignore[index]


def test_observations_are_those_of_version_0() -> None:
    """Whoever changes these digests raises the version in the ids of the environments."""
    digests = []
    for observe in ("full", "compact"):
        tables = Tables("amigo+sweep", 20, 1, players=4, hand=5, observe=observe)
        rows = [step.observation for step in play(tables, 49)]
        digests.append(sha256(np.stack(rows).astype("<i2").tobytes()).hexdigest()[:16])  # type: ignore[arg-type]
    assert digests == ["262026a6af40ccab", "29621563da55231a"]


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
    (lambda: Tables("poof", 2, 1.5), "a seed is an integer from 0 to 2**64 - 1, not 1.5"),  # type: ignore[arg-type]
    (lambda: Tables("poof", 2, -1), "a seed is an integer from 0 to 2**64 - 1, not -1"),
    (lambda: Tables("poof", 2, deals=3), "deals is a function of a table and an episode, not 3"),  # type: ignore[arg-type]
    (lambda: Tables("poof", 2, observe="all"), "observe is one of None, 'full', 'compact', not"),  # type: ignore[arg-type]
    (lambda: Tables("poof", 2, seats=[1]), "seats are for play against opponents"),
    (lambda: Tables(5, 2), "rules are a rule set, its name, Rules"),  # type: ignore[arg-type]
    (
        lambda: pickle.dumps(Tables("poof", 2, deals=lambda *_: [])),
        "Tables with deals of their own",
    ),
    (lambda: unpack(np.zeros((2, 2))), "packed moves are uint64 of shape (..., 2), not float64"),  # type: ignore[arg-type]
    (lambda: decode(b"x" * 256), "compact rows are uint8 of shape (..., 256), not bytes"),
    (lambda: Tables([], 2), "rules are a rule set, its name, Rules, or a sequence of Rules"),
    (lambda: Tables("poof", 2, unit="game", hand=3), 'hand is for unit="round"'),
    (lambda: Tables("poof", 2).step([0, 0]), "reset() comes before the first step()"),
    (lambda: reset().step([0, 0, 0]), "actions are integers of shape (2,), not int64 of shape"),
    (lambda: reset().step([0.5, 0]), "actions are integers of shape (2,), not float64"),
    (lambda: reset().step([112, 112], [1, 0]), "a mask is bool of shape (2,), not int64"),
    (lambda: reset().step([112, 200]), "action 200 is not legal at table 1"),
    (lambda: reset().step([0, 112]), "action 0 is not legal at table 0"),
    (
        lambda: reset().reset(out=Tables("poof", 3).empty()),
        "out.observation is a writable, contiguous array of int16 of shape (2, 661)",
    ),
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


def test_actions_and_masks_may_be_read_only() -> None:
    tables, others = reset(), reset()
    actions, mask = np.array([112, 113]), np.array([True, False])
    actions.flags.writeable = mask.flags.writeable = False
    for each in (tables, others):
        each.step(actions if each is tables else actions.copy(), mask)
    assert tables.position(0) == others.position(0)
    assert np.array_equal(tables.choices(mask=mask), others.choices(mask=mask.copy()))


#: Goes on from copies made under way.
COPIED = """
import copy, pickle
import numpy as np
from rage.envs import Tables
tables = Tables("amigo", 3, 7, players=3, hand=3, opponents="random", autoreset="same_step")
tables.reset()
for number in range(30):
    if number == 20:
        copies = [copy.copy(tables), copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    step = tables.step(tables.choices())
    for each in copies if number >= 20 else ():
        again = each.step(each.choices())
        for one, other in zip(step, again):
            assert np.array_equal(one, other)
print("equal")
"""


def test_tables_can_be_copied_and_pickled_under_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(COPIED, {})
    assert run_uncompiled(tmp_path, COPIED) == capsys.readouterr().out.strip() == "equal"


@pytest.mark.parametrize("stock", ["X", "Y1"])
def test_a_stock_of_given_deals_that_is_too_short_is_refused(stock: str) -> None:
    """At the deal, or where a Change turns up the trump of the last trick."""
    given = [Deal(2, ["C", "G1", "B1"], stock)]
    tables = Tables("amigo", 2, 1, players=3, hand=1, deals=lambda *_: given, autoreset="same_step")
    with pytest.raises(ValueError, match="stock"):
        play(tables, 5)
    with pytest.raises(ValueError, match="comes before the first step"):
        tables.step([0, 0])
