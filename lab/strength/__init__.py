"""How strong the bots are: matches written down before they are played, and what came of them.

``matches.toml`` lists the matches and the figures that they answer, ``listing`` reads it,
``running`` plays, ``outcome`` is what came of a match (one file of ``results`` each), ``page`` and
``plots`` make ``docs/strength.md`` of that. ``opponents`` are bots whose budgets stand in the list,
and ``budgets`` measures these.
"""
