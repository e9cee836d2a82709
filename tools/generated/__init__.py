"""What Python makes for the page, and is committed: see `generated` in the Makefile."""
