"""What each person sees of a table, and its record."""
