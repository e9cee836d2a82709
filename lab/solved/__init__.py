"""What is known exactly of Rage so small that it can be solved (``docs/solved.md``)."""
