"""The game itself, exact and fast: one state of fixed size, the moves it allows, and deals."""
