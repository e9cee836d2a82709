"""Runs tables and answers the people at them, without a socket."""
