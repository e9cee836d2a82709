"""Evenings of several tables with the same deals."""
