"""What bots, or a model, score as messages: rounds against three bots, in points.

python text_scores.py [--rounds 1000] [BOT ...]
python text_scores.py --rounds 100 --url http://localhost:8000/v1/chat/completions MODEL

A model is one behind a URL that speaks as OpenAI's does; its key is in the environment variable
OPENAI_API_KEY, if it needs one.
"""

import argparse
import json
import os
from statistics import mean, stdev
from urllib.request import Request, urlopen

import rage
from rage.envs.text import Counts, TextEpisode


def ask(url: str, model: str, episode: TextEpisode, seat: int) -> str:
    """The answer of a model to all messages of a seat."""
    body = json.dumps({"model": model, "messages": episode.messages(seat)}).encode()
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    with urlopen(Request(url, body, headers)) as response:
        answer: str = json.load(response)["choices"][0]["message"]["content"]
    return answer


def play(name: str, number: int, url: str | None, against: str) -> tuple[float, Counts]:
    """The lead of one round, and what has been counted."""
    episode = TextEpisode(bots=against, episode=number)
    bot = None if url else rage.bot(name, seed=number)
    while (seat := episode.seat) is not None:
        if bot is not None:
            episode.answer(str(bot.choose(episode.view(seat))))
        elif url is not None:
            episode.answer(ask(url, name, episode, seat))
    return episode.reward(0), episode.counts[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("players", nargs="*", metavar="BOT", default=["random", "steady", "hard"])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--against", default="steady", metavar="BOT")
    parser.add_argument("--url")
    wanted = parser.parse_args()
    print("| player | lead a round | bids met | answers refused |\n| --- | --- | --- | --- |")
    for name in wanted.players:
        played = [play(name, i, wanted.url, wanted.against) for i in range(wanted.rounds)]
        leads, counts = zip(*played, strict=True)
        error = 1.96 * stdev(leads) / len(leads) ** 0.5
        met = sum(each.met for each in counts) / len(counts)
        refused = sum(each.illegal + each.unreadable for each in counts)
        share = refused / sum(each.answers for each in counts)
        print(
            f"| {name} | {mean(leads):+.1f} ± {error:.1f} | {met:.0%} | {share:.1%} |", flush=True
        )
