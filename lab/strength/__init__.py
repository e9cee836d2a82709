"""How strong the bots are: matches written down before they are played, and their results.

``matches.toml`` lists the matches and the figures that they answer, ``listing`` reads it,
``running`` plays, ``outcome`` is the result of a match (one file of ``results`` each), ``page`` and
``plots`` turn that into ``docs/strength.md``. ``opponents`` are bots whose budgets are in the list,
and ``budgets`` measures these.
"""
