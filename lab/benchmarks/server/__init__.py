"""The figures of the server: Rage, boardgame.io and Colyseus under the same load, in turn.

The load comes from a separate process (``lab/benchmarks/load``), which speaks each server's own
protocol; ``lab/benchmarks/peers`` holds the other two servers.
"""
