"""Compiles the kernel where there is a C compiler; without one the same source runs as it is.

``RAGE_NATIVE=1`` builds for this very machine, ``RAGE_PURE=1`` leaves everything uncompiled.
"""

import os

from setuptools import Extension, setup

MODULES = ("rage.kernel", "rage.position", "rage.encode", "rage.bots.worth", "rage.bots.steady")


def extensions() -> list[Extension]:
    if os.environ.get("RAGE_PURE"):
        return []
    from Cython.Build import cythonize

    flags = [] if os.name == "nt" else ["-O3"]
    if os.environ.get("RAGE_NATIVE"):
        flags.append("-march=native")
    modules = [
        Extension(name, [f"src/{name.replace('.', '/')}.py"], extra_compile_args=flags)
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


setup(ext_modules=extensions())
