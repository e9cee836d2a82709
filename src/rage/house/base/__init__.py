"""What everything in the house uses: codes, errors, messages, and who thinks for bots."""
