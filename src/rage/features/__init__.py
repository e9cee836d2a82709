"""What a seat may know, as numbers, and what each number means."""
