"""The game as lines of text, for pipes and screen readers: no escape codes, and every prompt says
what is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TextIO

from rage.bots.advice_text import advice_lines
from rage.bots.titles import bot_title
from rage.game.plain_text import Lines, News, rule_lines
from rage.game.scene import Scene, moves_of, why_not
from rage.notation.typed import colour, colours, command_names, read_command, record_code
from rage.rules.values import MOVE_OF, Card, Move
from rage.say import (
    NotAllowed,
    NotReadable,
    Reason,
    card_name,
    catalogue,
    fill,
    join,
    sentence,
    text,
    visible,
    with_colon,
)
from rage.tui.guide import Guide, SavedProgress
from rage.tui.session import Session

#: The commands that every prompt accepts; the catalogue has their names in each language.
COMMANDS: Final = (
    "hand", "trick", "last", "bids", "scores", "trump", "log", "why", "undo", "advice", "hints",
    "rules", "help", "quit",
)  # fmt: skip


class Plain:
    """One game over an input and an output, from its current state. ``width``: the longest line, if
    limited."""

    def __init__(
        self,
        session: Session,
        language: str,
        source: TextIO,
        sink: TextIO,
        command: str = "rage",
        guide: Guide | None = None,
        width: int | None = None,
    ) -> None:
        self._session = session
        self._language = language
        codes = {each: f"plain.command.{each}" for each in COMMANDS}
        self._names = command_names(codes, language)
        self._source = source
        self._sink = sink
        self._width = width
        self._invocation = command
        self._guide = guide or Guide(None, SavedProgress(), on=False)
        self._news = News(session.view().rounds[-1].number)
        self._left = False
        self._warned = False
        self._commands: Mapping[str, Callable[[str], None]] = {
            "hand": lambda _: self._print(self._lines().hand()),
            "trick": lambda _: self._print(self._lines().trick()),
            "last": lambda _: self._print(self._lines().last()),
            "bids": lambda _: self._print(self._lines().bids()),
            "scores": lambda _: self._print(self._lines().scores()),
            "trump": lambda _: self._print(self._lines().trump()),
            "log": lambda _: self._print(self._lines().log()),
            "why": self._why,
            "undo": lambda _: self._undo(),
            "advice": lambda _: self._advice(),
            "hints": lambda _: self._hints(),
            "rules": lambda _: self._rules(),
            "help": lambda _: self._help(),
            "quit": lambda _: self._leave(),
        }

    def run(self) -> int:
        """Play to the end of the game or of the input. Returns the exit status."""
        try:
            self._play()
        except KeyboardInterrupt:
            self._line()
            self._end()
            return 130
        return self._end()

    def _end(self) -> int:
        """Say where the game is saved, or why it is not. Returns the exit status."""
        session = self._session
        if session.problem is not None:
            self._line(self._sentence(session.problem))
            return 1
        self._line(self._sentence(session.where_kept(self._invocation)))
        return 0

    def _play(self) -> None:
        self._say("plain.welcome")
        self._print(self._lines().team())
        self._bots()
        self._say("plain.codes", colours=colours(self._language))
        self._print_new_events()
        while not self._session.over and not self._left:
            if self._session.my_turn:
                self._ask()
            else:
                self._session.play(self._session.bot_move())
            if not self._left:
                self._print_new_events()
        if self._session.over:
            self._print(self._lines().end())

    # Output.

    def _line(self, words: str = "") -> None:
        if self._width is not None:
            words = fill(words, self._width)
        print(words, file=self._sink, flush=True)

    def _say(self, code: str, /, **params: object) -> None:
        self._line(text(code, self._language, self._session.rules.edition, **params))

    def _sentence(self, reason: Reason) -> str:
        session = self._session
        edition, names = session.rules.edition, session.names
        return sentence(reason, self._language, edition=edition, names=names, you=session.seat)

    def _lines(self) -> Lines:
        return Lines(self._session.view(), self._language)

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._line(line)

    def _print_new_events(self) -> None:
        """Print all news since the last call, in order."""
        self._print(self._news.lines(self._lines()))
        problem = self._session.problem
        if problem is not None and not self._warned:
            self._line(self._sentence(problem))
        self._warned = problem is not None

    def _bots(self) -> None:
        """Say who the bots are."""
        session = self._session
        bots = [
            f"{visible(name)} ({bot_title(bot, self._language)})"
            for name, bot in zip(session.names, session.bots, strict=True)
            if bot is not None
        ]
        self._say("plain.bots", bots=join(bots, self._language))

    def _rules(self) -> None:
        """Print the rules in force, and the commitment to the seed of the deals."""
        session = self._session
        self._print(rule_lines(session.rules, len(session.names), self._language))
        self._line()
        self._say("play.commitment", hash=session.commitment)

    def _help(self) -> None:
        texts = catalogue(self._language)
        self._say("plain.help.moves", colours=colours(self._language))
        for command, (name, *_) in self._names.items():
            usage = name + (" R4" if command == "why" else "")
            self._line(f"{with_colon(usage, self._language)} {texts[f'plain.help.{command}']}")

    def _why(self, what: str) -> None:
        """Say whether a card or bid is allowed now, and if not, why."""
        view = self._session.view()
        try:
            code = record_code(what, self._language)
        except NotReadable as error:
            self._line(self._sentence(error.reason))
            return
        card = next((each for each in view.hand if str(each) == code), None)
        if code not in MOVE_OF and card is None:
            self._say("plain.why_unknown" if what else "plain.why_what", word=what)
            return
        if card is not None:
            reason = why_not(view, card)
        else:
            reason = view.why_not(code)
        self._line(
            text("plain.allowed", self._language) if reason is None else self._sentence(reason)
        )

    def _undo(self) -> None:
        """Undo the last decision, or say why that is no longer possible."""
        try:
            self._session.undo()
        except NotAllowed as error:
            self._line(self._sentence(error.reason))
        else:
            self._say("tui.undone")

    def _advice(self) -> None:
        """Say which moves are possible now, and the expected points of each."""
        try:
            found = self._session.advice()
        except NotAllowed as error:
            self._line(self._sentence(error.reason))
            return
        for line in advice_lines(found, self._language, self._session.rules.edition):
            self._line(line)

    def _hint(self) -> None:
        """Print the coach's hint, if there is one."""
        hint = self._guide.hint(self._session.view())
        if hint is not None:
            self._line(self._sentence(Reason("plain.hint", {"hint": hint.reason})))

    def _hints(self) -> None:
        """Switch the coach off for good, or on again."""
        self._guide.switch()
        self._say("plain.hints.on" if self._guide.on else "plain.hints.off")
        self._hint()

    def _leave(self) -> None:
        self._left = True

    # Input.

    def _read(self) -> str | None:
        """The next line of input without surrounding spaces; ``None`` at the end."""
        line = self._source.readline()
        if not line:
            self._left = True
            return None
        return line.strip()

    def _ask(self) -> None:
        """Ask until a move is made or undone, or the person leaves. The only possible card plays
        itself, unless there is a hint to read."""
        lines = self._lines()
        ply = self._session.ply
        hint = self._guide.hint(self._session.view())
        only = self._session.only_card() if hint is None else None
        if only is not None:
            self._line(self._sentence(only.says))
            self._session.play(only.move)
            return
        self._print(lines.hand())
        self._hint()
        while not self._left and self._session.ply == ply:
            self._prompt(lines.scene)
            line = self._read()
            if line is None or self._command(line):
                continue
            if not line:
                self._expected(lines)
                continue
            move = self._move(line, lines.scene)
            if move is None:
                continue
            try:
                self._session.play(move)
                return
            except NotAllowed as error:
                self._line(self._sentence(error.reason))

    def _prompt(self, scene: Scene) -> None:
        if scene.bidding:
            self._say("plain.ask_bid", most=scene.round.hand_size)
        else:
            self._say("plain.ask_card")

    def _expected(self, lines: Lines) -> None:
        """Say what was expected instead of an empty line."""
        if lines.scene.bidding:
            self._say("plain.expected_bid", most=lines.scene.round.hand_size)
        else:
            self._say("plain.expected_card", cards=", ".join(lines.playable()))

    def _command(self, line: str) -> bool:
        """Run a command, which may be abbreviated. Returns ``False`` if the line is not a
        command."""
        found = read_command(line, self._names) or self._abbreviated(line)
        if found is None:
            return False
        command, rest = found
        self._commands[command](rest)
        return True

    def _abbreviated(self, line: str) -> tuple[str, str] | None:
        """The only command with the line's first word as a prefix, and the rest of the line."""
        if (short := {"q": "quit", "?": "help", "exit": "quit"}.get(line.lower())) is not None:
            return short, ""
        try:
            if record_code(line, self._language) in MOVE_OF:
                return None  # "CO" in Spanish: a Change to orange, not the beginning of "consejo"
        except NotReadable:
            pass
        first, _, rest = line.partition(" ")
        begun = [
            command
            for command, names in self._names.items()
            if any(name.startswith(first.lower()) for name in names)
        ]
        if len(first) < 2 or len(begun) != 1:
            return None
        # A person who types "hint" wants one, not to switch hints off.
        return "advice" if begun == ["hints"] else begun[0], rest.strip()

    def _move(self, line: str, scene: Scene) -> Move | None:
        """The move that a line stands for, after asking for a colour if needed; ``None``, after
        saying why, if there is none."""
        try:
            code = record_code(line, self._language)
            if code in ("W", "C") and not scene.bidding:
                card = Card(code)
                moves = moves_of(scene.view, card) if card in scene.hand else []
                if len(moves) > 1:
                    return self._colour(code, moves)
            if code not in MOVE_OF:
                raise NotReadable("move.no_code", card=line)
            return Move(code)
        except NotReadable as error:
            self._line(self._sentence(error.reason))
            self._say("plain.try_help")
            return None

    def _colour(self, code: str, moves: list[Move]) -> Move | None:
        """Ask which colour a Wild or a Change names; ``None`` without an answer. Raises
        :class:`rage.NotReadable`."""
        card = card_name(code, self._language, self._session.rules.edition)
        self._say("plain.ask_colour", card=card, colours=colours(self._language))
        line = self._read()
        if not line:
            return None
        named = colour(line, self._language)
        return next(
            (each for each in moves if each.colour is named),
            Move(f"{code}{named}"),
        )
