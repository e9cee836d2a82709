"""Replays and analyses of games, and score sheets that are shown to others."""
