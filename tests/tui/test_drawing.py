"""How things are drawn: within their room, in every size, and with their meaning."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.text import Text

from rage.bots import bot
from rage.cards import CARD_CODES
from rage.editions import ruleset
from rage.game import Game
from rage.say import kind_name
from rage.tui import draw, hand, pages, seats, sheet
from rage.tui.look import Look, ascii_only
from rage.tui.scene import Scene, why_not

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
            assert fits(hand.bids(scene, looks, 0, width).text, max(width, 3), 1)
            assert draw.footer(looks, width)[0].cell_len <= width
            if width >= 20:
                assert fits(draw.header(scene, looks, width, parts["top"] or 1), width, 3)
                rows = len(scene.view.rules.schedule) + 3
                assert fits(sheet.sheet(scene, looks, width), width, rows)


@pytest.mark.parametrize("width", range(5, 140, 3))
@pytest.mark.parametrize("bidding", [False, True])
def test_the_parts_fit_into_the_window(width: int, bidding: bool) -> None:
    for height in range(8, 70):
        assert sum(draw.plan(width, height, bidding=bidding).values()) <= height


def test_pips_say_needed_taken_and_too_many() -> None:
    looks = Look("en", "poof")
    told = set()
    for scene in scenes("poof+schedule:2.2.2.2.2.2.2.2", 3):
        if scene.bidding or scene.bids[0] is None:
            continue
        bid, won = scene.bids[0], scene.won[0]
        column = seats.seats(scene, looks, 60, 8).split("\n")[1].plain[:20].strip()
        assert column == "●" * min(bid, won) + "○" * (bid - won) + "✗" * (won - bid)
        told |= set(column)
    assert told == {"●", "○", "✗"}


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
        code = CARD_CODES[scene.hand[index]]
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
@pytest.mark.parametrize("edition", ["poof", "amigo", "fundex"])
def test_a_face_is_as_large_as_it_should_be(width: int, height: int, edition: str) -> None:
    for language in ("en", "de", "es"):
        looks = Look(language, edition)
        for code in (*CARD_CODES, "WR", "CB"):
            lines = looks.face(code, width, height)
            assert [line.cell_len for line in lines] == [width] * height, (code, language)


def test_a_sentence_shows_its_cards_as_cards() -> None:
    text = Look("de", "poof").inked("Gr4 und G4, nicht Gr16, xB4 oder B4x.")
    assert [text.plain[span.start : span.end] for span in text.spans] == ["Gr4", "G4"]


@pytest.mark.parametrize(("width", "height"), [(80, 2), (40, 3), (30, 1), (20, 2)])
def test_what_goes_on_is_never_cut_off(width: int, height: int) -> None:
    reason = Text("Green was led and there is no trump, so the highest green card wins. " * 3)
    drawn = draw.centred(reason, width, height, Console(), "Enter goes on.")
    assert fits(drawn, width, height)
    assert "Enter goes on." in drawn.plain


@pytest.mark.parametrize("width", range(4, 13))
def test_a_name_is_broken_with_a_hyphen_or_left_out(width: int) -> None:
    for language in ("en", "de", "es"):
        looks = Look(language, "amigo")
        for kind, code in (("change", "C"), ("out", "X"), ("wild", "W")):
            whole = "".join(kind_name(kind, language, "amigo").split())
            shown = [line.plain.strip() for line in looks.face(code, width, 8)[1:-1]]
            if width < 6:
                assert not any(shown)
            else:
                joined = "".join(part.removesuffix("-") for part in shown)
                assert joined == whole
                assert all(len(part.removesuffix("-")) > 1 for part in shown if part)


@pytest.mark.parametrize(("width", "cards"), [(50, 10), (40, 10), (80, 15)])
def test_the_cards_of_a_hand_are_parted(width: int, cards: int) -> None:
    looks = Look("en", "poof", narrow=True)
    for scene in scenes(f"poof+schedule:{cards}", 2):
        if not scene.my_turn or len(scene.hand) != cards:
            continue
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
        lines = [draw.said(scene, looks, each) for each in places]
        assert page.split("\n")[1 : len(lines) + 1] == lines
    assert shared == (players != 4), "of these, only the two teams never share a first place"


@pytest.mark.parametrize(("width", "heading"), [(36, "bid, then sum"), (50, "bid/won")])
def test_a_narrow_sheet_says_what_its_figures_are(width: int, heading: str) -> None:
    scene = scenes("poof+schedule:2.1", 4)[-1]
    assert heading in sheet.sheet(scene, Look("en", "poof"), width).split("\n")[1].plain
