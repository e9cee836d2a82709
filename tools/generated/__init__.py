"""Generators of committed files: see `generated` in the Makefile."""
