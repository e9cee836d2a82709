"""The game as lines of text on two streams, for pipes and screen readers: no escape codes, and
every prompt says what is expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TextIO

from rage.bots.titles import bot_title
from rage.game.account import tell_accounts
from rage.game.rulebook import chapters, title
from rage.game.rulings import ruling
from rage.game.scene import Scene, moves_of, why_not
from rage.game.story import tell_end, tell_play, tell_round, tell_trump_change
from rage.notation.typed import colour, colours, command_names, read_command, record_code
from rage.rules.values import MOVE_OF, Card, Hand, Move, letter_of
from rage.say import (
    NotAllowed,
    NotReadable,
    Reason,
    card_name,
    catalogue,
    colour_name,
    join,
    seat_name,
    sentence,
    short_name,
    text,
    visible,
)
from rage.tui.advised import advice_lines
from rage.tui.guide import Guide, SavedProgress
from rage.tui.session import Session

#: The commands that every prompt takes; the catalogue has their names in each language.
COMMANDS: Final = (
    "hand", "trick", "last", "bids", "scores", "trump", "log", "why", "undo", "advice", "hints",
    "rules", "help", "quit",
)  # fmt: skip


class Plain:
    """One game over an input and an output, resumed where it stands."""

    def __init__(
        self,
        session: Session,
        language: str,
        source: TextIO,
        sink: TextIO,
        command: str = "rage",
        guide: Guide | None = None,
    ) -> None:
        self._session = session
        self._language = language
        codes = {each: f"plain.command.{each}" for each in COMMANDS}
        self._names = command_names(codes, language)
        self._source = source
        self._sink = sink
        self._called = command
        self._guide = guide or Guide(None, SavedProgress(), on=False)
        self._printed: Counter[str] = Counter()
        self._round = session.view().rounds[-1].number
        self._left = False
        self._warned = False
        self._commands: Mapping[str, Callable[[str], None]] = {
            "hand": lambda _: self._hand(),
            "trick": lambda _: self._trick(),
            "last": lambda _: self._last(),
            "bids": lambda _: self._bids(),
            "scores": lambda _: self._scores(),
            "trump": lambda _: self._trump(),
            "log": lambda _: self._log(),
            "why": self._why,
            "undo": lambda _: self._undo(),
            "advice": lambda _: self._advice(),
            "hints": lambda _: self._hints(),
            "rules": lambda _: self._rules(),
            "help": lambda _: self._help(),
            "quit": lambda _: self._leave(),
        }

    def run(self) -> int:
        """Play to the end of the game or of the input; returns the exit status."""
        try:
            self._play()
        except KeyboardInterrupt:
            self._line()
            self._end()
            return 130
        return self._end()

    def _end(self) -> int:
        """Say where the game is saved, or why it could not be; returns the exit status."""
        session = self._session
        if session.problem is not None:
            self._line(self._sentence(session.problem))
            return 1
        self._line(self._sentence(session.where_kept(self._called)))
        return 0

    def _play(self) -> None:
        self._say("plain.welcome")
        self._say("play.commitment", hash=self._session.commitment)
        self._team()
        self._bots()
        self._print_new_events()
        while not self._session.over and not self._left:
            if self._session.my_turn:
                self._ask()
            else:
                self._session.play(self._session.bot_move())
            if not self._left:
                self._print_new_events()
        if self._session.over:
            for place in self._scene().ranking():
                self._line(self._sentence(place))
            view = self._session.view()
            assert view.winners is not None
            self._line(self._sentence(tell_end(view.scores, view.winners, view.players)))

    # Output.

    def _line(self, words: str = "") -> None:
        print(words, file=self._sink, flush=True)

    def _say(self, code: str, /, **params: object) -> None:
        self._line(text(code, self._language, self._session.rules.edition, **params))

    def _sentence(self, reason: Reason) -> str:
        session = self._session
        edition, names = session.rules.edition, session.names
        return sentence(reason, self._language, edition=edition, names=names, you=session.seat)

    def _scene(self) -> Scene:
        return Scene(self._session.view())

    def _print_new_events(self) -> None:
        """Print what has happened since the last call, in order."""
        view = self._session.view()
        for current in view.rounds:
            if current.number < self._round:
                continue
            if current.number > self._round:
                self._printed.clear()
                self._round = current.number
                self._line()
            now: Counter[str] = Counter()
            fresh = []
            told = [each for each in tell_round(current, view.rules)
                    if not each.code.startswith("event.points")]  # fmt: skip
            if current.points is not None:
                told += tell_accounts(current, view.position.rules)
            for reason in told:
                words = self._sentence(reason)
                now[words] += 1
                if now[words] > self._printed[words]:
                    fresh.append(words)
            for words in fresh:
                self._line(words)
            self._printed = now
        problem = self._session.problem
        if problem is not None and not self._warned:
            self._line(self._sentence(problem))
        self._warned = problem is not None

    def _card(self, card: Card) -> str:
        """A card as it is typed, followed by its name where that is different."""
        code = str(card)
        name = card_name(code, self._language, self._session.rules.edition)
        shown = short_name(code, self._language)
        return shown if shown == name else f"{shown} ({name})"

    def _hand(self) -> None:
        scene = self._scene()
        cards = ", ".join(self._card(card) for card in scene.hand)
        self._say("plain.hand", cards=cards or text("plain.none", self._language))
        if scene.my_turn and not scene.bidding:
            if self._playable(scene) == scene.hand:
                self._say("plain.playable_all")
            else:
                cards = join(self._playable_names(scene), self._language, "list.or")
                self._say("plain.playable", cards=cards)

    @staticmethod
    def _playable(scene: Scene) -> Hand:
        return Hand(card for card in scene.hand if moves_of(scene.view, card))

    def _playable_names(self, scene: Scene) -> list[str]:
        """The cards that may be played, as they are typed."""
        return [self._card(card) for card in self._playable(scene)]

    def _trick(self) -> None:
        scene = self._scene()
        if scene.trick is None:
            self._say("plain.no_trick_yet")
            return
        for at in range(len(scene.trick.moves)):
            self._line(self._sentence(tell_play(scene.trick, at, scene.view.players)))

    def _last(self) -> None:
        scene = self._scene()
        last = scene.last_trick()
        if last is None:
            self._say("tui.no_trick")
            return
        current, index = last
        for at in range(scene.view.players):
            self._line(self._sentence(tell_play(current.tricks[index], at, scene.view.players)))
        self._line(self._sentence(ruling(current, index, scene.view.rules.second_wild)))

    def _team(self) -> None:
        """Name the person's partners, where there are teams."""
        partners = self._scene().partners
        if partners:
            self._line(self._sentence(Reason("plain.team", {"players": partners})))

    def _bots(self) -> None:
        """Say who the bots are."""
        session = self._session
        bots = [
            f"{visible(name)} ({bot_title(bot, self._language)})"
            for name, bot in zip(session.names, session.bots, strict=True)
            if bot is not None
        ]
        self._say("plain.bots", bots=join(bots, self._language))

    def _bids(self) -> None:
        self._team()
        scene = self._scene()
        for seat, bid in enumerate(scene.bids):
            name = seat_name(seat, self._language, scene.view.names)
            if not scene.has_bid(seat):
                self._say("plain.no_bid", player=name)
            elif bid is None:
                self._say("plain.hidden_bid", player=name, won=scene.won[seat])
            else:
                self._say("plain.bid", player=name, won=scene.won[seat], bid=bid)

    def _scores(self) -> None:
        scene = self._scene()
        view = scene.view
        for side, points in enumerate(scene.scores):
            seats = view.side_seats[side]
            names = join([seat_name(s, self._language, view.names) for s in seats], self._language)
            self._say("plain.score", player=names, points=points)

    def _trump(self) -> None:
        scene = self._scene()
        letter = letter_of(scene.trump)
        if letter is None:
            self._say("plain.no_trump")
        else:
            self._say("plain.trump", colour=colour_name(letter, self._language))
        self._line(self._sentence(tell_trump_change(scene.trump_change)))

    def _log(self) -> None:
        for reason in self._scene().story(99):
            self._line(self._sentence(reason))

    def _help(self) -> None:
        texts = catalogue(self._language)
        self._say("plain.help.moves", colours=colours(self._language))
        for command, (name, *_) in self._names.items():
            usage = name + (" R4" if command == "why" else "")
            self._line(f"{usage}: {texts[f'plain.help.{command}']}")

    def _rules(self) -> None:
        """Print the rules in force, chapter by chapter."""
        rules = self._session.rules
        self._line(self._sentence(title(rules, self._language)))
        for chapter in chapters(rules, self._scene().view.players):
            self._line()
            self._line(self._sentence(chapter.title))
            for line in chapter.lines:
                self._line(self._sentence(line))

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
        """Say what the person could do now, and what each move would bring."""
        try:
            found = self._session.advice()
        except NotAllowed as error:
            self._line(self._sentence(error.reason))
            return
        for line in advice_lines(found, self._language, self._session.rules.edition):
            self._line(line)

    def _hint(self) -> None:
        """Say what the coach has to say now."""
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
        """The next line of the input without spaces around it; ``None`` at its end."""
        line = self._source.readline()
        if not line:
            self._left = True
            return None
        return line.strip()

    def _ask(self) -> None:
        """Ask until a move is made or undone, or the game is left. The only possible card plays
        itself, unless there is a hint to read."""
        scene = self._scene()
        ply = self._session.ply
        hint = self._guide.hint(self._session.view())
        only = self._session.only_card() if hint is None else None
        if only is not None:
            self._line(self._sentence(only.says))
            self._session.play(only.move)
            return
        self._hand()
        self._hint()
        while not self._left and self._session.ply == ply:
            self._prompt(scene)
            line = self._read()
            if line is None or self._command(line):
                continue
            if not line:
                self._expected(scene)
                continue
            move = self._move(line, scene)
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

    def _expected(self, scene: Scene) -> None:
        """Say what was expected in place of an empty line."""
        if scene.bidding:
            self._say("plain.expected_bid", most=scene.round.hand_size)
        else:
            self._say("plain.expected_card", cards=", ".join(self._playable_names(scene)))

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
        """The one command whose name begins as the line does, and what follows."""
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
        """The move that a line stands for, after asking for a colour if it needs one; ``None`` if
        there is no such move, after saying so."""
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
        """Ask which colour a Wild or a Change names; ``None`` for no answer. Raises
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
