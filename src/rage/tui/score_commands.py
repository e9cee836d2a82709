"""The commands for a score sheet besides entering the next number, each a word to type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from rage.files import expand, write_file
from rage.game.history import bidding_order
from rage.game.rulebook import chapters, title
from rage.notation.typed import command_names, read_command, split_list
from rage.rules.cards import BONUS, CARD_CODES, MAD
from rage.rules.editions import ruleset
from rage.say import NotReadable, Reason, text
from rage.score.bidding import as_seen
from rage.score.entering import (
    add_player,
    begin_round,
    correct,
    drop_round,
    go_on,
    is_empty,
    rename,
    stop,
    with_rules,
)
from rage.score.file import ENDING
from rage.score.link import write_link
from rage.score.sheet import Sheet, SheetRound
from rage.score.spreadsheet import write_csv
from rage.tui.score_lines import SheetLines, read_number

#: The commands that every prompt takes; the catalogue has their names in each language.
COMMANDS: Final = (
    "sheet", "undo", "correct", "seats", "dealer", "cards", "rename", "rules", "stop", "csv",
    "link", "help", "quit",
)  # fmt: skip


class SheetCommands:
    """The commands over the lines of a sheet."""

    def __init__(self, lines: SheetLines) -> None:
        self._lines = lines
        self._corrected = lines.sheet  # of which a round is being corrected
        codes = {each: f"scorer.command.{each}" for each in COMMANDS}
        self._names = command_names(codes, lines.language)
        self._commands: Mapping[str, Callable[[str], None]] = {
            "sheet": lambda _: lines.table(),
            "undo": lambda _: self._undo(),
            "correct": self._correct,
            "seats": self._seats,
            "dealer": self._dealer,
            "cards": self._cards_each,
            "rename": self._rename,
            "rules": self._rules,
            "stop": lambda _: self._stop(),
            "csv": self._csv,
            "link": lambda _: lines.line(write_link(as_seen(lines.sheet))),
            "help": lambda _: self._help(),
            "quit": lambda _: lines.leave(),
        }

    def carry_out(self, line: str) -> bool:
        """Run a command. Returns ``False`` if the line is not one."""
        found = read_command(line, self._names)
        if found is None:
            return False
        command, rest = found
        self._commands[command](rest)
        return True

    def _undo(self) -> None:
        """Undo the last change."""
        before = self._lines.sheet
        if not self._lines.kept.undo():
            self._lines.say("scorer.nothing_to_undo")
            return
        undone = True
        if before.under_way is not None and self._lines.sheet.under_way is None:
            undone = self._lines.kept.undo()  # that a round began was no entry
        self._lines.say("scorer.undone" if undone else "scorer.nothing_to_undo")
        self._lines.warn()
        if self._lines.sheet.under_way is not None:
            self._lines.head()

    def _correct(self, words: str) -> None:
        """Ask again for all entries of a finished round; Enter keeps the present one."""
        sheet = self._lines.sheet
        last = len(sheet.finished)
        if not last:
            self._lines.say("scorer.none_over")
            return
        numbers = {str(number): number for number in range(1, last + 1)}
        index = numbers.get(words or str(last), 0) - 1
        if index < 0:
            self._lines.say("scorer.no_such_round", given=words, last=last)
            return
        current = sheet.rounds[index]
        self._corrected = sheet
        entries: dict[str, Any] = {}
        for field in ("bids", "won"):
            entries[field] = self._until_read(partial(self._ask_all, current, field))
        for field, card, most in self._piles():
            if most:
                entries[field] = self._until_read(partial(self._ask_pile, current, field, card))
        if self._lines.left or self._lines.sheet is not sheet:  # nothing is corrected
            return
        if self._lines.attempt(lambda sheet: correct(sheet, index, **entries)):
            self._lines.table()

    def _until_read(self, ask: Callable[[], list[Any]]) -> list[Any]:
        """Ask until the answer can be read: what is typed next is meant for the same question."""
        while True:
            try:
                return ask()
            except NotReadable as error:
                self._lines.line(self._lines.sentence(error.reason))

    def _read(self, prompt: str, among: tuple[int, ...] = ()) -> str | None:
        """A line of a correction. A command is carried out, and the question comes again; after
        one that ends the correction, or changes the sheet, nothing more is asked."""
        while not self._lines.left and self._lines.sheet is self._corrected:
            line = self._lines.read(prompt)
            if line is None or self._lines.are_names(line, among) or not self.carry_out(line):
                return line
        return None

    def _piles(self) -> tuple[tuple[str, int, int], ...]:
        pack = self._lines.sheet.rules.pack
        return ("bonus", BONUS, pack.bonus), ("mad", MAD, pack.mad)

    def _ask_all(self, current: SheetRound, field: str) -> list[int | None]:
        """The numbers of all seats in one line. Raises :class:`rage.NotReadable`."""
        order = bidding_order(current.seats.index(current.dealer), len(current.seats))
        kept = getattr(current, field)
        names = ", ".join(self._lines.name(current, place) for place in order)
        usual = " ".join(str(kept[place]) for place in order)
        line = self._read(
            text(f"scorer.correct_{field}", self._lines.language, names=names, usual=usual)
        )
        words = (line or "").replace(",", " ").split() or usual.split()
        if len(words) != len(order):
            raise NotReadable("scorer.count", given=len(words), due=len(order))
        values: list[int | None] = [None] * len(order)
        for place, word in zip(order, words, strict=True):
            values[place] = read_number(word)
        return values

    def _ask_pile(self, current: SheetRound, field: str, card: int) -> list[int]:
        kept = getattr(current, field)
        names = [
            self._lines.name(current, place)
            for place, count in enumerate(kept)
            for _ in range(count)
        ]
        usual = ", ".join(names) or "-"
        asked = self._lines.text("scorer.correct_cards", card=CARD_CODES[card], usual=usual)
        line = self._read(asked, current.seats)
        if not line:
            return list(kept)
        return self._lines.counts(current, "" if line == "-" else line)

    def _seats(self, words: str) -> None:
        """Set who plays the round that has just begun, clockwise; new names are added to the
        sheet."""
        names = [name for name in split_list(words) if name]

        def seated(sheet: Sheet) -> Sheet:
            current, seats = sheet.rounds[-1], []
            sheet = drop_round(sheet)
            for name in names:
                if name not in sheet.players:
                    sheet = add_player(sheet, name)
                seats.append(sheet.players.index(name))
            dealer = current.dealer if current.dealer in seats else None
            return begin_round(sheet, seats=seats, dealer=dealer, hand_size=current.hand_size)

        before = self._lines.sheet
        self._reshape(seated, lacks="scorer.seats_how" if not names else None)
        self._tell_seats(before)

    def _tell_seats(self, before: Sheet) -> None:
        """Say who has come and who has left, because a name may be misspelt."""
        now = self._lines.sheet
        come = [*range(len(before.players), len(now.players))]
        left = [player for player in before.seats if player not in now.seats]
        for code, players in (("scorer.seats_new", come), ("scorer.seats_left", left)):
            if players:
                self._lines.line(self._lines.sentence(Reason(code, {"players": players})))

    def _dealer(self, words: str) -> None:
        """Set who deals the round that has just begun."""
        self._reshape(
            lambda sheet: correct(
                sheet, len(sheet.rounds) - 1, dealer=self._lines.player(words, sheet.seats)
            ),
            lacks=None if words else "scorer.dealer_how",
        )

    def _cards_each(self, words: str) -> None:
        """Set how many cards each player is dealt in the round that has just begun."""
        self._reshape(
            lambda sheet: correct(sheet, len(sheet.rounds) - 1, hand_size=read_number(words)),
            lacks=None if words else "scorer.cards_how",
        )

    def _reshape(self, make: Callable[[Sheet], Sheet], lacks: str | None = None) -> None:
        """Change the round that has just begun."""
        current = self._lines.sheet.under_way
        if current is None or not is_empty(current):
            self._lines.say("scorer.round_has_begun")
        elif lacks is not None:
            self._lines.say(lacks)
        elif self._lines.attempt(make):
            self._lines.head()

    def _rename(self, words: str) -> None:
        """Give a player another name: ``rename Ann = Anna``."""
        old, _, new = (each.strip() for each in words.partition("="))
        if not (old and new):
            self._lines.say("scorer.rename_how")
            return
        everybody = tuple(range(len(self._lines.sheet.players)))
        self._lines.attempt(lambda sheet: rename(sheet, self._lines.player(old, everybody), new))

    def _rules(self, words: str) -> None:
        """Print the rules, or change them and recompute all points."""
        if words:
            self._lines.attempt(lambda sheet: with_rules(sheet, ruleset(words)))
        rules = self._lines.sheet.rules
        self._lines.line(self._lines.sentence(title(rules, self._lines.language)))
        for line in next(each for each in chapters(rules) if each.code == "rules.score").lines:
            self._lines.line(f"- {self._lines.sentence(line)}")

    def _stop(self) -> None:
        """End the game here, or go on with one that was stopped."""
        if self._lines.sheet.stopped:
            self._lines.attempt(go_on)
        elif self._lines.attempt(stop):
            self._lines.table()

    def _csv(self, words: str) -> None:
        """Write the table for a spreadsheet."""
        name = words or self._lines.kept.path.name.removesuffix(ENDING)
        path = Path(name if name.lower().endswith(".csv") else f"{name}.csv")
        try:
            path = Path(expand(str(path)))
        except NotReadable as error:
            self._lines.line(self._lines.sentence(error.reason))
            return
        try:
            table = write_csv(self._lines.sheet, self._lines.language)
            write_file(path, table, 0o666)
        except (OSError, ValueError) as error:
            message = getattr(error, "strerror", None) or str(error)
            self._lines.say("cli.no_out", file=str(path), message=message)
        else:
            self._lines.say("cli.sheet.written", file=str(path))

    def _help(self) -> None:
        self._lines.say("scorer.help.entries")
        for command, (name, *_) in self._names.items():
            self._lines.line(f"{name}: {text(f'scorer.help.{command}', self._lines.language)}")
