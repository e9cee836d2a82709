"""The game line by line, as another program or a screen reader has it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from functools import partial

import pytest

from rage.bots.advice import advise
from rage.bots.interface import Budget
from rage.files import data_folder
from rage.game.account import tell_accounts
from rage.notation.typed import colours, record_code
from rage.rules.cards import CARD_CODES, LETTERS, MOVE_CODES
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, NotReadable, card_name, join, sentence, short_name, text
from rage.tui.opening import player_names
from rage.tui.plain import COMMANDS, Plain
from rage.tui.session import Session


@pytest.fixture(autouse=True)
def advice_of_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bound advice by worlds: by time, a slow machine would try fewer and might say otherwise."""
    monkeypatch.setattr("rage.tui.session.advise", partial(advise, budget=Budget(worlds=20)))


def game(rules: str, players: int = 3, seed: bytes = b"plain", bots: str = "random") -> Session:
    return Session.start(ruleset(rules), player_names("Marie", players, [bots]), [bots], seed)


def talk(session: Session, *lines: str, language: str = "en", width: int | None = None) -> str:
    """What is said when somebody types these lines and then the input ends."""
    sink = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    assert Plain(session, language, source, sink, width=width).run() == 0
    return sink.getvalue()


class Typist(io.StringIO):
    """Types the first legal move whenever it is asked, after a few commands."""

    def __init__(self, session: Session, language: str, commands: Iterable[str]) -> None:
        super().__init__()
        self._session = session
        self._language = language
        self._commands = list(commands)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # typeshed: bytes
        if self._commands and not self._session.view().bidding:
            return self._commands.pop() + "\n"
        return f"{short_name(str(self._session.view().legal_moves[0]), self._language)}\n"


def play_out(session: Session, language: str = "en", commands: Iterable[str] = ()) -> str:
    """What is said in a whole game, in which these commands are typed as well."""
    sink = io.StringIO()
    assert Plain(session, language, Typist(session, language, commands), sink).run() == 0
    assert session.over
    return sink.getvalue()


def test_a_move_is_no_abbreviation_of_a_command() -> None:
    """In Spanish, "co" is a Change to orange, and the beginning of what asks for advice."""
    session = Session.start(ruleset("poof+schedule:3"), ["Ann", "Ben"], ["random"], b"plain 1")
    while not session.my_turn:
        session.play(session.bot_move())
    advised = text("plain.advice", "es", advice=session.advice().reason)
    assert advised in talk(session, "con", language="es")
    assert advised not in talk(session, "co", language="es")


@pytest.mark.parametrize(
    ("rules", "players", "language"),
    [
        ("poof", 4, "en"),
        ("amigo+plus-minus-one", 8, "de"),
        ("amigo+hidden-bids+sweep", 3, "es"),
        ("fundex+secret-bids+three-teams+schedule:6.1", 6, "de"),
        ("poof+anytime-actions+two-teams+schedule:5", 4, "es"),
        ("poof+schedule:15", 2, "en"),
    ],
)
def test_a_whole_game(rules: str, players: int, language: str) -> None:
    session = game(rules, players)
    said = play_out(session, language, COMMANDS[:-1])
    assert "\x1b" not in said
    assert all(line == line.rstrip() for line in said.splitlines())
    assert str(session.path) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_of_a_card_is_explained_once_before_the_first(language: str) -> None:
    said = play_out(game("poof+schedule:2.1"), language)
    explained = text("plain.codes", language, colours=colours(language))
    before, _, after = said.partition(explained)
    letters = "|".join(text(f"letter.{letter}", language) for letter in LETTERS)
    assert not re.search(rf"\b({letters})\d", before)
    assert re.search(rf"\b({letters})\d", after)
    assert explained not in after


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", range(40, 90))
def test_a_line_ends_between_words_and_never_after_the_letter_of_a_colour(
    width: int, language: str
) -> None:
    lines = talk(game("poof"), "help", language=language, width=width).splitlines()
    where = str(data_folder())
    assert all(len(line) <= width for line in lines if where not in line)
    for letter in LETTERS:
        colour = f"{text(f'letter.{letter}', language)} {text(f'colour.{letter}', language)}"
        assert sum(bool(re.search(rf"\b{colour}\b", line)) for line in lines) == 2


def test_the_hash_of_the_deals_is_said_to_who_asks_for_the_rules() -> None:
    session = game("poof")
    assert session.commitment not in talk(session)
    assert session.commitment in talk(session, "rules")


def test_what_happens_is_told_once_and_in_order() -> None:
    session = game("poof+schedule:3")
    lines = play_out(session).splitlines()
    assert sum(bool(re.search("(You win|wins) the trick[.:]", line)) for line in lines) == 3
    assert sum(" bids " in line or line.startswith("You bid ") for line in lines) == 3
    assert sum(" leads " in line or line.startswith("You lead ") for line in lines) == 3
    lines = [line for line in lines if not line.endswith("plays itself.")]
    assert sum(" plays " in line or line.startswith("You play ") for line in lines) == 6
    assert sum("Turned up" in line for line in lines) == 1
    view = session.view()
    accounts = tell_accounts(view.rounds[0], view.position.rules)
    told = [sentence(each, "en", edition="poof", names=session.names, you=0) for each in accounts]
    assert [
        line for line in lines if " met the bid: " in line or " missed the bid " in line
    ] == told


def test_secret_bids_are_told_after_the_round() -> None:
    session = game("poof+secret-bids+schedule:2")
    lines = play_out(session).splitlines()
    last_play = max(i for i, line in enumerate(lines) if " plays " in line)
    others = [i for i, line in enumerate(lines) if " bids " in line and "Marie" not in line]
    assert len(others) == 2
    assert all(i > last_play for i in others)


def test_the_end_of_the_input_keeps_the_game() -> None:
    session = game("poof")
    said = talk(session, "2", "hand")
    assert not session.over
    assert said.splitlines()[-1].startswith("The game is saved")
    again = Session.resume(session.path)
    assert again.view().as_data() == session.view().as_data()


def test_quit_keeps_the_game() -> None:
    session = game("poof")
    assert "The game is saved" in talk(session, "q", "2")
    assert session.view().bids[0] is None


def test_what_cannot_be_read_is_said_in_one_line() -> None:
    said = talk(game("poof"), "R99", "", "   ", "\x1b[31m", "why", "why Z", "99", "-1", "2 2")
    assert "R99 is not a move" in said
    assert "\x1b" not in said
    assert "Write why and a card or a bid" in said
    assert "Z is neither a card nor a bid" in said
    assert said.count("Your bid, 0 to 10") == 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "line", ["wyh", "Chnage", "W gren", "c3po", "hnad", "play R4", "cWR", "q4"]
)
def test_a_mistyped_word_is_repeated_whole(line: str, language: str) -> None:
    answer = talk(game("poof"), line, language=language).splitlines()
    asked = text("plain.ask_bid", language, most=10)
    assert answer[answer.index(asked) + 1].startswith(f"{line} ")


@pytest.mark.parametrize(("players", "named"), [(4, "Rigel"), (6, "Rigel and Altair")])
def test_partners_are_named(players: int, named: str) -> None:
    said = talk(game("poof+two-teams", players), "bids")
    assert said.count(f"On your team: {named}.") == 2
    assert "On your team" not in talk(game("poof", players), "bids")


def test_a_refused_card_says_why_and_why_says_it_too() -> None:
    for seed in range(30):
        session = game("poof", seed=bytes([seed]))
        talk(session, "2")
        view = session.view()
        playable = {move.card for move in view.legal_moves}
        may = [str(card) for card in view.hand if card in playable]
        refused = [str(card) for card in view.hand if card not in playable and card.colour]
        if not refused:
            continue
        said = talk(session, f"why {refused[0]}", refused[0].lower(), "why 3")
        assert said.count("was led and you hold") == 2
        assert "All bids are made" in said
        assert f"You may play {join(may, 'en', 'list.or')}." in said
        return
    raise AssertionError("no card was ever refused")


def test_a_wild_and_a_change_ask_for_their_colour() -> None:
    asked = set()
    for seed in range(60):
        for code, answer in (("W", "g"), ("C", "Y")):
            session = game("poof+pack:wild4+schedule:15", 2, seed=bytes([seed]))
            talk(session, "0")
            view = session.view()
            codes = [str(move) for move in view.legal_moves]
            if code + answer.upper() not in codes:
                continue
            said = talk(session, code, "n", code, answer)
            assert "which colour?" in said
            played = [str(m) for t in session.view().rounds[0].tricks for m in t.moves]
            assert code + answer.upper() in played
            asked.add(code)
        if asked == {"W", "C"}:
            return
    raise AssertionError(f"only {asked} could be played")


def test_a_resumed_game_tells_its_round_again_and_no_more() -> None:
    session = game("poof+schedule:2.2")
    while len(session.view().rounds) == 1:
        session.play(session.view().legal_moves[0] if session.my_turn else session.bot_move())
    said = talk(Session.resume(session.path))
    assert "Round 2:" in said
    assert "Round 1:" not in said


def test_names_of_any_kind_are_shown_harmlessly() -> None:
    """A table of an earlier version may have any."""
    session = Session.start(ruleset("poof+schedule:1"), ["Eve", "Bo"], ["random"], b"x")
    older = session.path.read_text(encoding="utf-8").replace('"Eve"', r'"\u001b[2JEve"')
    session.path.write_text(older.replace('"Bo"', r'"\u202eevil"'), encoding="utf-8")
    said = talk(Session.resume(session.path), "bids", "scores", "0")
    assert "\x1b" not in said
    assert "‮" not in said
    assert "\\x1b[2JEve" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_shown_is_what_is_typed(language: str) -> None:
    for code in CARD_CODES[:96]:
        assert short_name(code, language) == card_name(code, language)
    for code in CARD_CODES:
        assert record_code(short_name(code, language).lower(), language) == code
    for kind in "WC":
        for letter in LETTERS:
            for name in (
                short_name(f"{letter}4", language)[:-1],
                text(f"colour.{letter}", language),
            ):
                for gap in ("", " "):
                    assert record_code(f"{kind}{gap}{name}", language) == kind + letter


def test_the_letters_of_a_record_are_taken_where_they_mean_nothing_else() -> None:
    assert record_code("G4", "de") == "Y4"
    assert record_code("WG", "de") == "WY"
    assert record_code("Y4", "de") == "Y4"
    assert record_code("B4", "es") == "B4"
    assert all(record_code(code, "en") == code for code in MOVE_CODES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_colour_names_them_all(language: str) -> None:
    with pytest.raises(NotReadable) as refused:
        record_code("WX", language)
    assert all(text(f"colour.{letter}", language) in text(
        refused.value.reason.code, language, **refused.value.reason.params
    ) for letter in LETTERS)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_have_names_in_each_language(language: str) -> None:
    for command in COMMANDS[:-1]:
        said = {talk(game("poof"), command, language=language)}
        for name in text(f"plain.command.{command}", language).split(", "):
            said.add(talk(game("poof"), name.title(), language=language))
        # The file of the saved game is another each time.
        assert len({each.rpartition("\n")[0].rpartition("\n")[0] for each in said}) == 1, command


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_command_is_in_the_way_of_a_card(language: str) -> None:
    session = game("poof")
    said = talk(session, *(short_name(code, language) for code in CARD_CODES),
                *(f"{kind}{short_name(f'{letter}4', language)[:-1]}" for kind in "WC"
                  for letter in LETTERS), language=language)  # fmt: skip
    assert (
        said.count(text("refuse.bid_first", language, most=10)) == len(CARD_CODES) - 1 + 12
    )  # a W alone is not a move


def test_the_rules_are_told() -> None:
    said = talk(game("poof"), "rules")
    assert "Action cards" in said
    assert "Bid of 0 met: +5." in said


def test_an_empty_line_is_told_what_is_expected() -> None:
    session = game("poof")
    assert "Type a number from 0 to 10." in talk(session, "")
    said = talk(session, "2", "")
    assert "You may play" in said
    assert "Type one of these cards" in said


def test_the_end_tells_the_places_of_all() -> None:
    said = play_out(game("poof+schedule:1", 3))
    places = [line for line in said.splitlines() if line[:2] in ("1.", "2.", "3.")]
    assert len(places) == 3
    assert places[0].startswith("1. ")
    assert all("point" in line for line in places)


def until_undo(rules: str, seeds: int = 200) -> Session:
    """A game in which the person has just ended a trick and won it: it is their turn again, and
    nobody has shown anything since."""
    for seed in range(seeds):
        session = game(rules, seed=bytes([seed]))
        while not session.over:
            mine = session.my_turn
            before = session.view().position.tricks
            session.play(session.view().legal_moves[0] if mine else session.bot_move())
            if mine and session.my_turn and session.view().position.tricks > before > 0:
                return session
    raise AssertionError("the person never ended a trick and won it")


def test_a_decision_is_taken_back_while_nobody_has_seen_more() -> None:
    session = until_undo("poof")
    tricks = session.view().rounds[-1].tricks
    before = str(tricks[-1].moves[-1])
    held = len(session.view().hand)
    others = [str(m) for m in tricks[-1].moves[:-1]]
    said = talk(session, "undo", "trick")
    assert "Your last decision is taken back." in said
    view = session.view()
    assert [str(m) for m in view.rounds[-1].tricks[-1].moves] == others
    assert len(view.hand) == held + 1
    after = said.partition("taken back.")[2]
    assert "wins" not in after, "what is taken back is not told again"
    again = Session.resume(session.path)
    assert again.view().as_data() == view.as_data()
    said = talk(again, before, "undo")
    assert f"You play {before}" in said
    assert "taken back" in said


def test_what_cannot_be_taken_back_says_why() -> None:
    session = game("poof")
    assert "You have decided nothing in this round" in talk(session, "undo")
    said = talk(session, "2", "undo")
    assert "Too late to take that back" in said
    assert session.view().bids[0] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_says_what_each_move_would_bring(language: str) -> None:
    session = game("poof+schedule:2")
    while not session.my_turn:
        session.play(session.bot_move())
    said = talk(session, text("plain.command.advice", language), language=language)
    begun = text("plain.advice", language, advice=session.advice().reason)
    lines = said[said.index(begun) :].splitlines()
    assert lines[1] == text("advice.head", language)
    told = lines[2 : 2 + len(session.view().legal_moves)]
    moves = [line.partition(":")[0].rstrip() for line in told]
    assert sorted(moves) == ["0", "1", "2"]
    chances = re.findall(r"(\d)\s?: (\d+)\s?%", lines[5])
    assert 98 <= sum(int(share) for _, share in chances) <= 102


def test_the_only_card_plays_itself_unless_it_was_taken_back_or_that_is_not_wanted() -> None:
    session = game("poof+schedule:1", players=2)
    said = talk(session, "0")
    assert session.over
    assert "is your last card: it plays itself." in said
    session = game("poof+schedule:1", players=2)
    session.by_hand = True
    assert "plays itself" not in talk(session, "0")
    assert not session.over
