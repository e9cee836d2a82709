"""A custom rule set: five short rounds, five points off for a missed bid, more for a sweep.

Any setting can be changed; a rule set also says in words what it is.
"""

import rage
from rage.game.rulebook import differences

poof = rage.ruleset("poof")
#: The same in three ways: by its name, from an edition, and from a variant of it.
rules = rage.ruleset("poof+miss:-5+sweep+schedule:5.4.3.2.1")
assert rules == poof.replace(miss=-5, sweep=True, schedule=(5, 4, 3, 2, 1))
assert rules == rage.ruleset("poof+sweep").replace(miss=-5, schedule=(5, 4, 3, 2, 1))


def play(rules: rage.RuleSet, seed: str) -> rage.Game:
    """A game of three steady bots."""
    game, steady = rage.Game(rules, ["Ada", "Ben", "Cleo"], seed=seed), rage.bot("steady")
    while (seat := game.to_act) is not None:
        game.play(steady.choose(game.view(seat)))
    return game


if __name__ == "__main__":
    print(rules.name)
    for line in differences(rules, poof):
        print("-", line.sentence(edition="poof"))
    game = play(rules, "an evening")
    for each in game.rounds:
        print(each)
    print("points:", dict(zip(game.names, game.scores, strict=True)))
    try:
        poof.replace(schedule=(20,))
    except rage.NotAllowed as error:
        print(error)
