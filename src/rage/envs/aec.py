"""Rage for PettingZoo: each seat is an agent, and one of them is to act."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from rage.envs.drawing import MODES, rendered
from rage.envs.one_table import OneTable
from rage.envs.spaces import Illegal, Rewards, mask_of, mask_space, row_of, row_space
from rage.envs.units import Unit, check_choice, unit_rules
from rage.rules.cards import N_MOVES
from rage.rules.ruleset import RuleSet

Observation = dict[str, NDArray[Any]]


class TableEnv(AECEnv[str, Observation, "int | None"]):
    """A table at which every seat is an agent: ``player_0``, ``player_1``, ...

    ``rules`` is a rule set or its name. An episode is a ``unit``: one ``"round"``, with ``hand``
    cards each (by default as many as in the first round of a game), or a whole ``"game"``. Only its
    end is rewarded: with ``rewards="leads"`` by the points of the agent's side less the mean of the
    other sides' points, with ``"points"`` by its points.

    An observation is a dict: the row of :mod:`rage.features.encode` (``"observation"``), and the
    legal moves (``"action_mask"``, which the infos of the agent to act have, too). An action is the
    number of a move, its colour named as in the row. An illegal one loses the episode
    (``illegal="lose"``), is replaced by a random legal one (``"random"``), or raises
    :class:`rage.NotAllowed` (``"raise"``); the reason is a sentence in the infos of its agent
    (``"illegal"``)."""

    def __init__(
        self,
        rules: RuleSet | str = "poof",
        players: int = 4,
        *,
        unit: Unit = "round",
        hand: int | None = None,
        rewards: Rewards = "leads",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        kernel = unit_rules(rules, players, unit, hand)
        self.metadata = {
            "name": f"rage/{unit.capitalize()}-v0",
            "render_modes": [*MODES],
            "render_fps": 2,
            "is_parallelizable": False,
        }
        check_choice("rewards", rewards, ("leads", "points"))
        check_choice("illegal", illegal, ("lose", "random", "raise"))
        check_choice("render_mode", render_mode, (None, *MODES))
        self.render_mode = render_mode
        self._table = OneTable(kernel, rewards == "points", illegal)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._observations = {
            agent: spaces.Dict({"observation": row_space(), "action_mask": mask_space()})
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(N_MOVES) for agent in self.possible_agents}
        low, high = (np.tile(each, players) for each in (row_space().low, row_space().high))
        self.state_space = spaces.Box(low, high, dtype=np.int16)

    def __getattr__(self, name: str) -> Any:
        """Raise ``AttributeError``: some attributes exist only from the first reset on."""
        raise AttributeError(f"there is no {name}, or not before reset()")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: all 128 moves."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the first one of ``seed``, or without a seed the next one."""
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._turn()

    def _turn(self) -> None:
        """Select the agent to act, and show it its legal moves."""
        position = self._table.position
        seat = position.to_act
        assert seat is not None
        self.agent_selection = agent = self.possible_agents[seat]
        self._row = row_of(position, seat)
        self._mask = mask_of(self._row)
        self.infos[agent]["action_mask"] = self._mask
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now. Only the agent to act has legal moves; at the end, when no
        moves are asked for, all are marked for all agents."""
        if agent == self.agent_selection and self._table.rewards is None:
            return {"observation": self._row, "action_mask": self._mask}
        over = self._table.rewards is not None
        row = row_of(self._table.position, self.possible_agents.index(agent), over)
        mask = np.ones(N_MOVES, np.int8) if over else np.zeros(N_MOVES, np.int8)
        return {"observation": row, "action_mask": mask}

    def state(self) -> NDArray[np.int16]:
        """The combined knowledge of all agents: their rows, one after the other. That is everything
        except the cards that were not dealt."""
        position, seats = self._table.position, range(len(self.possible_agents))
        return np.concatenate([row_of(position, seat) for seat in seats])

    def step(self, action: int | None) -> None:
        """Make a move for the agent to act; ``None`` for one whose episode is over."""
        agent = self.agent_selection
        if self._table.rewards is not None:
            self._was_dead_step(action)
            return
        why = self._table.take(action)
        self.infos[agent] = {} if why is None else {"illegal": why}
        if self._table.rewards is None:  # nothing has been paid yet, so there is nothing to clear
            self._turn()
            return
        sides = self._table.rewards
        self.rewards = {
            each: sides[seat % len(sides)] for seat, each in enumerate(self.possible_agents)
        }
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table with all hands open: as text (``ansi``), printed (``human``), or as a picture
        (``rgb_array``)."""
        return rendered(self.render_mode, self._table.position)

    def close(self) -> None:
        """Do nothing: no window or file is open."""
