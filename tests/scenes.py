"""Positions for the tests, written down as people would: card codes as in docs/record.md."""

from __future__ import annotations

from rage import Deal, Game, RuleSet, ruleset
from rage.game.rulings import ruling
from rage.rules.values import letter_of
from rage.say import sentence

NAMES = ("North", "East", "South", "West", "Up", "Down", "Left", "Right")


def table(
    rules: str,
    *hands: str,
    stock: str = "R0",
    dealer: int | None = None,
    bids: str | None = None,
    play: str = "",
    more_rounds: tuple[int, ...] = (),
) -> Game:
    """A game whose first round has these hands and this stock (it may be cut short).

    The last seat deals unless told otherwise, so that seat 0 leads. ``bids`` are by the order of
    bidding: all zero by default, ``""`` for none made yet; then the cards of ``play`` are played.
    """
    size = len(hands[0].split())
    chosen = ruleset(rules).replace(schedule=(size, *more_rounds))
    deal = Deal(len(hands) - 1 if dealer is None else dealer, hands, stock)
    game = Game(chosen, NAMES[: len(hands)], deals=[deal])
    run(game, " ".join("0" for _ in hands) if bids is None else bids)
    run(game, play)
    return game


def run(game: Game, moves: str) -> None:
    """Play the moves of these codes."""
    for code in moves.split():
        game.play(code)


def legal(game: Game) -> set[str]:
    """The legal moves as codes."""
    return {str(move) for move in game.legal_moves}


def refusal_code(game: Game, code: str) -> str:
    """The code of the reason that refuses a move; its sentence can be said."""
    reason = game.why_not(code)
    assert reason is not None, f"{code} is legal"
    assert sentence(reason, edition=game.rules.edition, names=game.names)
    return reason.code


def refusal_params(game: Game, code: str) -> dict[str, object]:
    """What the reason that refuses a move says."""
    reason = game.why_not(code)
    assert reason is not None, f"{code} is legal"
    return dict(reason.params)


def won_by(game: Game, trick: int = 0) -> str:
    """Who won a trick of the round last dealt, by name."""
    assert game.round is not None
    winner = game.round.tricks[trick].winner
    assert winner is not None
    return game.names[winner]


def ruling_sentence(game: Game, trick: int = 0) -> str:
    """The sentence that rules on a trick."""
    assert game.round is not None
    reason = ruling(game.round, trick, game.rules.second_wild)
    return sentence(reason, edition=game.rules.edition, names=game.names)


def trump(game: Game) -> str | None:
    """The trump in force, as a letter."""
    return letter_of(game.trump)


def points(rules: RuleSet | str, hand: int, bid: int, won: int, gain: int = 0) -> int:
    """What a round scores for one player, by the kernel's rule alone."""
    from rage.engine import kernel

    chosen = ruleset(rules) if isinstance(rules, str) else rules
    return kernel.Rules(chosen, chosen.player_range[0]).points(hand, bid, won, gain)
