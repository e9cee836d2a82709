"""Rage for TextArena 0.7: every player is an agent.

python rage_textarena.py
"""

import textarena as ta

from rage.envs.text import TextEpisode


class RageEnv(ta.Env):
    """A round; a player who has no legal move in three answers loses it."""

    def __init__(self, rules: str = "poof", hand: int = 5) -> None:
        self.rules, self.hand = rules, hand

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.episode = TextEpisode(
            self.rules,
            num_players,
            models=range(num_players),
            hand=self.hand,
            seed=seed or 0,
            illegal="lose",
        )
        self.state = ta.State(num_players)  # where wrappers find the players' names
        self.state.role_mapping = dict(enumerate(self.episode.game.names))
        self.read = [0] * num_players

    def get_observation(self) -> tuple[int, list[tuple[int, str, ta.ObservationType]]]:
        """The player to act, and what it has not read yet."""
        seat = self.episode.seat or 0
        new = self.episode.messages(seat)[self.read[seat] :]
        self.read[seat] += len(new)
        told = []
        for message in new:
            own = message["role"] == "assistant"
            kind = ta.ObservationType.PLAYER_ACTION if own else ta.ObservationType.GAME_MESSAGE
            told.append((seat if own else ta.GAME_ID, message["content"], kind))
        return seat, told

    def step(self, action: str) -> tuple[bool, ta.Info]:
        self.episode.answer(action)
        return self.episode.seat is None, {}

    def close(self) -> tuple[dict[int, float], ta.Info]:
        seats = range(self.episode.game.players)
        return (
            {seat: self.episode.reward(seat) for seat in seats},
            {seat: self.episode.summary(seat) for seat in seats},
        )


ta.register("Rage-v0", entry_point=RageEnv, default_wrappers=[ta.wrappers.LLMObservationWrapper])

if __name__ == "__main__":
    env = ta.make("Rage-v0")
    env.reset(num_players=3, seed=1)
    done = False
    while not done:
        seat, told = env.get_observation()
        done, _ = env.step(told.rpartition("one of: ")[2].partition(",")[0])  # a simple agent
    rewards, info = env.close()
    print(rewards)
