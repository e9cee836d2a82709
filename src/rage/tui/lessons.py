"""The guided first round as lines of text: the same scenes as on the page (:mod:`rage.learn`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from rage.game.game import Game
from rage.game.rulings import example_move
from rage.game.story import tell_trump_change
from rage.learn import LEARNER, OTHERS, SCENES, Lesson, Step, remark
from rage.notation.typed import colours, record_code
from rage.rules.cards import CARD_CODES
from rage.rules.values import Card, Move
from rage.say import NotReadable, Reason, card_name, fill, sentence, short_name, text


class Lessons:
    """All scenes by the rules of an edition, over an input and an output. ``width``: the longest
    line, if limited."""

    def __init__(
        self,
        edition: str,
        language: str,
        source: TextIO,
        sink: TextIO,
        width: int | None = None,
    ) -> None:
        self._edition = edition
        self._language = language
        self._source = source
        self._sink = sink
        self._width = width
        learner = text("learn.you", language, name=text("learn.learner", language))
        self._names = (learner, *OTHERS)

    def run(self) -> int:
        """Play the scenes in turn, until all are done or the learner leaves. Returns the exit
        status."""
        self._say(Reason("learn.about"))
        self._say(Reason("plain.codes", {"colours": colours(self._language)}))
        for number, name in enumerate(SCENES, 1):
            title = {"n": number, "of": len(SCENES), "name": remark(name, "name")}
            self._line()
            self._say(Reason("learn.scene", title))
            again = True
            while again:
                met = self._play(name)
                if met is None or (found := self._again(met=met)) is None:
                    return 0
                again = found
        self._say(Reason("learn.done"))
        return 0

    def _play(self, name: str) -> bool | None:
        """Play one scene. Returns whether the bid was met; ``None`` if the learner leaves."""
        lesson = Lesson(name, self._edition)
        self._say(remark(name, "intro"))
        self._say(tell_trump_change(lesson.game.rounds[-1].trump_changes[0]))
        self._tell(lesson.begin())
        while not lesson.game.over:
            self._show(lesson)
            move = self._choose(lesson.game)
            if move is None:
                return None
            self._tell(lesson.play(move))
        self._say(lesson.account)
        self._say(remark(name, "met" if lesson.met else "missed"))
        return lesson.met

    def _tell(self, steps: list[Step]) -> None:
        for step in steps:
            self._say(step.comment)

    def _show(self, lesson: Lesson) -> None:
        """Print the hand, and any hint of the coach."""
        hand = lesson.game.view(LEARNER).hand
        self._line(text("plain.hand", self._language, cards=self._listed(map(str, hand))))
        if (found := lesson.hint) is not None:
            self._say(Reason("plain.hint", {"hint": found.reason}))

    def _choose(self, game: Game) -> Move | None:
        """Ask for the learner's move; ``None`` if they leave or the input ends."""
        legal = {str(move): move for move in game.legal_moves}
        held = [str(card) for card in game.view(LEARNER).hand]
        prompt = Reason("learn.ask_bid" if game.bidding else "learn.ask_card", {"most": len(held)})
        while True:
            self._say(prompt)
            line = self._read()
            if line is None or line.lower() == "q":
                return None
            code = self._code(line)
            if code in legal:
                return legal[code]
            several = [each for each in legal if each[0] == code and len(each) > 1]
            if not several and not game.bidding and code in held:
                why = game.why_not(example_move(Card(code), game.rules, game.trump))
                assert why is not None
                self._say(why)
                continue
            which = "learn.ask_colour" if several else "learn.no_choice"
            playable = {each[0] if each[0] in "WC" else each for each in legal}
            choices = several or [*legal, *(card for card in held if card not in playable)]
            self._say(Reason(which, {"cards": self._listed(choices)}))

    def _listed(self, codes: Iterable[str]) -> str:
        return ", ".join(map(self._typed, codes))

    def _code(self, line: str) -> str:
        try:
            return record_code(line, self._language)
        except NotReadable as error:
            self._say(error.reason)
            return ""

    def _typed(self, code: str) -> str:
        """A card or move as people type it, with its name if that says more."""
        shown = short_name(code, self._language)
        if code not in CARD_CODES:
            return shown
        name = card_name(code, self._language, self._edition)
        return shown if shown == name else f"{shown} ({name})"

    def _again(self, *, met: bool) -> bool | None:
        """Ask whether to play the scene again; ``None`` if the learner leaves."""
        self._say(Reason("learn.ask_next" if met else "learn.ask_again"))
        line = self._read()
        if line is None or line.lower() == "q":
            return None
        return line.lower() == "a" if met else line.lower() != "n"

    def _read(self) -> str | None:
        line = self._source.readline()
        return line.strip() if line else None

    def _say(self, reason: Reason) -> None:
        self._line(sentence(reason, self._language, edition=self._edition, names=self._names))

    def _line(self, words: str = "") -> None:
        if self._width is not None:
            words = fill(words, self._width)
        print(words, file=self._sink, flush=True)
