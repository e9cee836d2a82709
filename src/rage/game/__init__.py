"""Games, views, and the reasons for their events, on top of the engine."""
