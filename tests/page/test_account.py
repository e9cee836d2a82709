"""The page tells how points came about exactly as the library does."""

from __future__ import annotations

from random import Random

from generators import deals_for, rules_from
from page.conftest import Ask
from rage import Game, sentence
from rage.game.account import account_of, tell_account
from rage.say import LANGUAGES


def test_the_page_accounts_for_points_as_the_library_does(ask: Ask) -> None:
    """Every side in every round of games of all kinds, from the round as the server sends it."""
    questions, said = list[object](), list[str]()
    for seed in range(60):
        rng = Random(seed)
        rules, players = rules_from(rng.choice, most=6)
        rules = rules.replace(sweep=seed % 2 == 0)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        while not game.over:
            game.play(rng.choice(game.legal_moves()))
        view = game.view(None)
        for current, data in zip(view.rounds, view.as_data()["rounds"], strict=True):
            for side, seats in enumerate(view.side_seats):
                language = LANGUAGES[len(said) % len(LANGUAGES)]
                questions.append({
                    "language": language, "round": data, "side": side, "seats": seats,
                    "edition": rules.edition,
                })  # fmt: skip
                reason = tell_account(account_of(current, game.position.rules, side))
                said.append(sentence(reason, language, edition=rules.edition))
    assert len(said) > 300
    assert ask("account", questions) == said
