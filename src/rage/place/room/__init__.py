"""One table while it runs: its turns, its log, its audience, and what happens by itself."""
