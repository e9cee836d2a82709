"""The guided first round as lines of text: the same scenes as in the page (:mod:`rage.learn`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO

from rage.learn import OTHERS, SCENES, as_reason, build_scenes, remark
from rage.rules.cards import CARD_CODES
from rage.say import NotReadable, Reason, card_name, fill, sentence, short_name, text
from rage.tui.typed import record_code


class Lessons:
    """All scenes by the rules of an edition, over an input and an output. No line is longer than
    ``width``, where there is one."""

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
        self._scenes = build_scenes(edition)["scenes"]

    def run(self) -> int:
        """Play the scenes one after the other, until the last or the learner leaves; return the
        exit status."""
        self._say(Reason("learn.about"))
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
        scene = self._scenes[name]
        self._say(remark(name, "intro"))
        self._tell(scene["tell"])
        moment = scene["moments"][0]
        self._show(moment)
        while "over" not in moment:
            choice = self._choose(moment)
            if choice is None:
                return None
            if "why" in choice:
                self._say(as_reason(choice["why"]))
                continue
            self._tell(choice["tell"])
            moment = scene["moments"][choice["next"]]
            self._show(moment)
        self._say(as_reason(moment["account"]))
        self._say(remark(name, "met" if moment["met"] else "missed"))
        met: bool = moment["met"]
        return met

    def _tell(self, steps: list[Mapping[str, Any]]) -> None:
        for step in steps:
            if "why" in step:
                self._say(as_reason(step["why"]))
            elif "bid" in step:
                self._say(Reason("event.bid", {"player": step["seat"], "n": step["bid"]}))
            else:
                self._say(Reason("event.play", {"player": step["seat"], "card": step["card"]}))

    def _show(self, moment: Mapping[str, Any]) -> None:
        """The hand, and what the coach says; nothing at the end."""
        if "over" in moment:
            return
        hand = ", ".join(self._typed(code) for code in moment["hand"].split())
        self._line(text("plain.hand", self._language, cards=hand))
        if moment["hint"] is not None:
            self._say(Reason("plain.hint", {"hint": as_reason(moment["hint"])}))

    def _choose(self, moment: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The result of what the learner types; ``None`` at the end of the input."""
        choices = moment["choices"]
        most = len(moment["hand"].split())
        prompt = Reason("learn.ask_bid" if moment["bidding"] else "learn.ask_card", {"most": most})
        while True:
            self._say(prompt)
            line = self._read()
            if line is None or line.lower() == "q":
                return None
            code = self._code(line)
            if code in choices:
                found: Mapping[str, Any] = choices[code]
                return found
            several = [each for each in choices if each[0] == code and len(each) > 1]
            which = "learn.ask_colour" if several else "learn.no_choice"
            names = ", ".join(self._typed(each) for each in several or choices)
            self._say(Reason(which, {"cards": names}))

    def _code(self, line: str) -> str:
        try:
            return record_code(line, self._language)
        except NotReadable as error:
            self._say(error.reason)
            return ""

    def _typed(self, code: str) -> str:
        """A card or move as it is typed, with its name where that says more."""
        shown = short_name(code, self._language)
        if code not in CARD_CODES:
            return shown
        name = card_name(code, self._language, self._edition)
        return shown if shown == name else f"{shown} ({name})"

    def _again(self, *, met: bool) -> bool | None:
        """Returns whether to play the scene again; ``None`` if the learner leaves."""
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
