"""The game engine: one state of fixed size, the moves it allows, and deals."""
