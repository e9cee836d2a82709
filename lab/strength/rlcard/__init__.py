"""RLCard's own Deep Monte Carlo on our game: ``env`` is the game for RLCard, ``train`` trains by
its unmodified trainer, ``bot`` plays by what came of that.

It needs ``rlcard``, PyTorch and what else stands in ``lab/strength/requirements.txt``.
"""
