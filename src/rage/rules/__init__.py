"""Cards, moves, rule sets, editions and variants."""
