"""The work that is timed, and the process that does it (``python -m lab.benchmarks.tasks``).

A worker reads one task per line, ``{"task": ..., "size": ..., "seed": ...}``, and answers with the
number of decisions, the seconds they took and, if there is one, a digest of the results. Dealing,
loading and importing are not timed, unless a task says so.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import cycle
from random import Random
from threading import Thread
from time import perf_counter, thread_time
from typing import Any, Final, NamedTuple

from lab.benchmarks.agents import AGENT_TASKS
from lab.benchmarks.tables import TABLES_TASKS
from rage import Game, ruleset
from rage.bots import bot
from rage.bots.ismcts import TreeSearch
from rage.bots.learned import LEVELS
from rage.engine import kernel
from rage.engine.deal import Deals
from rage.engine.position import Position

OH_HELL: Final = ruleset("oh_hell", laboratory=True)  # 10 cards each
POOF: Final = ruleset("poof")
PLAYERS: Final = 4
DECISIONS: Final = PLAYERS + PLAYERS * 10  # of one round of ten cards
DEALS: Final = 10  # different deals in one run of OpenSpiel's rollouts
PLIES: Final = (0, 5, 14, 27)  # after how many decisions of a round a search begins
SIMULATIONS: Final = 1000  # of each search
EXPLORE: Final = 16.0  # the constant of UCT
BATCH: Final = 20  # rounds dealt at once, untimed: few enough to stay in the cache


class Done(NamedTuple):
    """The outcome of a task: decisions, seconds, and a digest of the results if there is one."""

    moves: int
    seconds: float
    digest: int | None = None


def bulk(size: int, seed: int) -> Done:
    """``size`` rounds of our oh_hell, dealing included."""
    started = perf_counter()
    moves, digest = kernel.random_games(OH_HELL, PLAYERS, size, seed)
    return Done(moves, perf_counter() - started, digest)


def poof(size: int, seed: int) -> Done:
    """``size`` games of poof, of ten rounds each, dealing included."""
    started = perf_counter()
    moves, digest = kernel.random_games(POOF, PLAYERS, size, seed)
    return Done(moves, perf_counter() - started, digest)


def two_threads(size: int, seed: int) -> Done:
    """``size`` games of poof in each of two threads."""
    moves = [0, 0]

    def play(thread: int) -> None:
        moves[thread] = poof(size, seed + thread).moves

    threads = [Thread(target=play, args=(number,)) for number in range(2)]
    started = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Done(sum(moves), perf_counter() - started)


def rollouts(size: int, seed: int) -> Done:
    """``DEALS`` times ``size`` rollouts by OpenSpiel itself, in C++, each from a dealt state.

    A search with one simulation only evaluates its root, for which the evaluator plays ``size``
    random games from there."""
    import pyspiel

    game = _spiel_game()
    seconds = 0.0
    for state in _spiel_states(DEALS, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(size, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, seed, False)
        started = perf_counter()
        bot.mcts_search(state)
        seconds += perf_counter() - started
    return Done(DEALS * size * DECISIONS, seconds)


def tree_search(size: int, seed: int) -> Done:
    """``size`` times a search of our oh_hell from each of ``PLIES``; counts simulations."""
    seconds = 0.0
    for number, ply in enumerate(PLIES * size):
        (position,) = _positions(1, seed + number)
        _midway(position, lambda at: at.legal_moves, Position.play, ply, seed)
        started = perf_counter()
        TreeSearch(position, seed, EXPLORE).run(SIMULATIONS)
        seconds += perf_counter() - started
    return Done(len(PLIES) * size * SIMULATIONS, seconds)


def spiel_tree_search(size: int, seed: int) -> Done:
    """The same by OpenSpiel itself, in C++."""
    import pyspiel

    most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    kind = pyspiel.State
    seconds = 0.0
    for number, ply in enumerate(PLIES * size):
        (state,) = _spiel_states(1, seed + number)
        _midway(state, kind.legal_actions, kind.apply_action, ply, seed)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORE, SIMULATIONS, -1, most)
        started = perf_counter()
        bot.step(state)
        seconds += perf_counter() - started
    return Done(len(PLIES) * size * SIMULATIONS, seconds)


def _midway(game: Any, legal: Any, play: Any, ply: int, seed: int) -> None:
    """Make ``ply`` random decisions in a game, and more while there is no choice."""
    random = Random(seed)
    while ply > 0 or len(legal(game)) == 1:
        play(game, random.choice(legal(game)))
        ply -= 1


def spiel_calls(size: int, seed: int) -> Done:
    """``size`` batches of pyspiel's oh_hell, one call per move."""
    draws = cycle(_draws(seed))
    seconds = 0.0
    for states in (_spiel_states(BATCH, seed + i) for i in range(size)):
        started = perf_counter()
        for state in states:
            for draw in draws:
                legal = state.legal_actions()
                if not legal:
                    break
                state.apply_action(legal[draw % len(legal)])
        seconds += perf_counter() - started
    return Done(size * BATCH * DECISIONS, seconds)


def position_calls(size: int, seed: int) -> Done:
    """``size`` batches of our oh_hell with the kernel's integers, one call per move."""
    draws = cycle(_draws(seed))
    seconds = 0.0
    for positions in (_positions(BATCH, seed + i) for i in range(size)):
        started = perf_counter()
        for position in positions:
            for draw in draws:
                legal = position.legal_moves
                if not legal:
                    break
                position.play(legal[draw % len(legal)])
        seconds += perf_counter() - started
    return Done(size * BATCH * DECISIONS, seconds)


def game_calls(size: int, seed: int) -> Done:
    """``size`` batches of our oh_hell with ``Game`` and ``Move``, one call per move."""
    draws = cycle(_draws(seed))
    seconds = 0.0
    for games in (_games(BATCH, seed + i) for i in range(size)):
        started = perf_counter()
        for game in games:
            for draw in draws:
                legal = game.legal_moves
                if not legal:
                    break
                game.play(legal[draw % len(legal)])
        seconds += perf_counter() - started
    return Done(size * BATCH * DECISIONS, seconds)


def view_games(size: int, seed: int) -> Done:
    """``size`` games of poof of four ``random`` bots, each choosing from a view; games are counted,
    not decisions."""
    players = [bot("random", seed + seat) for seat in range(PLAYERS)]
    started = perf_counter()
    for number in range(size):
        game = Game("poof", PLAYERS, seed=f"{seed} {number}".encode())
        while (seat := game.to_act) is not None:
            game.play(players[seat].choose(game.view(seat)))
    return Done(size, perf_counter() - started)


def python_rage_tensors(size: int, seed: int) -> Done:
    """``size`` rounds of our oh_hell as OpenSpiel's game in Python, with an information state
    tensor at each decision, dealing included."""
    import rage.envs.spiel  # noqa: F401  # registers the game

    return _tensors(f"python_rage(rules=oh_hell,players={PLAYERS},hand=10)", size, seed)


def spiel_tensors(size: int, seed: int) -> Done:
    """The same of OpenSpiel's own oh_hell, in C++."""
    return _tensors(f"oh_hell(players={PLAYERS},num_tricks_fixed=10)", size, seed)


def _tensors(name: str, size: int, seed: int) -> Done:
    import pyspiel

    game, random = pyspiel.load_game(name), Random(seed)
    started = thread_time()
    for _ in range(size):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, odds)[0])
            else:
                state.information_state_tensor()
                state.apply_action(random.choice(state.legal_actions()))
    return Done(size * DECISIONS, thread_time() - started)


def thinking(level: str, size: int, seed: int) -> Done:
    """``size`` games of poof of four bots of a level, and as many of eight; the seconds are the
    95th percentile of moves with a choice, not the sum."""
    taken = []
    for number in range(size):
        for players in (4, 8):
            game = Game("poof", players, seed=f"{seed} {number}".encode())
            while game.to_act is not None:
                view = game.view(game.to_act)
                started = thread_time()
                move = bot(level, seed).choose(view)
                if len(view.legal_moves) > 1:
                    taken.append(thread_time() - started)
                game.play(move)
    taken.sort()
    return Done(len(taken), taken[len(taken) * 95 // 100])


def _draws(seed: int) -> Sequence[int]:
    """Random numbers to choose moves by, the same for every side, drawn in advance so that Python's
    generator does not distort the comparison. 5040 is divisible by all numbers up to ten, so each
    of up to ten moves is equally likely."""
    random = Random(seed)
    return [random.randrange(5040) for _ in range(997)]


def _spiel_game() -> Any:
    import pyspiel

    return pyspiel.load_game(f"oh_hell(players={PLAYERS},num_tricks_fixed=10)")


def _spiel_states(number: int, seed: int) -> Sequence[Any]:
    game, random = _spiel_game(), Random(seed)
    states = [game.new_initial_state() for _ in range(number)]
    for state in states:
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
    return states


def _dealers(number: int, seed: int) -> Iterable[Deals]:
    return (Deals(OH_HELL, PLAYERS, f"{seed} {i}".encode()) for i in range(number))


def _positions(number: int, seed: int) -> Sequence[Position]:
    rules = kernel.Rules(OH_HELL, PLAYERS)
    positions = [Position(rules) for _ in range(number)]
    for position, dealer in zip(positions, _dealers(number, seed), strict=True):
        position.deal(*dealer.deal(1).numbers())
    return positions


def _games(number: int, seed: int) -> Sequence[Game]:
    return [Game(OH_HELL, PLAYERS, seed=dealer.seed) for dealer in _dealers(number, seed)]


_ALL: Final = (
    bulk,
    poof,
    two_threads,
    rollouts,
    tree_search,
    spiel_tree_search,
    spiel_calls,
    position_calls,
    game_calls,
    python_rage_tensors,
    spiel_tensors,
    view_games,
)
TASKS: Final[dict[str, Callable[[int, int], tuple[Any, ...]]]] = {
    **{task.__name__: task for task in _ALL},
    **TABLES_TASKS,
    **AGENT_TASKS,
    **{f"thinking_{level}": partial(thinking, level) for level in LEVELS},
}


def main() -> None:
    """Print which build this is, then do one task per input line."""
    print(json.dumps({"file": kernel.__file__, "compiled": kernel.COMPILED}), flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        done = TASKS[wanted["task"]](wanted["size"], wanted["seed"])
        print(json.dumps(Done(*done)._asdict()), flush=True)


if __name__ == "__main__":
    main()
