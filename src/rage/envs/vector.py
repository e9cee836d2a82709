"""Rage for Gymnasium: one seat at each of many tables, against compiled bots."""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rage.engine.position import Position
from rage.envs.arrays import Step, unpack
from rage.envs.drawing import rendered
from rage.envs.spaces import Illegal, Rewards, meant, row_space
from rage.envs.tables import Tables
from rage.envs.units import Unit, check_choice
from rage.game.rulings import refusal
from rage.rules.cards import N_MOVES
from rage.rules.ruleset import RuleSet
from rage.rules.values import Move
from rage.say import sentence

Rows = NDArray[np.int16]

_AUTORESETS: Final[dict[AutoresetMode, Literal["next_step", "same_step", "disabled"]]] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class SeatVectorEnv(VectorEnv[Rows, NDArray[Any], NDArray[Any]]):
    """:class:`rage.envs.seat.SeatEnv` at ``num_envs`` tables, on :class:`rage.envs.Tables`:
    ``bots`` is ``"steady"`` or ``"random"``, the same in all seats.

    ``autoreset_mode`` is one of :class:`gymnasium.vector.AutoresetMode`, or its value;
    ``threads`` share the work."""

    def __init__(
        self,
        num_envs: int = 1,
        rules: RuleSet | str = "poof",
        players: int = 4,
        *,
        bots: Literal["steady", "random"] = "steady",
        seat: int = 0,
        unit: Unit = "round",
        hand: int | None = None,
        rewards: Rewards = "leads",
        illegal: Illegal = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        check_choice("bots", bots, ("steady", "random"))
        check_choice("render_mode", render_mode, (None, "ansi", "rgb_array"))
        self._tables = Tables(
            rules,
            num_envs,
            players=players,
            unit=unit,
            hand=hand,
            opponents=bots,
            seats=[seat],
            autoreset=_AUTORESETS[mode],
            illegal=illegal,
            rewards=rewards,
            threads=threads,
        )
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"],
            "render_fps": 2,
            "autoreset_mode": mode,
        }
        self.num_envs, self.render_mode = self._tables.count, render_mode
        self.single_observation_space = row_space()
        self.single_action_space = spaces.Discrete(N_MOVES)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._last: Step | None = None
        self._seat = seat
        self._side = seat % self._tables.sides

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, dict[str, Any]]:
        """Begin an episode at all tables, or where ``options["reset_mask"]`` ((N,) bool) is true:
        the first one of ``seed``, or without a seed the next one."""
        super().reset(seed=seed)
        self._last = self._tables.reset((options or {}).get("reset_mask"), seed=seed)
        return cast(Rows, self._last.observation), self._info(self._last)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Rows, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move at all tables, then the bots' moves up to the seat's next turn or the end of
        the episode."""
        reasons = self._reasons(np.asarray(actions))
        self._last = step = self._tables.step(actions)
        info, over = self._info(step), step.terminated
        final: dict[str, Any] = {}
        if step.final_observation is not None and over.any():
            rows = np.full(self.num_envs, None, object)
            for table, row in zip(np.flatnonzero(over), step.final_observation, strict=True):
                rows[table] = row
            final = {"action_mask": np.ones_like(info["action_mask"]), "_action_mask": over}
            info |= {
                "final_obs": rows,
                "_final_obs": over,
                "final_info": final,
                "_final_info": over,
            }
        if reasons is not None:
            told = final if final and self._tables.illegal == "lose" else info
            told |= {"illegal": reasons, "_illegal": reasons != None}  # noqa: E711  # of each
        rewards = step.rewards[:, self._side].astype(np.float64)
        return cast(Rows, step.observation), rewards, over, np.zeros_like(over), info

    def _info(self, step: Step) -> dict[str, Any]:
        masks = unpack(step.legal).view(np.int8)
        masks[step.to_act < 0] = 1  # the episode is over, and no move counts
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _reasons(self, actions: NDArray[Any]) -> NDArray[Any] | None:
        """Why actions are illegal, as a sentence for each such table; ``None`` if none is."""
        last = self._last
        if last is None or actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            return None  # the tables refuse these
        bits = actions.astype(np.uint64)
        legal = last.legal[np.arange(self.num_envs), (bits >> 6) & 1] >> (bits & 63) & 1
        wrong = (last.to_act >= 0) & ((bits >= N_MOVES) | (legal == 0))
        if not wrong.any() or self._tables.illegal == "raise":
            return None
        reasons = np.full(self.num_envs, None, object)
        for table in np.flatnonzero(wrong):
            reasons[table] = _why_not(self._tables.position(int(table)), int(actions[table]))
        return reasons

    def render(self) -> tuple[Any, ...] | None:
        """All tables, each with the seat's hand open: as texts (``ansi``) or as pictures
        (``rgb_array``)."""
        if self.render_mode is None:
            return None
        positions = map(self._tables.position, range(self.num_envs))
        return tuple(rendered(self.render_mode, each.masked(self._seat)) for each in positions)


def _why_not(position: Position, action: int) -> str:
    """Why an action is not legal, as a sentence."""
    try:
        reason = refusal(position, Move.of(meant(position, action)))
    except ValueError as error:
        return str(error)
    assert reason is not None
    return sentence(reason)
