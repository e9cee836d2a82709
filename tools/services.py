"""Finds or fetches the proxies, the databases and the Prometheus tool with which docs/hosting.md
and docs/servers.md are tested.

    python -m tools.services           make sure they are available
    python -m tools.services --long    and what builds the image, which long tests do

nginx, Caddy and promtool are fetched as Debian packages and unpacked into the environment: nothing
is installed system-wide, and nothing started. HAProxy, PostgreSQL and PgBouncer need libraries, so
they are installed where that is permitted. Elsewhere the tests with them are skipped, and say so;
with RAGE_NO_SKIPS set, they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from glob import glob
from pathlib import Path
from typing import Final

#: Each program that is unpacked, and the packages that may contain it.
PACKAGES: Final = {
    "nginx": ("nginx", "nginx-core"),
    "caddy": ("caddy",),
    "promtool": ("prometheus",),
}
PROXIES: Final = ("nginx", "caddy")
#: Each program that is installed, and its package.
INSTALLED: Final = {"haproxy": "haproxy", "postgres": "postgresql", "pgbouncer": "pgbouncer"}
#: The same for what only long tests need: they build the image.
LONG: Final = {"buildah": "buildah", "mmdebstrap": "mmdebstrap"}
NAMES: Final = (*PACKAGES, *INSTALLED)
_UNPACKED: Final = Path(sys.prefix) / "proxies"
#: Where distributions put programs for administrators.
_ALSO: Final = ("/usr/local/sbin", "/usr/sbin", *(str(_UNPACKED / "usr" / each)
                                                  for each in ("sbin", "bin")))  # fmt: skip


def found(name: str) -> str | None:
    """The path of a program on this machine, if it is there."""
    places = [*_ALSO, *sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(places))


def fetch(name: str) -> None:
    """Fetch a program and unpack it, or install it. Raises ``subprocess.CalledProcessError``."""
    if package := (INSTALLED | LONG).get(name):
        command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, check=True, env=quiet, stdout=subprocess.DEVNULL)
        return
    for package in PACKAGES[name]:
        with tempfile.TemporaryDirectory() as folder:
            asked = ["apt-get", "download", "-qq", package]
            subprocess.run(asked, cwd=folder, check=True, stderr=subprocess.DEVNULL)
            for file in Path(folder).glob("*.deb"):
                subprocess.run(["dpkg-deb", "-x", file, _UNPACKED], check=True)
        if found(name):
            return


def main() -> int:
    """Make sure that all programs are available. Returns the exit status."""
    names = (*NAMES, *LONG) if "--long" in sys.argv else NAMES
    missing = [name for name in names if found(name) is None]
    if missing and shutil.which("apt-get") and shutil.which("dpkg-deb"):
        print(f"Fetching {' and '.join(missing)}, with which hosting is tried ...", file=sys.stderr)
        try:
            if hasattr(os, "geteuid") and os.geteuid() == 0:
                subprocess.run(["apt-get", "update", "-qq"], check=True)
            for name in missing:
                fetch(name)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"That did not work: {error}", file=sys.stderr)
    lacking = [name for name in names if found(name) is None]
    for name in lacking:
        print(f"The tests with {name} will be skipped; with it installed, they run, too.")
    return 1 if lacking and os.environ.get("RAGE_NO_SKIPS") else 0


if __name__ == "__main__":
    sys.exit(main())
