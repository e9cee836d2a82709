"""Running tables: the hub, which finds them, and a room for each."""
