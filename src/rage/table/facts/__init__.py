"""The facts of a table, numbered and dated as events, and the data sent about a table."""
