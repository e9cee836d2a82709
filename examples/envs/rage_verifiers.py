"""Rage for `verifiers` 0.4: each task is a deal, and the model plays a seat against bots.

vf-eval rage_verifiers -m MODEL -n 20
"""

from collections.abc import Iterator
from itertools import count

import verifiers.v1 as vf

from rage.envs.text import TextEpisode


class Data(vf.TaskData):
    episode: int


class RageTask(vf.Task[Data, vf.State, vf.TaskConfig]):
    pass


class Config(vf.TasksetConfig):
    rules: str = "poof"
    players: int = 4
    bots: str = "steady"
    seed: int = 0


def begin(config: Config, episode: int) -> TextEpisode:
    return TextEpisode(
        config.rules, config.players, bots=config.bots, seed=config.seed, episode=episode
    )


class RageTaskset(vf.Taskset[RageTask, Config]):
    INFINITE = True

    def load(self) -> Iterator[RageTask]:
        for number in count():
            system, first = begin(self.config, number).messages(0)
            told = {"system_prompt": system["content"], "prompt": first["content"]}
            yield RageTask(Data(name=f"rage#{number}", episode=number, **told), self.config.task)


class EnvConfig(vf.EnvConfig):
    # A chat needs no tools and no sandbox.
    player: vf.AgentConfig = vf.AgentConfig(
        harness=vf.HarnessConfig(id="null"), runtime=vf.SubprocessConfig()
    )


class RageEnv(vf.Env[EnvConfig]):
    async def run(self, task: RageTask, agents: vf.Agents) -> None:
        episode = begin(self.taskset.config, task.data.episode)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()  # its answer to the prompt
            while not segment.terminated:
                episode.answer(segment.last_reply)
                if episode.seat is None:
                    break
                segment = await interaction.turn(episode.messages(0)[-1]["content"])
        interaction.trace.record_reward("lead", episode.reward(0), 1.0)
        for name, number in episode.summary(0).items():
            interaction.trace.record_metric(name, number)


__all__ = ["RageEnv", "RageTaskset"]
