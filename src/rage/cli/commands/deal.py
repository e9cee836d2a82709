"""``rage deal``: shows a deal from a seed."""

from __future__ import annotations

import argparse

from rage.cli.arguments import rule_sets
from rage.cli.parser import Parser
from rage.engine.deal import Deals, commitment, read_seed
from rage.rules.editions import ruleset
from rage.rules.hands import Cards
from rage.say import NotAllowed, short_name, text, with_colon


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage deal``."""
    every = text("cli.deal.every_round", parser.language)
    none = text("cli.none", parser.language)
    parser.option("--seed", code="cli.deal.seed", metavar="TEXT", required=True)
    parser.option(
        "--rules",
        code="cli.rules_name",
        metavar="NAME",
        default="poof",
        usual="poof",
        values=rule_sets,
    )
    usual_players = text("cli.usual.players", parser.language)
    parser.option("--players", code="cli.players", type=int, metavar="N", usual=usual_players)
    parser.option("--round", code="cli.deal.round", type=int, metavar="N", usual=every)
    parser.option(
        "--word",
        code="cli.deal.word",
        metavar="TEXT",
        action="append",
        default=[],
        usual=none,
        empty=True,  # a player may have given none
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the deal of one round, or of all rounds."""
    language = arguments.language
    rules = ruleset(arguments.rules)
    players = rules.usual_players if arguments.players is None else arguments.players
    rules.for_players(players)
    seed = read_seed(arguments.seed)
    words = arguments.word
    if words:  # players without a word gave none
        words = words + [""] * (players - len(words))
    dealer = Deals(rules, players, seed, words)
    last = len(rules.schedule)
    if arguments.round is not None and not 1 <= arguments.round <= last:
        raise NotAllowed("deal.no_round", round=arguments.round, last=last)
    print(text("deal.commitment", language, hash=commitment(seed)))
    for number in [arguments.round] if arguments.round else range(1, last + 1):
        deal = dealer.deal(number)
        print()
        print(text("deal.head", language, round=number, dealer=deal.dealer))
        for seat, hand in enumerate(deal.hands):
            _print_cards(text("seat", language, seat=seat), hand, language)
        _print_cards(text("deal.stock", language), deal.stock, language)
    return 0


def _print_cards(whose: str, cards: Cards, language: str) -> None:
    """A line of cards by their short names, with the letters of the language."""
    names = " ".join(short_name(str(card), language) for card in cards)
    print(f"  {with_colon(whose, language)} {names}")
