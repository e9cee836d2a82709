"""How heavy and how quick the page is, in a real browser against the real server."""
