"""The Python part of the folder: Pyodide, its library cut to the modules used, and Rage."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tools.alone import CACHE, HERE, ROOT, Failed, modules
from tools.node import NODE

PYODIDE: Final = ROOT / "web" / "node_modules" / "pyodide"
#: The files of Pyodide that the browser loads in addition to its library.
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY: Final = "python_stdlib.zip"
LOCK: Final = "pyodide-lock.json"
#: The platform of its wheels, for pip.
TARGET: Final = (
    "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--abi", "cp314",
)  # fmt: skip

#: The packages all of whose modules are included, with their imports.
PACKAGES: Final = ("rage.house.alone",)
#: Modules that no import statement names: the C code of others imports them.
MODULES: Final = ("encodings.ascii", "encodings.cp437", "encodings.latin_1", "sqlite3.dump")
#: Modules left out, with everything below them, although something imports them, and why.
WITHOUT: Final[Mapping[str, Iterable[str]]] = {
    "Python's prompt": ("_pyrepl", "pydoc", "rlcompleter"),
    "command lines of modules": ("argparse", "getopt"),
    "processes and interpreters": (
        "concurrent.futures.interpreter",
        "concurrent.futures.process",
    ),
    "networks": ("urllib.error", "urllib.request"),
    "what C code does here": ("_py_abc", "_pydatetime"),
    "installing": ("importlib.metadata", "py_compile", "tarfile"),
    "formats that nothing reads": ("tomllib",),
    "which machine this is": ("platform",),
    "how errors are shown": ("difflib", "pprint", "tracemalloc"),
}
#: Files beside modules that nobody reads who runs them.
_OF_BUILDS: Final = (".py", ".pyi", ".typed", ".h", ".c")
#: The modules that stand for C structs where nothing is compiled, for which they read ``.pxd``.
UNCOMPILED: Final = ("rage.bots.uncompiled", "rage.engine.uncompiled")
#: How sentences begin that no module here says: those of the page, which has its own, and of what
#: needs a terminal; and which of them are named all the same.
UNSAID: Final = (
    "admin", "argparse", "arena", "backup", "cannot", "cli", "fact", "lab", "learn", "page",
    "plain", "restore", "saved", "tui", "verify",
)  # fmt: skip
NAMED: Final = ("cli.no_out", "page.after.copy_link")
#: Imports of our own modules that they do without here.
DONE_WITHOUT: Final = {
    "cython": "compiling",
    "msvcrt": "Windows",
    "webauthn": "passkeys, which a server offers",
}


class Python(NamedTuple):
    """The result of a build: files by path in the folder, the modules in them, and the versions of
    the components by name."""

    files: dict[str, Path]
    modules: list[str]
    versions: dict[str, str]


def wheel() -> Path:
    """The file of msgspec for Pyodide, fetched once. Raises :class:`Failed`."""
    name, version, digest = _required()
    if f"\n{name}=={version} " not in (ROOT / "constraints.txt").read_text(encoding="utf-8"):
        raise Failed(f"tools/alone/requirements.txt has {name} {version}, not as constraints.txt.")
    for found in CACHE.glob(f"{name}-{version}-*.whl"):
        if hashlib.sha256(found.read_bytes()).hexdigest() == digest:
            return found
    asked = ("--no-deps", "--only-binary=:all:", "--require-hashes", "--quiet", *TARGET)
    command = [sys.executable, "-m", "pip", "download", *asked, "--dest", str(CACHE)]
    command += ["--requirement", str(HERE / "requirements.txt")]
    done = subprocess.run(command, check=False)
    if done.returncode:
        raise Failed("pip could not fetch the wheel of msgspec for Pyodide; why, is above.")
    return next(CACHE.glob(f"{name}-{version}-*.whl"))


def _required() -> tuple[str, str, str]:
    """The only third-party library: its name, its version and the hash of its file."""
    text = (HERE / "requirements.txt").read_text(encoding="utf-8")
    (found,) = re.findall(r"^(\w+)==(\S+) --hash=sha256:(\w+)$", text, re.MULTILINE)
    name, version, digest = found
    return name, version, digest


def build() -> Python:
    """Build Python, unless the same sources were built before. Raises :class:`Failed`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel()) as opened:
        given = {name: opened.read(name) for name in opened.namelist()}
    given |= {f"rage/{name}": path.read_bytes() for name, path in _files_of_rage()}
    given |= {name: _said(given[name]) for name in given if name.startswith("rage/locale/")}
    compiler = modules.compiler()
    c = modules.sources() if compiler else {}
    without = [each for names in WITHOUT.values() for each in names]
    if compiler:
        without += UNCOMPILED
        given = {name: body for name, body in given.items() if not name.endswith(".pxd")} | c
    asked = {
        "packages": PACKAGES,
        "modules": MODULES,
        "without": without,
        "compiled": [name.removesuffix(".c").replace("/", ".") for name in c],
    }
    digest = hashlib.sha256(json.dumps(asked).encode())
    tools = sorted(path for path in HERE.iterdir() if path.is_file())
    for source in (*tools, *(PYODIDE / each for each in RUNTIME)):
        digest.update(source.read_bytes())
    for name, body in sorted(given.items()):
        digest.update(f"{name} {hashlib.sha256(body).hexdigest()}\n".encode())
    work = CACHE / digest.hexdigest()[:16]
    if not (work / "found.json").exists():
        _compile(work, given, asked, compiler)
    found = json.loads((work / "found.json").read_text(encoding="utf-8"))
    platform = json.loads((work / LOCK).read_text(encoding="utf-8"))["info"]["platform"]
    emscripten = platform.removeprefix("emscripten_").replace("_", ".")
    versions = {**found["versions"], "emscripten": emscripten, "msgspec": _required()[1]}
    return Python(_named(work), found["needed"], versions)


def _files_of_rage() -> Iterator[tuple[str, Path]]:
    """The sources and data files of the package, with their paths in it."""
    package = ROOT / "src" / "rage"
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package).as_posix()
        built = name.startswith("server/page/") or "__pycache__" in name
        if path.is_file() and not built and path.suffix not in (".so", ".pyd"):
            yield name, path


def _said(catalogue: bytes) -> bytes:
    """A catalogue as small as it can be, with what is said here."""
    read = json.loads(catalogue).items()
    said = {key: words for key, words in read if key in NAMED or key.split(".")[0] not in UNSAID}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _compile(
    work: Path,
    given: Mapping[str, bytes],
    asked: Mapping[str, Iterable[str]],
    compiler: Path | None,
) -> None:
    """Compile the modules needed into ``work``, and add the data files of their packages."""
    shutil.rmtree(work, ignore_errors=True)
    made = work.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    _zip(made / "sources.zip", {name: given[name] for name in given if name.endswith(".py")})
    (made / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run([NODE, str(HERE / "compile.mjs"), str(made)], check=False)
    if done.returncode:
        raise Failed("Pyodide could not compile Python's modules; what it said is above.")
    found = json.loads((made / "found.json").read_text(encoding="utf-8"))
    missing = {each: by for each, by in found["nowhere"].items() if each not in DONE_WITHOUT}
    if missing:
        raise Failed(f"These modules are needed, but not there: {missing}")
    code = rf"[\"']((?:{'|'.join(UNSAID)})\.[^\"']*)"
    for name in found["needed"]:
        path = name.replace(".", "/")
        source = given.get(f"{path}.py") or given.get(f"{path}/__init__.py") or b""
        if said := {*re.findall(code, source.decode("utf-8"))} - {*NAMED}:
            raise Failed(f"{name} says what UNSAID leaves out: {said}")
    if found["unused"]:
        raise Failed(f"Nothing imports these, which need no mention in WITHOUT: {found['unused']}")
    lock = json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))
    (made / LOCK).write_text(json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8")
    with zipfile.ZipFile(made / "rage.zip", "a") as archive:
        files = {name: given[name] for name in _data(given, archive.namelist())}
        if compiler:
            needed = sorted({*asked["compiled"]} & {*found["needed"]})
            files |= modules.build(compiler, [f"{name.replace('.', '/')}.c" for name in needed])
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name), body)
    made.rename(work)


def _data(given: Iterable[str], modules: Iterable[str]) -> list[str]:
    """The data files of modules: files in their packages, and in plain folders inside these."""
    given = set(given)
    packages = {name.rpartition("/")[0] for name in modules}
    found = []
    for name in sorted(given):
        folder = name.rpartition("/")[0]
        while folder and f"{folder}/__init__.py" not in given:
            folder = folder.rpartition("/")[0]
        if folder in packages and not name.endswith(_OF_BUILDS):
            found.append(name)
    return found


def _zip(path: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name), body)


def _named(work: Path) -> dict[str, Path]:
    """The built files, by paths in the folder that change whenever the files do. Pyodide's file
    names are fixed, so its folder has the hash."""
    runtime = {each.name: each for each in (*(PYODIDE / name for name in RUNTIME), *_made(work))}
    folder, rage = f"python/{_hash(runtime.values())}", work / "rage.zip"
    named = {f"{folder}/{name}": path for name, path in runtime.items()}
    return named | {f"python/rage-{_hash([rage])}.zip": rage}


def _made(work: Path) -> tuple[Path, Path]:
    """The files that replace Pyodide's: its library, and the list of its packages, now empty."""
    return work / LIBRARY, work / LOCK


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
