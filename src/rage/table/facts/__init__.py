"""What has happened at a table: its facts, numbered and dated as events, and what they contain."""
