"""The embedded store: a file in the data folder of one server, written by its own process."""
