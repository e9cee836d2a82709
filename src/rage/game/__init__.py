"""The readable face of the engine: games, views, and the reasons for what happens in them."""
