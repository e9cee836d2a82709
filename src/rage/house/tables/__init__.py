"""Tables while they run: the hub, which finds them, and for each a room."""
