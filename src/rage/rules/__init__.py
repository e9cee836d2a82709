"""What is played with and by which rules: cards, rule sets, editions and variants."""
