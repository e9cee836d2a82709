"""The text of the windows over the table: score sheet, log, last trick, rules, help."""

from __future__ import annotations

from itertools import count, takewhile

from rich.text import Text

from rage.game.history import seat_after
from rage.game.rulebook import chapters, title
from rage.game.rulings import ruling
from rage.game.scene import Scene
from rage.game.story import tell_end
from rage.rules.cards import ACTIONS, CARD_CODES, WILD
from rage.rules.values import COLOURS
from rage.say import catalogue, seat_name, text
from rage.tui import look, score_table
from rage.tui.draw import say
from rage.tui.look import Look


def scores(scene: Scene, looks: Look, width: int) -> Text:
    """The score sheet, and the account of the round if it is over; at the end of the game, preceded
    by the winner and the ranking."""
    page = Text()
    if scene.view.winners is not None and scene.ended:
        end = tell_end(scene.scores, scene.view.winners, scene.view.players)
        page.append(f"{say(scene, looks, end)}\n", f"bold {look.WARM}")
        for reason in scene.ranking():
            page.append(f"{say(scene, looks, reason)}\n")
        page.append("\n")
    page.append_text(score_table.sheet(scene, looks, width)).append("\n")
    for reason in scene.accounts():
        page.append("\n").append_text(looks.highlight(say(scene, looks, reason)))
    return page


def log(scene: Scene, looks: Look) -> Text:
    """Everything that has happened in the game, one event per line."""
    sentences = (say(scene, looks, each) for each in scene.story(len(scene.rounds)))
    return Text("\n").join(looks.highlight(each) for each in sentences)


def last_trick(scene: Scene, looks: Look) -> Text:
    """The last trick, card by card, and why it was won."""
    last = scene.last_trick()
    if last is None:
        return Text(text("tui.no_trick", looks.language))
    current, index = last
    trick = current.tricks[index]
    players = scene.view.players
    page = Text(text("tui.trick_of", looks.language, trick=index + 1, round=current.number))
    page.stylize("bold")
    for at, move in enumerate(trick.moves):
        seat = seat_after(trick.leader, at, players)
        mark = looks.glyph("won") if seat == trick.winner else " "
        name = seat_name(seat, looks.language, scene.view.names)
        page.append(f"\n{mark} ", look.WARM).append_text(looks.chip(str(move), 6))
        page.append(f"  {name}")
    why = say(scene, looks, ruling(current, index, scene.view.rules.second_wild))
    return page.append("\n\n").append_text(looks.highlight(why))


def rules(scene: Scene, looks: Look, commitment: str) -> Text:
    """The rules in force, chapter by chapter, and the commitment to the seed of the deals."""
    view = scene.view
    page = Text(say(scene, looks, title(view.rules, looks.language)), "bold")
    for chapter in chapters(view.rules, view.players):
        page.append(f"\n\n{say(scene, looks, chapter.title)}", f"bold {look.WARM}")
        for line in chapter.lines:
            page.append(f"\n{looks.glyph('dot')} {say(scene, looks, line)}")
    page.append(f"\n\n{text('play.commitment', looks.language, hash=commitment)}", "dim")
    return page


def _meanings(scene: Scene, looks: Look) -> Text:
    """What each action card does, and how scoring works."""
    book = {each.code: each for each in chapters(scene.view.rules, scene.view.players)}
    page = Text()
    for line in book["rules.actions"].lines:
        kind = line.code.split(".")[2]
        if kind in ACTIONS:
            chip = looks.chip(CARD_CODES[WILD + ACTIONS.index(kind)], 4)
            page.append("\n").append_text(chip).append(f" {say(scene, looks, line)}")
    page.append(f"\n\n{say(scene, looks, book['rules.score'].title)}", f"bold {look.WARM}")
    for line in book["rules.score"].lines:
        page.append(f"\n{looks.glyph('dot')} {say(scene, looks, line)}")
    return page


def _colours(looks: Look, width: int) -> Text:
    """The six colours with their symbols and letters, as many on a line as fit."""
    lines = [Text()]
    for colour in COLOURS:
        entry = Text.assemble(looks.colour(colour), f" {looks.letter(colour)}  ")
        if lines[-1] and lines[-1].cell_len + entry.cell_len > width:
            lines.append(Text())
        lines[-1].append_text(entry)
    return Text("\n").join(lines)


def help_text(scene: Scene, looks: Look, width: int) -> Text:
    """Keys and signs, the six colours with their letters and symbols, the action cards, and the
    scoring."""
    texts = catalogue(looks.language)
    page = Text()
    for code in takewhile(texts.__contains__, (f"tui.help.{n}" for n in count(1))):
        keys, _, words = texts[code].partition(": ")
        page.append(f"{keys}: ", f"bold {look.WARM}").append(f"{words}\n")
    page.append_text(_colours(looks, width))
    signs = text(
        "tui.help.signs",
        looks.language,
        full=looks.glyph("full"),
        empty=looks.glyph("empty"),
        over=looks.glyph("over"),
        act=looks.glyph("act"),
        lead=looks.glyph("lead"),
    )
    page.append(f"\n{signs}\n")
    if scene.partners:
        partner = text("tui.help.partner", looks.language, partner=looks.glyph("partner"))
        page.append(f"{partner}\n")
    return page.append_text(_meanings(scene, looks))
