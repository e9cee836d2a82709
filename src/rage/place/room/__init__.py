"""One table while it runs: its turns, its log, its audience, and its automation."""
