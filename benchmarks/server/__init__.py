"""The server's figures: Rage's, boardgame.io's and Colyseus's play the same load in turn.

The load comes from a process of its own (``benchmarks/load``), which speaks to each server in the
server's own way; ``benchmarks/peers`` has the other two.
"""
