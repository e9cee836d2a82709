"""Rage's compiled modules for Pyodide, made without Emscripten.

They call nothing but Python and four functions of C, so clang and its linker suffice. WASI's C
types are those of Emscripten, and with them Python's headers.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tools.alone import CACHE, HERE, ROOT, Failed

#: What the packages of the compiler are, with hashes.
_PACKAGES: Final = HERE / "compiler.txt"
#: Where setup.py has Cython write C.
_C: Final = ROOT / "build" / "cython" / "src"
_COMPILE: Final = (
    "cc", "-c", "-target", "wasm32-wasi", "-fPIC", "-O3", "-g0", "-msimd128", "-DNDEBUG",
    "-fno-strict-overflow", "-w", "-I", str(ROOT / "src" / "rage" / "bots"),
)  # fmt: skip
_LINK: Final = (
    "wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic",
    "--import-memory", "--strip-all", "-Bsymbolic",
)  # fmt: skip
_UNCOMPILED: Final = """\
The compiler could not be fetched (why, is above), so the folder stays uncompiled: steady stands in
for bots that look ahead, and games are not analysed."""
_SUFFIX: Final = ".cpython-314-wasm32-emscripten.so"


def compiler() -> Path | None:
    """The folder of the compiler and the headers, fetched once; ``None`` if they cannot be had."""
    folder = CACHE / f"compiler-{hashlib.sha256(_PACKAGES.read_bytes()).hexdigest()[:16]}"
    if not folder.exists():
        made = folder.with_suffix(".new")
        asked = ("--no-deps", "--only-binary=:all:", "--require-hashes", "--no-compile", "--quiet")
        command = [sys.executable, "-m", "pip", "install", *asked, "--upgrade", "--target"]
        command += [str(made), "--requirement", str(_PACKAGES)]
        if subprocess.run(command, check=False).returncode:
            print(_UNCOMPILED, file=sys.stderr)
            return None
        made.rename(folder)
    return folder


def sources() -> dict[str, bytes]:
    """The C of the compiled modules, up to date, by path in Python's library."""
    environment = {**os.environ, "RAGE_NO_PAGE": "1", "RAGE_PURE": ""}
    command = [sys.executable, "setup.py", "--quiet", "--name"]  # writes what is out of date
    subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^MODULES = (\(.*?^\))", text, re.MULTILINE | re.DOTALL)
    names = [f"{name.replace('.', '/')}.c" for name in ast.literal_eval(listed)]
    return {name: (_C / name).read_bytes() for name in names}


def build(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Compile some C files, with the compiler in ``folder``. Returns Python's extensions by path.
    Raises :class:`Failed`."""
    zig = str(folder / "ziglang" / "zig")
    headers = str(folder / "wasmpy_build" / "include" / "cp314")
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(CACHE / "zig")}

    def make(name: str) -> tuple[str, bytes]:
        module = name.removesuffix(".c")
        made = f"{work}/{module.replace('/', '.')}"
        entry = f"--export=PyInit_{module.rpartition('/')[2]}"
        for command in (
            [zig, *_COMPILE, "-I", headers, name, "-o", f"{made}.o"],
            [zig, *_LINK, entry, f"{made}.o", "-o", f"{made}.so"],
        ):
            if subprocess.run(command, cwd=_C, env=environment, check=False).returncode:
                raise Failed(f"{name} could not be compiled; why, is above.")
        return f"{module}{_SUFFIX}", Path(f"{made}.so").read_bytes()

    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(make, names))
