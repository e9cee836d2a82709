"""Simulated games as tables: ``rage simulate`` writes them, ``rage lab`` compares rules by
them.

``rows`` are the tables, column by column, ``matches`` plays the compiled bots into them,
``simulation`` all others; ``schema`` describes the columns, ``parquet`` turns them into files, and
``folder`` keeps these. ``variants`` tells what a rule changes, and ``plots`` draws it.
"""
