"""A seat as messages: Rage for language models (``docs/text.md``)."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypedDict

from rage.bots import Random
from rage.bots.custom import any_bot
from rage.engine.episode import Episode
from rage.envs.answers import read_answer
from rage.envs.batch import forfeit_rewards
from rage.envs.units import Unit, check_choice, to_list, unit_rules
from rage.game.account import leads
from rage.game.game import Game
from rage.game.plain_text import Lines, News, rule_lines
from rage.game.view import View
from rage.notation.typed import colours
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet
from rage.rules.values import Move
from rage.say import (
    NotAllowed,
    NotReadable,
    RageError,
    Reason,
    check_kind,
    decimal,
    join,
    short_name,
    text,
)

#: The names of the players, in every language.
_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo")


class Message(TypedDict):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


#: A model answers a chat with a text.
Model = Callable[[list[Message]], str]
AsyncModel = Callable[[list[Message]], Awaitable[str]]


@dataclass
class Counts:
    """The record of a seat: its decisions, and how many were made for it; its answers, and how many
    named no move or an illegal one; the rounds that are over, and in how many of them its side met
    its bid."""

    decisions: int = 0
    replaced: int = 0
    answers: int = 0
    unreadable: int = 0
    illegal: int = 0
    rounds: int = 0
    met: int = 0


class TextEpisode:
    """One round or game, in which language models play the seats ``models`` and bots the others.

    :attr:`seat` is the seat to answer next. Give its :meth:`messages` to its model, and the model's
    answer to :meth:`answer`; once ``seat`` is ``None``, read :attr:`rewards`.

    - ``rules``, ``players``, ``unit``, ``hand``, ``seed``, ``table``, ``episode``: as in
      :class:`rage.envs.Tables` and :class:`rage.envs.Episode`, with the same deals.
    - ``bots``: the name of a bot for all other seats, or one for each of them, in order.
    - ``language``: its code, such as ``"en"``.
    - ``form``: a seat is shown the game in ``"words"``, or its view as ``"json"``
      (:meth:`rage.View.as_data`).
    - ``tries``: how many answers a model has for each decision. After an answer without a legal
      move it is told the reason; after the last one, ``illegal`` says what happens: ``"random"``: a
      random legal move is made; ``"lose"``: the episode ends, and its side gets the worst reward
      that any play could get; ``"raise"``: :class:`rage.RageError` is raised.
    - ``rewards``: ``"leads"``: a side's points less the mean of the other sides' points;
      ``"points"``: its points."""

    def __init__(
        self,
        rules: str | RuleSet = "poof",
        players: int = 4,
        *,
        models: Sequence[int] = (0,),
        bots: str | Sequence[str] = "steady",
        unit: Unit = "round",
        hand: int | None = None,
        seed: int = 0,
        table: int = 0,
        episode: int = 0,
        language: str = "en",
        form: Literal["words", "json"] = "words",
        tries: int = 3,
        illegal: Literal["random", "lose", "raise"] = "random",
        rewards: Literal["leads", "points"] = "leads",
    ) -> None:
        check_kind(language, str, "text")
        check_choice("form", form, ("words", "json"))
        check_choice("illegal", illegal, ("random", "lose", "raise"))
        check_choice("rewards", rewards, ("leads", "points"))
        if (as_int(tries) or 0) < 1:
            raise ValueError(f"tries is an integer from 1 on, not {tries!r}")
        self._rules = unit_rules(rules, players, unit, hand)
        models = to_list("models", models)
        wrong = [seat for seat in models if as_int(seat) not in range(players)]
        if wrong or len(set(models)) < len(models):
            raise ValueError(f"models are different seats from 0 to {players - 1}, not {models!r}")
        #: Its deals, and the random numbers of ``random`` bots and of moves made for a model.
        self._chance = Episode(self._rules, seed, table, episode)
        deals = self._chance.deals()
        #: The game, with everything that is hidden.
        self.game: Game = Game(self._rules.ruleset, _NAMES[:players], deals=deals)
        others = [seat for seat in range(players) if seat not in models]
        names = [bots] * len(others) if isinstance(bots, str) else to_list("bots", bots)
        if len(names) != len(others):
            raise ValueError(f"{len(others)} seats are left to bots, but {len(names)} are named")
        seeds = random.Random(f"{seed} {table} {episode}")
        self._bots = {
            seat: any_bot(name, seeds.getrandbits(32))
            for seat, name in zip(others, names, strict=True)
        }
        self._form, self._tries, self._illegal, self._reward = form, tries, illegal, rewards
        # In JSON, codes are as in a record, in every language.
        self._language, self._letters = language, "en" if form == "json" else language
        self._failed = 0
        self._lost: int | None = None
        self._unsaid: dict[int, list[str]] = {}
        self._news = {seat: News() for seat in models}
        self._chats: dict[int, list[Message]] = {seat: [self._briefing(seat)] for seat in models}
        #: The record of each seat of a model.
        self.counts: dict[int, Counts] = {seat: Counts() for seat in models}
        self._go_on()

    def __repr__(self) -> str:
        return f"<TextEpisode {self.game!r}>"

    # --- for a caller ------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The seat whose model is to answer; ``None`` once the episode is over."""
        return None if self._lost is not None else self.game.to_act

    def messages(self, seat: int) -> list[Message]:
        """All messages of the seat of a model so far, for a chat: the rules from the system,
        reports and questions from the user, and the model's answers from the assistant. At the end
        of the episode the last one gives the result."""
        return [message.copy() for message in self._chats[self._modelled(seat)]]

    def _modelled(self, seat: int) -> int:
        """The seat, if a model plays it. Raises ``ValueError`` otherwise."""
        if seat not in self._chats:
            raise ValueError(f"models play {sorted(self._chats)}, not {seat!r}")
        return seat

    def view(self, seat: int) -> View:
        """What a seat may know."""
        return self.game.view(seat)

    def answer(self, answer: str) -> bool:
        """Take an answer of the model at :attr:`seat`, and play on to the next decision of a model.
        Returns whether the answer was a legal move. Raises :class:`rage.NotAllowed` once the
        episode is over."""
        seat = self.seat
        if seat is None:
            raise NotAllowed("refuse.game_over")
        counts = self.counts[seat]
        counts.answers += 1
        self._chats[seat].append({"role": "assistant", "content": answer})
        try:
            move = read_answer(answer, self.view(seat), self._letters)
            self._play(seat, move)
        except RageError as error:
            counts.unreadable += isinstance(error, NotReadable)
            counts.illegal += isinstance(error, NotAllowed)
            self._refuse(seat, error)
            return False
        self._go_on()
        return True

    @property
    def rewards(self) -> list[float]:
        """The reward of each side (a seat or a team); zeros until the episode is over."""
        game = self.game
        if self._lost is not None:
            lost = game.side_of(self._lost)
            return forfeit_rewards(self._rules, self._reward == "points", lost)
        if self.seat is not None:
            return [0.0] * game.sides
        return leads(game.scores) if self._reward == "leads" else [*map(float, game.scores)]

    def reward(self, seat: int) -> float:
        """The reward of the side of a seat."""
        return self.rewards[self.game.side_of(seat)]

    def summary(self, seat: int) -> dict[str, Any]:
        """The reward of a seat and its counts, for a log."""
        return {"reward": self.reward(seat), **asdict(self.counts[self._modelled(seat)])}

    # --- play ------------------------------------------------------------------------------

    def _play(self, seat: int, move: Move) -> None:
        self.game.play(move)
        self.counts[seat].decisions += 1
        self._failed = 0

    def _refuse(self, seat: int, error: RageError) -> None:
        """Say why an answer is not a legal move, and ask again, or do what ``illegal`` says."""
        self._failed += 1
        why = Lines(self.view(seat), self._language).sentence(error.reason)
        if left := self._tries - self._failed:
            self._tell(seat, [why, self._say("text.again", left=left), *self._question(seat)])
        elif self._illegal == "raise":
            self._failed = 0
            raise error
        elif self._illegal == "lose":
            self._lost = seat
            self._unsaid[seat] = [why]
            self._end()
        else:
            move = self._random_move()
            self.counts[seat].replaced += 1
            self._play(seat, move)
            chosen = self._say("text.chosen", move=short_name(str(move), self._letters))
            self._unsaid[seat] = [why, chosen]
            self._go_on()

    def _go_on(self) -> None:
        """Let the bots play until a model is to decide, and ask it."""
        while (seat := self.game.to_act) in self._bots:
            assert seat is not None
            bot = self._bots[seat]
            drawn = isinstance(bot, Random)
            self.game.play(self._random_move() if drawn else bot.choose(self.view(seat)))
        if seat is None:
            self._end()
        else:
            self._tell(seat, [*self._shown(seat), *self._question(seat)])

    def _random_move(self) -> Move:
        """A random legal move: the one the other interfaces would draw here."""
        return Move.of(self._chance.random_move(self.game.position))

    def _end(self) -> None:
        """Tell all models how the episode ended."""
        over = [each.met for each in self.game.rounds if each.met is not None]
        for seat, counts in self.counts.items():
            counts.rounds = len(over)
            counts.met = sum(self.game.side_of(seat) in met for met in over)
            lines = [*self._shown(seat)]
            if self._lost is not None:
                lost = Reason("text.lost", {"player": self._lost})
                lines.append(Lines(self.view(seat), self._language).sentence(lost))
            reward = decimal(self.reward(seat), "+.1f", self._language)
            self._tell(seat, [*lines, self._say("text.reward", points=reward)])

    # --- words -----------------------------------------------------------------------------

    def _say(self, code: str, /, **params: object) -> str:
        return text(code, self._language, self._rules.ruleset.edition, **params)

    def _tell(self, seat: int, lines: Sequence[str]) -> None:
        words = [*self._unsaid.pop(seat, ()), *lines]
        self._chats[seat].append({"role": "user", "content": "\n".join(words).strip()})

    def _briefing(self, seat: int) -> Message:
        """The rules, and how to answer."""
        game, language = self.game, self._language
        names = join(game.names, language)
        lines = [self._say("text.role", player=game.names[seat], names=names), ""]
        lines += rule_lines(game.rules, game.players, language)
        lines += ["", self._say("text.answer"), self._say("text.line")]
        lines.append(self._say("plain.help.moves", colours=colours(self._letters)))
        if self._form == "json":
            lines.append(self._say("text.json"))
        else:
            lines += Lines(self.view(seat), language).team()
        return {"role": "system", "content": "\n".join(lines)}

    def _shown(self, seat: int) -> Iterator[str]:
        """The news since the last message or, as JSON, all that the seat may know."""
        view = self.view(seat)
        if self._form == "json":
            yield json.dumps(view.as_data())
        else:
            yield from self._news[seat].lines(Lines(view, self._language))

    def _question(self, seat: int) -> Iterator[str]:
        """The cards of the seat, and its legal moves."""
        if self._form == "words":
            view = self.view(seat)
            yield Lines(view, self._language).cards()
            moves = ", ".join(short_name(str(move), self._letters) for move in view.legal_moves)
            yield self._say("text.ask", moves=moves)


def play(episode: TextEpisode, models: Model | Mapping[int, Model]) -> TextEpisode:
    """Play an episode to its end, with one model for all of its seats, or one for each. Returns
    it."""
    while (seat := episode.seat) is not None:
        model = models[seat] if isinstance(models, Mapping) else models
        episode.answer(model(episode.messages(seat)))
    return episode


async def play_async(
    episode: TextEpisode, models: AsyncModel | Mapping[int, AsyncModel]
) -> TextEpisode:
    """Like :func:`play`, with asynchronous models."""
    while (seat := episode.seat) is not None:
        model = models[seat] if isinstance(models, Mapping) else models
        episode.answer(await model(episode.messages(seat)))
    return episode
