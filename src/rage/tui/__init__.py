"""The table in a terminal: in full screen, or line by line for pipes and screen readers."""
