"""Simulated games as tables: ``rage simulate`` writes them, ``rage lab`` compares rules by
them.

``rows`` holds the tables, column by column, ``matches`` fills them with games of compiled bots,
``simulation`` with all others; ``schema`` describes the columns, ``parquet`` turns them into files,
and ``folder`` keeps the files. ``variants`` measures what a rule changes, and ``plots`` draws it.
"""
