"""RLCard's own Deep Monte Carlo on our game: ``env`` is the game for RLCard, ``train`` trains by
its unmodified trainer, ``bot`` plays by the result.

It needs ``rlcard``, PyTorch and the rest of ``lab/strength/requirements.txt``.
"""
