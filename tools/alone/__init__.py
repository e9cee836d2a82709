"""Builds Rage as a folder for any web host, which plays without a server: ``make alone``."""
