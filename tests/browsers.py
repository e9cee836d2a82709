"""The real Chromium in which the page is tried: found, or installed where it can be.

    python tests/browsers.py       see to it that there is one

A distribution's own Chromium is as good as Playwright's; ``CHROMIUM`` names another. Best is its
headless shell, which is the same browser without windows: the tests take two thirds of the time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Final

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
                "google-chrome-stable", "chrome")  # fmt: skip
PACKAGES: Final = ("chromium-headless-shell", "chromium")


def found() -> str | None:
    """The path of a Chromium of this machine."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def of_playwright() -> str | None:
    """The path of the Chromium that Playwright has installed, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def install() -> None:
    """Install one, from the distribution where we may, otherwise by Playwright. Raises
    ``subprocess.CalledProcessError``."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=True)
        known = subprocess.run(
            ["apt-cache", "pkgnames", "chromium"], capture_output=True, text=True
        )
        package = next(each for each in PACKAGES if each in (*known.stdout.split(), PACKAGES[-1]))
        command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]
        subprocess.run(command, env=quiet, check=True, stdout=subprocess.DEVNULL)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def main() -> int:
    """See to it that there is a browser; the status to exit with."""
    if found() or of_playwright():
        return 0
    print("Installing Chromium, in which the page is tried ...", file=sys.stderr)
    try:
        install()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"No Chromium could be installed: {error}", file=sys.stderr)
        print("Install one and say where it is: CHROMIUM=/path/to/chromium", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
