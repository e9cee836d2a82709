"""How the program was invoked, so that commands in hints can be copied, and its browser."""

from __future__ import annotations

import os
import shutil
import sys

from rage.extras import command_line


def program_name() -> str:
    """The command as it was invoked: ``rage``, or with its path, such as ``.venv/bin/rage``; or
    ``python -m rage``."""
    path = sys.argv[0]
    name = os.path.basename(path)
    if name == "__main__.py":
        python = os.path.basename(sys.executable)
        # That of an environment is a link to one outside, which has no Rage.
        found = shutil.which(python) == sys.executable
        return command_line([python if found else _nearest(sys.executable), "-m", "rage"])
    if os.path.splitext(name)[0] != "rage" or not os.path.isfile(path):
        return "rage"
    program = shutil.which("rage")
    if program is not None and os.path.samefile(program, path):
        return "rage"
    return command_line([_nearest(path)])


def _nearest(path: str) -> str:
    """The relative path, if it leads below this folder; otherwise the path as it is."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive of Windows
        return path
    return path if near.startswith(os.pardir) else near


def has_browser() -> bool:
    """Returns whether there is a screen to open a browser on, or ``BROWSER`` names what opens
    one."""
    if os.environ.get("BROWSER"):
        return True
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return not os.environ.get("SSH_CONNECTION")


def open_in_browser(url: str) -> bool:
    """Open an address in the desktop's browser. Returns whether that could be started."""
    import webbrowser

    return webbrowser.open(url)
