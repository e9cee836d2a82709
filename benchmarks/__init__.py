"""The figures that Rage is held to: ``python -m benchmarks`` measures them and prints a table.

Speeds are ratios between two ways of doing the same, run in turn in one window of time, because
machines are shared and noisy. ``docs/benchmarks.md`` says what each side includes.
"""
