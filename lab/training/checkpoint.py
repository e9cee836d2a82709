"""Writing and reading a checkpoint of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch


def write_checkpoint(state: dict[str, Any], path: Path) -> None:
    """Write a checkpoint: first beside the old one, then in its place."""
    torch.save(state, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def restore(path: Path, take: Callable[[dict[str, Any]], None]) -> None:
    """Read a checkpoint and pass it to ``take``. Ends the program with one line if it is
    unreadable, or of a network of another size."""
    try:
        take(torch.load(path, weights_only=True))
    except OSError as error:
        raise SystemExit(f"training: {path}: {error.strerror}") from None
    except (UnpicklingError, RuntimeError, EOFError, KeyError, TypeError, ValueError):
        why = "is damaged, or that of a network of another size; name another folder"
        raise SystemExit(f"training: {path} {why}") from None
