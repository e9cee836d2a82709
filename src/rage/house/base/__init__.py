"""Shared by the whole house: codes, errors, messages, and the interface for bots' thinking."""
