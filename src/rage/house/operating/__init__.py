"""What an operator does, and what the house does by itself: orders, removal, personal data."""
