"""What PyInstaller asks for, by an entry point: commands are imported by name, and sentences,
scenes, networks and the page are data, so it would find none of them."""

from __future__ import annotations

from pathlib import Path


def hook_dirs() -> list[str]:
    """The folder with the hook."""
    return [str(Path(__file__).parent)]
