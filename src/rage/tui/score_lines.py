"""Line-by-line input and output of a score sheet, and the sheet itself."""

from __future__ import annotations

import getpass
import re
import shutil
from collections.abc import Callable
from typing import Final, TextIO

from rage.notation.typed import split_list
from rage.say import NotAllowed, NotReadable, Reason, fill, seat_name, sentence, text
from rage.score.bidding import as_seen
from rage.score.sheet import Sheet, SheetRound
from rage.tui.kept_sheets import KeptSheet
from rage.tui.score_table import table

_NUMBER: Final = re.compile(r"-?[0-9]{1,4}")


class SheetLines:
    """A sheet over an input and an output, in a language; ``left`` once there is nothing more to
    ask."""

    def __init__(self, kept: KeptSheet, language: str, source: TextIO, sink: TextIO) -> None:
        self.kept = kept
        self.language = language
        self.left = False
        self._source = source
        self._sink = sink

    @property
    def sheet(self) -> Sheet:
        """The sheet as it stands."""
        return self.kept.sheet

    def table(self) -> None:
        """Print the sheet, without bids that are hidden."""
        for line in table(as_seen(self.sheet), self.language, self._width()):
            self._print(line)
        self.line()

    def head(self) -> None:
        """Say what round it is, and who deals."""
        current = self.sheet.under_way
        assert current is not None
        number = len(self.sheet.rounds)
        player = seat_name(current.dealer, self.language, self.sheet.players)
        self.say("scorer.round", round=number, hand=current.hand_size, player=player)

    def line(self, words: str = "") -> None:
        """Print a line; in a terminal, in as many as it has room for."""
        self._print(self._fitted(words))

    def text(self, code: str, /, **params: object) -> str:
        """A sentence of the catalogue, with the card names of the edition."""
        return text(code, self.language, self.sheet.rules.edition, **params)

    def say(self, code: str, /, **params: object) -> None:
        """Print one."""
        self.line(self.text(code, **params))

    def sentence(self, reason: Reason) -> str:
        """A reason as a sentence, with the players' names."""
        sheet = self.sheet
        return sentence(reason, self.language, edition=sheet.rules.edition, names=sheet.players)

    def name(self, current: SheetRound, place: int) -> str:
        """The name of the player at a place of a round."""
        return seat_name(current.seats[place], self.language, self.sheet.players)

    def leave(self) -> None:
        """Stop asking."""
        self.left = True

    def read(self, prompt: str, *, unseen: bool = False) -> str | None:
        """The next line of the input without blanks around it; ``None`` at its end. ``unseen``: a
        terminal does not show what is typed."""
        if unseen and _is_terminal(self._source):
            return self._read_unseen(prompt)
        self._print(self._fitted(prompt), end=" ")
        line = self._source.readline()
        if not line or not _is_terminal(self._source):
            self.line()
        if not line:
            self.leave()
            return None
        return line.strip()

    def _read_unseen(self, prompt: str) -> str | None:
        try:
            return getpass.getpass(f"{self._fitted(prompt)} ", self._sink).strip()
        except EOFError:
            self.line()
            self.leave()
            return None

    def change(self, sheet: Sheet) -> None:
        """Take a new sheet, and save it."""
        self.kept.change(sheet)
        self.warn()

    def warn(self) -> None:
        """Say that the file could not be written."""
        if self.kept.problem is not None:
            self.line(self.sentence(self.kept.problem))

    def attempt(self, make: Callable[[Sheet], Sheet]) -> bool:
        """Change the sheet, or say why that is not possible."""
        try:
            made = make(self.sheet)
        except (NotAllowed, NotReadable) as error:
            self.line(self.sentence(error.reason))
            return False
        self.change(made)
        return True

    def counts(self, current: SheetRound, line: str) -> list[int]:
        """How many each seat has of what a list of names counts. Raises
        :class:`rage.NotReadable`."""
        counts = [0] * len(current.seats)
        for word in self._words(line, current.seats):
            counts[current.seats.index(self.player(word, current.seats))] += 1
        return counts

    def are_names(self, line: str, among: tuple[int, ...]) -> bool:
        """Returns whether a line lists players by their whole names."""
        words = self._words(line, among)
        return bool(words) and all(self._called(word, among) is not None for word in words)

    def player(self, word: str, among: tuple[int, ...]) -> int:
        """The player of a name or its beginning. Raises :class:`rage.NotReadable`."""
        found = self._found(word, among)
        if found is None:
            said = ", ".join(seat_name(each, self.language, self.sheet.players) for each in among)
            raise NotReadable("scorer.no_player", given=word, names=said)
        return found

    def _fitted(self, words: str) -> str:
        return fill(words, self._width()) if _is_terminal(self._sink) else words

    def _width(self) -> int:
        return shutil.get_terminal_size((100, 24)).columns

    def _print(self, words: str, end: str = "\n") -> None:
        print(words, end=end, file=self._sink, flush=True)

    def _words(self, line: str, among: tuple[int, ...]) -> list[str]:
        """The names in a line: between commas, or else one or, between blanks, several."""
        if "," in line:
            words = split_list(line)
        else:
            words = line.split() if self._found(line, among) is None else [line]
        return [*filter(None, words)]

    def _found(self, word: str, among: tuple[int, ...]) -> int | None:
        """The player who is called that, or the only one whose name begins so."""
        players = self.sheet.players
        begun = [each for each in among if word and players[each].lower().startswith(word.lower())]
        whole = self._called(word, among)
        return begun[0] if whole is None and len(begun) == 1 else whole

    def _called(self, word: str, among: tuple[int, ...]) -> int | None:
        """The player with exactly this name, or the only one whose name differs in capitals
        alone."""
        players = self.sheet.players
        alike = [each for each in among if players[each].lower() == word.lower()]
        exact = [each for each in alike if players[each] == word]
        return exact[0] if exact else alike[0] if len(alike) == 1 else None


def read_number(word: str) -> int:
    """A typed whole number. Raises :class:`rage.NotReadable`."""
    if not _NUMBER.fullmatch(word):
        raise NotReadable("scorer.no_number", given=word)
    return int(word)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
