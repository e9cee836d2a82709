"""Whatever does not fit an environment is refused by one kind of error."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest

from rage.envs import Episode, Tables, unit_rules
from rage.envs.aec import TableEnv
from rage.envs.seat import SeatEnv
from rage.envs.text import TextEpisode
from rage.envs.vector import SeatVectorEnv


def episode(rules: Any, seed: Any, table: Any = 0, episode: Any = 0) -> Episode:
    """An episode; compiled, the class has no signature."""
    return Episode(rules, seed, table, episode)


#: Where not all arguments have a default, those that have none.
NEEDED: dict[Callable[..., object], dict[str, Any]] = {
    Tables: {"rules": "poof", "count": 2},
    episode: {"rules": unit_rules("poof", 4), "seed": 1},
    unit_rules: {"rules": "poof", "players": 4},
    TableEnv: {},
    SeatEnv: {},
    SeatVectorEnv: {},
    TextEpisode: {},
}
#: Nothing fits all arguments, and some of these fit none.
ODD: list[Any] = [
    *(None, True, -1, 99, 2**70, 1.5, float("nan"), "odd", b"odd", object()),
    *([], ["odd"], [-1], [4], {}, (0, 0), np.array([1, 2])),
]


@pytest.mark.parametrize("made", NEEDED, ids=lambda made: made.__name__)
def test_each_argument_is_taken_or_refused(made: Callable[..., object]) -> None:
    refused = set()
    for name in signature(made).parameters:
        for odd in ODD:
            try:
                made(**{**NEEDED[made], name: odd})
            except ValueError:
                refused.add(name)
    assert refused == {*signature(made).parameters}


def test_what_is_no_action_is_refused() -> None:
    """What is no integer is a mistake, whatever happens to illegal moves."""
    for env in (TableEnv(illegal="lose"), SeatEnv(illegal="lose")):
        env.reset(seed=1)
        for odd in ODD:
            if type(odd) is not int and odd is not True:
                with pytest.raises(ValueError, match="integer"):
                    env.step(odd)


def test_two_seeds_are_never_one() -> None:
    rules = unit_rules("poof", 4)
    assert Episode(rules, 2**64 - 1).deals() != Episode(rules, 0).deals()
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=r"from 0 to 2\*\*64 - 1"):
            Episode(rules, seed)
        with pytest.raises(ValueError, match=r"from 0 to 2\*\*64 - 1"):
            TextEpisode(seed=seed)
