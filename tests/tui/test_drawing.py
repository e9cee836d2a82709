"""How things are drawn: within their room, in every size, and with their meaning."""

from __future__ import annotations

import re

import pytest
from rich.console import Console
from rich.text import Text

from rage.bots import bot
from rage.game.game import Game
from rage.game.scene import Scene, why_not
from rage.rules.cards import CARD_CODES
from rage.rules.editions import ruleset
from rage.rules.settings import PRINTED
from rage.rules.values import COLOURS
from rage.say import LANGUAGES, kind_name, text
from rage.tui import draw, hand, pages, score_table, seats
from rage.tui.look import Look, ascii_only

SIZES = ((5, 2), (20, 8), (33, 11), (40, 15), (80, 24), (120, 40), (200, 60))


def scenes(rules: str, players: int) -> list[Scene]:
    """A game as a person sees it, at every moment, finished tricks included."""
    game = Game(ruleset(rules), players, seed=b"draw")
    player = bot("random", 1)
    found = [Scene(game.view(0))]
    while not game.over:
        assert game.to_act is not None
        done = [len(r.tricks) for r in game.rounds for t in r.tricks[-1:] if t.winner is not None]
        game.play(player.choose(game.view(game.to_act)))
        now = [len(r.tricks) for r in game.rounds for t in r.tricks[-1:] if t.winner is not None]
        if now != done and sum(now) > sum(done):
            index = max(i for i, r in enumerate(game.rounds) if r.tricks)
            found.append(Scene(game.view(0), (index, len(game.rounds[index].tricks) - 1)))
        found.append(Scene(game.view(0)))
    return found


def fits(drawn: Text, width: int, height: int) -> bool:
    lines = drawn.split("\n")
    return len(lines) <= height and all(line.cell_len <= width for line in lines)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("poof+schedule:2.1", 2),
        ("amigo+secret-bids+schedule:2", 8),
        ("fundex+three-teams+schedule:2.1", 6),
    ],
)
@pytest.mark.parametrize("narrow", [False, True])
def test_everything_stays_within_its_room(rules: str, players: int, narrow: bool) -> None:
    looks = Look("de", rules.partition("+")[0], narrow=narrow)
    for scene in scenes(rules, players):
        for width, height in SIZES:
            parts = draw.plan(width, height, bidding=scene.bidding)
            assert fits(seats.seats(scene, looks, width, parts["seats"]), width, parts["seats"])
            row = hand.hand(scene, looks, 0, width, parts["hand"])
            assert fits(row.text, max(width, 4), parts["hand"])
            assert fits(hand.bids(scene, 0, width).text, max(width, 3), 1)
            assert draw.footer(looks, width)[0].cell_len <= width
            if width >= 20:
                assert fits(draw.header(scene, looks, width, parts["top"] or 1), width, 3)
                rows = len(scene.view.rules.schedule) + 3
                assert fits(score_table.sheet(scene, looks, width), width, rows)


@pytest.mark.parametrize("width", range(5, 140, 3))
@pytest.mark.parametrize("bidding", [False, True])
def test_the_parts_fit_into_the_window(width: int, bidding: bool) -> None:
    for height in range(8, 70):
        for message in (1, 3, 9):
            parts = draw.plan(width, height, bidding=bidding, message=message)
            assert sum(parts.values()) <= height
            assert parts["seats"] >= 2
            assert parts["hand"] >= 2


def test_pips_say_needed_taken_and_too_many() -> None:
    looks = Look("en", "poof")
    signs = set()
    for scene in scenes("poof+schedule:2.2.2.2.2.2.2.2", 3):
        if scene.bidding or scene.bids[0] is None:
            continue
        bid, won = scene.bids[0], scene.won[0]
        column = seats.seats(scene, looks, 60, 8).split("\n")[1].plain[:20].strip()
        assert column == "●" * min(bid, won) + "○" * (bid - won) + "✗" * (won - bid)
        signs |= set(column)
    assert signs == {"●", "○", "✗"}


def test_a_card_that_may_not_be_played_stands_lower() -> None:
    looks = Look("en", "poof", narrow=True)
    for scene in scenes("poof+schedule:8", 4):
        if not scene.my_turn or scene.bidding:
            continue
        row = hand.hand(scene, looks, 0, 100, 6)
        lines = [line.plain for line in row.text.split("\n")]
        for first, last, index in row.places:
            raised = bool(lines[0][first : last + 1].strip())
            assert raised == (why_not(scene.view, scene.hand[index]) is None)


def test_what_lies_where() -> None:
    looks = Look("en", "poof")
    scene = next(s for s in scenes("poof+schedule:9", 4) if s.my_turn and not s.bidding)
    row = hand.hand(scene, looks, 0, 80, 6)
    for first, _, index in row.places:
        code = str(scene.hand[index])
        shown = "\n".join(line.plain[first:] for line in row.text.split("\n"))
        if code[0] in "ROYGBP":
            assert code in shown
        assert row.at(first) == index
    assert row.at(-1) is None


def test_a_cursor_out_of_sight_is_brought_into_sight() -> None:
    looks = Look("en", "poof")
    scene = next(s for s in scenes("poof+schedule:15", 4) if s.my_turn and not s.bidding)
    for cursor in range(15):
        row = hand.hand(scene, looks, cursor, 20, 2)
        assert cursor in {index for _, _, index in row.places}
        assert "▲" in row.text.split("\n")[-1].plain


@pytest.mark.parametrize(
    ("encoding", "terminal", "narrow"),
    [
        ("utf-8", "xterm-256color", False),
        ("ascii", "xterm", True),
        ("latin-1", "xterm", True),
        ("no such", "xterm", True),
        (None, None, True),
        ("utf-8", "linux", True),
        ("utf-8", None, False),
    ],
)
def test_when_only_ascii_is_safe(encoding: str | None, terminal: str | None, narrow: bool) -> None:
    assert ascii_only(encoding, terminal) is narrow


@pytest.mark.parametrize(("width", "height"), [(4, 2), (5, 3), (6, 4), (9, 5), (12, 7)])
@pytest.mark.parametrize("edition", PRINTED)
def test_a_face_is_as_large_as_it_should_be(width: int, height: int, edition: str) -> None:
    for language in LANGUAGES:
        looks = Look(language, edition)
        for code in (*CARD_CODES, "WR", "CB"):
            lines = looks.face(code, width, height)
            assert [line.cell_len for line in lines] == [width] * height, (code, language)


def test_a_sentence_shows_its_cards_as_cards() -> None:
    text = Look("de", "poof").highlight("Gr4 und G4, nicht Gr16, xB4 oder B4x.")
    assert [text.plain[span.start : span.end] for span in text.spans] == ["Gr4", "G4"]


LONG = "Green was led and there is no trump, so the highest green card wins. " * 3


@pytest.mark.parametrize(("width", "height"), [(80, 2), (40, 3), (30, 1), (20, 2)])
@pytest.mark.parametrize("narrow", [False, True])
def test_what_goes_on_is_never_cut_off(width: int, height: int, narrow: bool) -> None:
    looks = Look("en", narrow=narrow)
    drawn = draw.centre(Text(LONG), looks, width, height, Console(), "Enter: continue.")
    assert fits(drawn, width, height)
    assert "Enter: continue." in drawn.plain
    assert drawn.plain.isascii() or not narrow


@pytest.mark.parametrize(("width", "height"), [(80, 1), (40, 2), (20, 3)])
def test_a_message_that_is_cut_off_names_the_key_that_shows_all(width: int, height: int) -> None:
    drawn = draw.centre(Text(LONG), Look("en"), width, height, Console())
    assert fits(drawn, width, height)
    assert drawn.plain.rstrip().endswith("… m")
    whole = draw.centre(Text(LONG), Look("en"), width, 50, Console())
    assert " ".join(whole.plain.split()) == LONG.strip()


@pytest.mark.parametrize("size", [(20, 8), (30, 12), (40, 15), (60, 20), (80, 24)])
def test_a_reason_takes_the_room_that_it_needs(size: tuple[int, int]) -> None:
    """From the events first, and then from the players, who keep a name and a card each."""
    width, height = size
    usual = draw.plan(width, height, bidding=False)
    for message in range(1, height):
        parts = draw.plan(width, height, bidding=False, message=message)
        room = usual["message"] + usual["events"] + usual["seats"] - 2
        assert parts["message"] == max(min(message, room), usual["message"])
        assert parts["seats"] == usual["seats"] or parts["events"] == 0
        assert sum(parts.values()) == sum(usual.values())


@pytest.mark.parametrize("width", [18, 30, 76])
@pytest.mark.parametrize("height", range(1, 6))
def test_the_events_are_whole_sentences(width: int, height: int) -> None:
    for scene in scenes("poof+schedule:3", 4):
        story = [draw.say(scene, Look("en", "poof"), each) for each in scene.story(2)]
        if scene.pause and story and re.search("wins? the trick", story[-1]):
            story.pop()
        drawn = draw.events(scene, Look("en", "poof"), width, height, Console())
        assert fits(drawn, width, height)
        shown = " ".join(drawn.plain.split())
        if shown.endswith("…"):
            assert story[-1].startswith(shown.removesuffix("…"))
        else:
            assert any(shown == " ".join(story[at:]) for at in range(len(story)))


def test_partners_are_marked_and_nobody_else() -> None:
    for rules, players in (("poof", 4), ("poof+two-teams", 4), ("fundex+three-teams", 6)):
        for narrow in (False, True):
            looks = Look("en", narrow=narrow)
            for scene in scenes(f"{rules}+schedule:2", players):
                view = scene.view
                assert scene.partners == [s for s in range(1, players) if s % view.sides == 0]
                for width, height in ((120, 10), (80, 8), (40, 5), (36, 2)):
                    first = seats.seats(scene, looks, width, height).plain.split("\n")
                    names = next(line for line in first if line.strip())
                    assert names.count("&") == len(scene.partners)
                    for seat in scene.partners:
                        assert f"&{view.names[seat]}"[:2] in names
                said = pages.help_text(scene, looks, 80).plain
                assert ("a partner of yours" in said) == bool(scene.partners)


@pytest.mark.parametrize("width", range(20, 100))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_colour_and_its_letter_are_on_one_line_of_the_help(width: int, language: str) -> None:
    looks = Look(language, "poof")
    console = Console(width=width)
    page = pages.help_text(Scene(Game("poof", 3, seed=b"1").view(0)), looks, width)
    lines = [line.plain for line in page.wrap(console, width)]
    for colour in COLOURS:
        named = f"{looks.symbol(colour)} {text(f'colour.{colour}', language)}  "
        assert any(f"{named}{looks.letter(colour)}" in line for line in lines)


def test_no_colour_has_the_sign_of_another_pack() -> None:
    """A green spade or a blue diamond would be taken for one."""
    looks = Look()
    assert not {looks.symbol(colour) for colour in COLOURS} & set("♠♤♣♧♥♡♦♢◆◇")


@pytest.mark.parametrize("width", range(4, 13))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_broken_between_syllables_or_left_out(width: int, language: str) -> None:
    syllables = {word.replace("-", ""): word for word in text("tui.syllables", language).split()}
    for edition in ("poof", "amigo", "fundex"):
        looks = Look(language, edition)
        for kind, code in (("change", "C"), ("out", "X"), ("wild", "W")):
            words = kind_name(kind, language, edition).split()
            parted = " ".join(
                syllables.get(word.lower(), syllables.get(word, word)) for word in words
            )
            allowed = parted.replace("-", "(-\n)?").replace(" ", "[ \n]")
            lines = [line.plain.strip() for line in looks.face(code, width, 8)[1:-1]]
            shown = "\n".join(line for line in lines if line)
            assert re.fullmatch(allowed, shown) or not shown, shown
            assert not (shown and width < 6)


@pytest.mark.parametrize(("width", "cards"), [(50, 10), (40, 10), (80, 15)])
def test_the_cards_of_a_hand_are_parted(width: int, cards: int) -> None:
    looks = Look("en", "poof", narrow=True)
    whole = [
        scene
        for scene in scenes(f"poof+schedule:{cards}", 2)
        if scene.my_turn and len(scene.hand) == cards
    ]
    assert whole
    for scene in whole:
        row = hand.hand(scene, looks, 0, width, 4)
        lines = [line.plain for line in row.text.split("\n")]
        for _, last, _ in row.places[:-1]:
            assert lines[2][last] in " |"


def test_the_leader_of_a_trick_is_marked() -> None:
    looks = Look("en", "poof")
    seen = 0
    for scene in scenes("poof+schedule:3", 4):
        words = seats.seats(scene, looks, 80, 8).plain
        led = scene.trick is not None and bool(scene.trick.moves)
        assert words.count("»") == led
        if scene.trick is not None and led:
            assert f"»{scene.view.names[scene.trick.leader]}" in words
            seen += 1
    assert seen


@pytest.mark.parametrize(("rules", "players"), [("fundex", 5), ("poof", 3), ("amigo+two-teams", 4)])
def test_the_game_ends_with_the_places_of_all(rules: str, players: int) -> None:
    looks = Look("en", rules.partition("+")[0])
    shared = False
    for seed in range(30):
        game = Game(ruleset(f"{rules}+schedule:1"), players, seed=bytes([seed]))
        player = bot("random", seed)
        while not game.over:
            assert game.to_act is not None
            game.play(player.choose(game.view(game.to_act)))
        scene = Scene(game.view(0))
        places = list(scene.ranking())
        sides = [each.params["players"][0] for each in places]
        assert sorted(sides) == list(range(scene.view.sides))
        points = [scene.scores[side] for side in sides]
        assert points == sorted(points, reverse=True)
        assert game.winners is not None
        first = [each.params["players"][0] for each in places if each.params["place"] == 1]
        assert sorted(first) == sorted(game.winners)
        assert all(
            (each.code == "rank.shared") == (len(first) > 1) for each in places[: len(first)]
        )
        shared = shared or len(first) > 1
        page = pages.scores(scene, looks, 76).plain
        lines = [draw.say(scene, looks, each) for each in places]
        assert page.split("\n")[1 : len(lines) + 1] == lines
        accounts = [draw.say(scene, looks, each) for each in scene.accounts()]
        assert page.split("\n")[-len(accounts) :] == accounts
    assert shared == (players != 4), "of these, only the two teams never share a first place"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", range(17, 120, 3))
def test_the_headings_of_a_sheet_are_whole(width: int, language: str) -> None:
    scene = scenes("poof+schedule:2.1", 3)[-1]
    lines = score_table.sheet(scene, Look(language, "poof"), width).plain.split("\n")
    first = lines[0].split()[0]
    assert first == text("tui.sheet.round", language) or scene.view.names[0].startswith(
        first.removesuffix("…")
    )
    figures = [text(f"tui.sheet.{name}", language) for name in ("bid", "won", "points", "total")]
    small = text("tui.sheet.small", language, met="✓", missed="✗")
    whole = [text("tui.sheet.medium", language), small, small.partition(";")[0]]
    assert lines[1].strip() in whole or lines[1].split() == figures * 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_says_what_it_is_where_there_is_room(language: str) -> None:
    bots = (None, "easy", "program:./mine")
    scene = Scene(Game("poof", 3, seed=b"1").view(0), bots=bots)
    easy = text("bot.easy", language)
    wide, narrow = (
        seats.seats(scene, Look(language, "poof"), width, 10).plain for width in (80, 36)
    )
    assert f"{scene.view.names[1]} ({easy})" in wide
    assert easy not in narrow
    assert scene.view.names[1] in narrow
