"""The game at a table: its start, decisions, clock and votes."""
