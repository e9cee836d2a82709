"""The performance figures that Rage has to meet; ``python -m lab.benchmarks`` prints them in a
table.

Speeds are ratios of two programs that do the same work in alternating runs, because machines are
shared and noisy. ``docs/benchmarks.md`` says what each side includes.
"""
