"""The people at a table: who comes and goes, who sits where, and who may say what."""
