"""``rage deal``: show a deal from a seed."""

from __future__ import annotations

import argparse

from rage.cards import codes_of
from rage.deal import Dealer, commitment, read_seed
from rage.editions import ruleset
from rage.say import NotAllowed, text


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""
    parser.add_argument("--seed", required=True, help=text("cli.deal.seed", language))
    parser.add_argument("--rules", default="poof", help=text("cli.rules_name", language))
    parser.add_argument("--players", type=int, default=4, help=text("cli.players", language))
    parser.add_argument("--round", type=int, help=text("cli.deal.round", language))
    parser.add_argument("--word", action="append", default=[], help=text("cli.deal.word", language))


def run(arguments: argparse.Namespace) -> int:
    """Print the deal of one round, or of all."""
    rules = ruleset(arguments.rules)
    seed = read_seed(arguments.seed)
    words = arguments.word
    if words:  # who is not named gave none
        words = words + [""] * (arguments.players - len(words))
    dealer = Dealer(rules, arguments.players, seed, words)
    last = len(rules.schedule)
    if arguments.round is not None and not 1 <= arguments.round <= last:
        raise NotAllowed("deal.no_round", round=arguments.round, last=last)
    print(text("deal.commitment", arguments.language, hash=commitment(seed)))
    for number in [arguments.round] if arguments.round else range(1, last + 1):
        deal = dealer.deal(number)
        print()
        print(text("deal.head", arguments.language, round=number, dealer=deal.dealer))
        for seat, hand in enumerate(deal.hands):
            print(f"  {text('seat', arguments.language, seat=seat)}: {codes_of(hand)}")
        print(f"  {text('deal.stock', arguments.language)}: {codes_of(deal.stock)}")
    return 0
