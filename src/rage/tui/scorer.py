"""Keeps a score sheet line by line, for any terminal, for screen readers and for pipes."""

from __future__ import annotations

from typing import Any, TextIO

from rage.game.account import tell_side
from rage.game.history import bidding_order
from rage.game.rulebook import title_of
from rage.rules.cards import BONUS, CARD_CODES, MAD
from rage.say import NotAllowed, NotReadable, RageError, Reason, join
from rage.score.bidding import are_hidden
from rage.score.checking import forbidden_bid
from rage.score.entering import begin_round, enter
from rage.score.sheet import Sheet, SheetRound
from rage.score.standing import by_side, members
from rage.tui.kept_sheets import KeptSheet
from rage.tui.score_commands import SheetCommands
from rage.tui.score_lines import SheetLines, read_number
from rage.tui.score_table import standing


class Scorer:
    """One sheet over an input and an output, from where it stands to the end of the game or of
    the input. Each entry is in the file before the next is asked for."""

    def __init__(
        self, kept: KeptSheet, language: str, source: TextIO, sink: TextIO, command: str
    ) -> None:
        self._lines = SheetLines(kept, language, source, sink)
        self._commands = SheetCommands(self._lines)
        self._called = command

    def run(self) -> int:
        """Ask until the game or the input ends; return the exit status."""
        status = 0
        try:
            self._lines.say("scorer.welcome")
            self._lines.line(title_of(self._lines.sheet.rules, self._lines.language))
            if self._lines.sheet.rounds:
                self._lines.table()
            while not self._lines.left:
                self._step()
        except KeyboardInterrupt:
            self._lines.line()
            self._lines.kept.write()  # it may have come while the last entry was being written
            status = 130
        if self._lines.kept.problem is not None:
            self._lines.line(self._lines.sentence(self._lines.kept.problem))
            return 1
        code = "cli.sheet.written" if self._lines.sheet.over else "scorer.kept"
        self._lines.say(code, command=self._called, file=str(self._lines.kept.path))
        return status

    # What is asked.

    def _step(self) -> None:
        """Ask for what comes next."""
        sheet = self._lines.sheet
        current = sheet.under_way
        if sheet.over:
            self._ask_at_end()
        elif current is None:
            self._begin()
        elif not current.all_bid:
            self._ask_bid(current)
        else:
            self._ask_won(current)

    def _begin(self) -> None:
        """Begin the next round: with fewer cards than the schedule says if too many players have
        come for it."""
        sheet = self._lines.sheet
        try:
            begun = begin_round(sheet)
        except NotAllowed as error:
            if error.reason.code != "hand.refused":
                raise
            self._lines.line(self._lines.sentence(error.reason))
            begun = begin_round(sheet, hand_size=error.reason.params["allowed"])
        self._lines.change(begun)
        self._lines.head()

    def _ask_at_end(self) -> None:
        line = self._ask(self._lines.text("scorer.ask_end"))
        if line == "":
            self._lines.leave()
        elif line is not None:
            self._lines.say("plain.try_help")

    def _ask_bid(self, current: SheetRound) -> None:
        hidden = are_hidden(self._lines.sheet, current)
        if hidden:
            self._ask_hidden(current)
        else:
            self._ask_open(current)
        now = self._lines.sheet.under_way
        if now is None or not now.all_bid or current.all_bid or self._lines.left:
            return
        if not are_hidden(self._lines.sheet, now):
            if hidden:
                self._tell_bids(now)
            self._tell_total(now)

    def _ask_hidden(self, current: SheetRound) -> None:
        """Ask for a hidden bid: of the bids so far, only their number is shown."""
        missing = _missing(current, current.bids)
        said = {"of": len(current.bids), "n": len(current.bids) - len(missing)}
        player = self._lines.name(current, missing[0])
        asked = self._lines.text(
            "scorer.ask_hidden_bid", player=player, most=current.hand_size, **said
        )
        self._enter_numbers("bids", asked, unseen=True)

    def _tell_bids(self, current: SheetRound) -> None:
        """Show the bids once all have been made."""
        order = bidding_order(current.seats.index(current.dealer), len(current.seats))
        bids = [f"{self._lines.name(current, place)} {current.bids[place]}" for place in order]
        self._lines.say("scorer.bids_shown", bids=join(bids, self._lines.language))

    def _ask_open(self, current: SheetRound) -> None:
        place = _missing(current, current.bids)[0]
        total = sum(bid or 0 for bid in current.bids)
        forbidden = forbidden_bid(self._lines.sheet.rules, current, place)
        said = {
            "player": self._lines.name(current, place),
            "most": current.hand_size,
            "total": total,
        }
        code = "scorer.ask_bid" if forbidden is None else "scorer.ask_last_bid"
        self._enter_numbers("bids", self._lines.text(code, **said, forbidden=forbidden))

    def _tell_total(self, current: SheetRound) -> None:
        total = sum(bid or 0 for bid in current.bids)
        sign = (total > current.hand_size) - (total < current.hand_size)
        code = ("scorer.bids_even", "scorer.bids_over", "scorer.bids_under")[sign]
        self._lines.say(code, total=total, tricks=current.hand_size)

    def _ask_won(self, current: SheetRound) -> None:
        missing = _missing(current, current.won)
        left = current.hand_size - sum(won or 0 for won in current.won)
        # What the last one has won follows from the others; so it does for all where none is left.
        if len(missing) > 1 and left > 0:
            player = self._lines.name(current, missing[0])
            self._enter_numbers("won", self._lines.text("scorer.ask_won", player=player, left=left))
            return
        won = list(current.won)
        for place in missing:
            self._lines.say("scorer.last_won", player=self._lines.name(current, place), left=left)
            won[place] = left
        self._finish(current, won)

    def _enter_numbers(self, field: str, prompt: str, *, unseen: bool = False) -> None:
        """Ask for a number, and take the next players' numbers from the same line. The last
        player's tricks follow from the others; if the line has them too, they must match, or
        nothing of the line is entered."""
        sheet, steps, rest = self._lines.sheet, list[Sheet](), False
        refused: Reason | None = None
        for word in (self._ask(prompt, unseen=unseen) or "").replace(",", " ").split():
            current = sheet.under_way
            missing = [] if current is None else _missing(current, getattr(current, field))
            if current is None or rest or not missing:
                refused = Reason("scorer.too_many_numbers", {"word": word})
                break
            rest = field == "won" and len(missing) == 1
            values = list(getattr(current, field))
            try:
                values[missing[0]] = read_number(word)
                sheet = enter(sheet, **{field: values})
            except RageError as error:
                refused = error.reason
                if rest:
                    steps.clear()
                break
            if not rest:
                steps.append(sheet)
        for step in steps:
            self._lines.change(step)
        if refused is not None:
            self._lines.line(self._lines.sentence(refused))

    def _finish(self, current: SheetRound, won: list[int | None]) -> None:
        """Ask for the Bonus and Mad cards, and end the round."""
        entries: dict[str, Any] = {"won": won}
        pack = self._lines.sheet.rules.pack
        for field, card, most in (("bonus", BONUS, pack.bonus), ("mad", MAD, pack.mad)):
            if not most:
                continue
            asked = self._lines.text("scorer.ask_cards", card=CARD_CODES[card], most=most)
            line = self._ask(asked, current.seats)
            if line is None:
                return
            try:
                entries[field] = self._lines.counts(current, line)
            except NotReadable as error:
                self._lines.line(self._lines.sentence(error.reason))
                return
        if self._lines.attempt(lambda sheet: enter(sheet, **entries)):
            self._tell_round(len(self._lines.sheet.rounds) - 1)

    def _tell_round(self, index: int) -> None:
        """How the points of a round came about, and how things stand."""
        sheet = self._lines.sheet
        for side, account in by_side(sheet, sheet.rounds[index]).items():
            players = [p for p in members(sheet, side) if p in sheet.rounds[index].seats]
            self._lines.line(self._lines.sentence(tell_side(players, account)))
        if sheet.over:
            self._lines.table()
        else:
            for line in standing(sheet, self._lines.language):
                self._lines.line(line)
            self._lines.line()

    def _ask(self, prompt: str, among: tuple[int, ...] = (), *, unseen: bool = False) -> str | None:
        """A line that is not a command; ``None`` after a command, and at the end of the input. A
        player's name is never read as a command."""
        line = self._lines.read(prompt, unseen=unseen)
        if line is None or self._lines.are_names(line, among):
            return line
        return None if self._commands.carry_out(line) else line


def _missing(current: SheetRound, entries: tuple[int | None, ...]) -> list[int]:
    """The places where nothing has been entered, in the order of bidding."""
    order = bidding_order(current.seats.index(current.dealer), len(current.seats))
    return [place for place in order if entries[place] is None]
