"""Finished games: replays, analyses, and score sheets that are shown to others."""
