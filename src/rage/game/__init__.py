"""Games, views, and the reasons for what happens in them, over the engine."""
