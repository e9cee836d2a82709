"""Simulated games as tables: ``rage simulate`` writes them.

``rows`` are the tables, column by column, ``matches`` plays the compiled bots into them,
``simulation`` all others; ``schema`` describes the columns, ``parquet`` turns them into files, and
``folder`` keeps these.
"""
