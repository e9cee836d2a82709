"""Rage for Gymnasium: one seat, against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rage.envs.drawing import MODES, rendered
from rage.envs.one_table import OneTable
from rage.envs.opponents import Opponent, Opponents, by_seat
from rage.envs.spaces import Illegal, Rewards, Row, mask_of, row_of, row_space
from rage.envs.units import Unit, check_choice, unit_rules
from rage.rules.cards import N_MOVES
from rage.rules.ruleset import RuleSet


class SeatEnv(gymnasium.Env[Row, Any]):
    """One seat at a table with bots, which move within its steps.

    ``bots`` play the other seats: one bot for all, or one for each of them, from the left of
    ``seat`` on. A bot is a name (one of :data:`rage.bots.BOTS`, or ``python:module:Class``), or an
    object with the ``choose`` of a :class:`rage.bots.Bot`. ``steady`` and ``random`` are fast; the
    others need a view for each move.

    An observation is a row of :mod:`rage.features.encode`. The legal moves are in the infos
    (``"action_mask"``), and :meth:`action_masks` returns them too. For the other arguments and for
    actions, see :class:`rage.envs.aec.TableEnv`."""

    metadata: dict[str, Any] = {"render_modes": [*MODES], "render_fps": 2}  # noqa: RUF012  # as Gymnasium

    def __init__(
        self,
        rules: RuleSet | str = "poof",
        players: int = 4,
        *,
        bots: Opponent | Sequence[Opponent] = "steady",
        seat: int = 0,
        unit: Unit = "round",
        hand: int | None = None,
        rewards: Rewards = "leads",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        check_choice("rewards", rewards, ("leads", "points"))
        check_choice("illegal", illegal, ("lose", "random", "raise"))
        check_choice("render_mode", render_mode, (None, *MODES))
        kernel = unit_rules(rules, players, unit, hand)
        if seat not in range(players):
            raise ValueError(f"seat is one from 0 to {players - 1}, not {seat!r}")
        self.render_mode = render_mode
        self.observation_space = row_space()
        self.action_space = spaces.Discrete(N_MOVES)
        self._seat = seat
        self._bots = Opponents(by_seat(bots, seat, players))
        self._table = OneTable(kernel, rewards == "points", illegal, self._bots.need_views)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Row, dict[str, Any]]:
        """Begin an episode: the first one of ``seed``, or without a seed the next one."""
        super().reset(seed=seed)
        self._table.begin(seed)
        if seed is not None:
            self._bots.seat_them(seed)
        self._go_on()
        return self._seen({})

    def step(self, action: Any) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Make a move, then the bots' moves up to this seat's next turn or the episode's end."""
        table = self._table
        if table.rewards is not None:
            raise gymnasium.error.ResetNeeded("reset() comes next")
        why = table.take(action)
        self._go_on()
        row, info = self._seen({} if why is None else {"illegal": why})
        rewards = table.rewards
        if rewards is None:
            return row, 0.0, False, False, info
        return row, rewards[self._seat % len(rewards)], True, False, info

    def _go_on(self) -> None:
        """Let the bots move until it is this seat's turn."""
        table, seat = self._table, self._seat
        while table.rewards is None and (to_act := table.position.to_act) != seat:
            assert to_act is not None
            table.make(self._bots.move(table, to_act))

    def _seen(self, info: dict[str, Any]) -> tuple[Row, dict[str, Any]]:
        over = self._table.rewards is not None
        row = row_of(self._table.position, self._seat, over)
        self._mask = np.ones(N_MOVES, np.int8) if over else mask_of(row)
        info["action_mask"] = self._mask
        if self.render_mode == "human":
            self.render()
        return row, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, as the learners of sb3-contrib ask for them; all moves at the end of an
        episode, when none counts."""
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """The table with this seat's hand open: as text (``ansi``), printed (``human``), or as a
        picture (``rgb_array``)."""
        return rendered(self.render_mode, self._table.position.masked(self._seat))
