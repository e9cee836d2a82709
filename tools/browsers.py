"""Finds the real Chromiums in which the page is tested, or installs them where possible.

    python -m tools.browsers       make sure they are installed

A distribution's own Chromium is as good as Playwright's; ``CHROMIUM`` names another. Best is its
headless shell, the same browser without windows: with it, the tests take two thirds of the time.

The oldest available Chromium is from 2021, older than any that the page is built for. An npm
package has it, for Linux on x86-64; it is unpacked into the environment. Elsewhere the tests with
it are skipped, and say so; with RAGE_NO_SKIPS set, they fail.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from tools.node import NODE, NPM, run_node

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
                "google-chrome-stable", "chrome")  # fmt: skip
PACKAGES: Final = ("chromium-headless-shell", "chromium")
#: The path of the oldest one, and the npm package that contains it, compressed.
OLDEST: Final = Path(sys.prefix) / "chromium-92"
OLD_OPTIONS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
_OLDEST_PACKAGE: Final = "chrome-aws-lambda@10.1.0"
_UNPACK: Final = """
    const { readFileSync, writeFileSync } = require('node:fs');
    const { brotliDecompressSync } = require('node:zlib');
    const [packed, path] = process.argv.slice(1);
    writeFileSync(path, brotliDecompressSync(readFileSync(packed)), { mode: 0o755 });
"""


def found() -> str | None:
    """The path of a Chromium on this machine, if there is one."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def of_playwright() -> str | None:
    """The path of the Chromium that Playwright has installed, if any."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def install() -> None:
    """Install a Chromium, as root from the distribution, otherwise with Playwright. Raises
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


def oldest_runs() -> bool:
    """Return whether the oldest Chromium is installed and runs."""
    command = [str(OLDEST), *OLD_OPTIONS, "--dump-dom", "about:blank"]
    try:
        run = subprocess.run(command, capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"<html>" in run.stdout


def fetch_oldest() -> None:
    """Fetch and unpack the oldest Chromium. Raises ``OSError`` and
    ``subprocess.CalledProcessError``."""
    with tempfile.TemporaryDirectory() as folder:
        asked = [NODE, NPM, "pack", "--silent", "--fetch-retries=2", _OLDEST_PACKAGE]
        subprocess.run(asked, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (package,) = Path(folder).glob("*.tgz")
        with tarfile.open(package) as packed:
            packed.extract("package/bin/chromium.br", folder)
        run_node("-e", _UNPACK, f"{folder}/package/bin/chromium.br", str(OLDEST))


def see_to_oldest() -> int:
    """Make sure that the oldest Chromium is installed. Returns the exit status."""
    if not oldest_runs() and (sys.platform, platform.machine()) == ("linux", "x86_64"):
        print("Fetching a Chromium of 2021, for what old browsers show ...", file=sys.stderr)
        try:
            fetch_oldest()
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"That did not work: {error}", file=sys.stderr)
    if oldest_runs():
        return 0
    print("The test with an old Chromium will be skipped.")
    return 1 if os.environ.get("RAGE_NO_SKIPS") else 0


def main() -> int:
    """Make sure that the browsers are installed. Returns the exit status."""
    if found() or of_playwright():
        return see_to_oldest()
    print("Installing Chromium, in which the page is tried ...", file=sys.stderr)
    try:
        install()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"No Chromium could be installed: {error}", file=sys.stderr)
        print("Install one and say where it is: CHROMIUM=/path/to/chromium", file=sys.stderr)
        return 1
    return see_to_oldest()


if __name__ == "__main__":
    sys.exit(main())
