"""The proxies of docs/hosting.md, with which it is tried: found, or installed where they can be.

    python tests/proxies.py       see to it that they are there

Where they may not be installed for everybody, the tests with them are skipped, and say so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Final

NAMES: Final = ("nginx", "caddy")
#: Where a distribution puts what only those who look after a machine are meant to start.
_ALSO: Final = os.pathsep.join(("/usr/local/sbin", "/usr/sbin", "/sbin"))


def found(name: str) -> str | None:
    """The path of a proxy of this machine."""
    return shutil.which(name) or shutil.which(name, path=_ALSO)


def install(names: list[str]) -> None:
    """Install proxies from the distribution. Raises ``subprocess.CalledProcessError``."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}  # not started
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=True)
    command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *names]
    subprocess.run(command, env=quiet, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """See to it that there are proxies; the status to exit with."""
    missing = [name for name in NAMES if found(name) is None]
    if not missing:
        return 0
    named = " and ".join(missing)
    if not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        print(f"The tests with {named} will be skipped: install them to run those, too.")
        return 0
    print(f"Installing {named}, with which the page about hosting is tried ...", file=sys.stderr)
    try:
        install(missing)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{named} could not be installed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
