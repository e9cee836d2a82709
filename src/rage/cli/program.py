"""How the program was invoked, so that the commands in hints can be copied."""

from __future__ import annotations

import os
import shutil
import sys

from rage.extras import command_line


def program_name() -> str:
    """The command as it was invoked: ``rage``, or with its path, such as ``.venv/bin/rage``."""
    path = sys.argv[0]
    name = os.path.basename(path)
    if name == "__main__.py":
        return command_line([os.path.basename(sys.executable), "-m", "rage"])
    if os.path.splitext(name)[0] != "rage" or not os.path.isfile(path):
        return "rage"
    found = shutil.which("rage")
    if found is not None and os.path.samefile(found, path):
        return "rage"
    near = os.path.relpath(path)
    return command_line([path if near.startswith(os.pardir) else near])
