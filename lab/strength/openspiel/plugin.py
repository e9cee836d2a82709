"""Compiles ``rage.cc`` against the headers of OpenSpiel's wheel, and loads it into its process.

Nothing of OpenSpiel is built: its wheel brings the headers, and its library has the symbols."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import gettempdir
from typing import Any, Final

from rage.bots import worlds
from rage.engine import kernel
from rage.engine.position import Position

_SOURCE: Final = Path(__file__).with_name("rage.cc")
#: The functions of our kernel that the game calls, in the order of its record.
_FUNCTIONS: Final = (
    (kernel, "legal_set"),
    (kernel, "apply"),
    (worlds, "note_unseen"),
    (worlds, "draw_world"),
    (worlds, "fill_world"),
)
#: The offset of a struct in a Cython object: after its type and two pointers.
_HEADER: Final = object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)


class Plugin:
    """The game in OpenSpiel. Raises ``RuntimeError`` if it is not available: no Linux, no compiler,
    no OpenSpiel, or our kernel not compiled."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(str(_built()))
        pointers = (ctypes.c_void_p * len(_FUNCTIONS))(*(_pointer(*each) for each in _FUNCTIONS))
        self._library.rage_use(pointers)
        self._library.rage_begin.argtypes = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int] * 2)
        import pyspiel

        self._load: Any = pyspiel.load_game

    def state(self, position: Position) -> Any:
        """OpenSpiel's state of what the seat to act sees. Its rules must live until the search is
        over, and only one search may run at a time. Raises ``RuntimeError`` if bids are hidden,
        which the game does not support."""
        if position.hides_bids or position.to_act is None:
            raise RuntimeError("OpenSpiel's search is for open bids, and for a seat that is to act")
        self._root = masked = position.masked(position.to_act)
        state, rules = _addresses(masked, self._library.rage_position_size())
        sides = masked.rules.ruleset.teams or masked.rules.players
        if not self._library.rage_begin(state, rules, masked.rules.players, sides):
            raise RuntimeError("no deal fits what has been seen")
        return self._load("rage_round").new_initial_state()


@cache
def plugin() -> Plugin:
    """The game, loaded once."""
    return Plugin()


def _addresses(position: Position, size: int) -> tuple[int, int]:
    """The addresses of the state of a position, and of its rules. The object holds the state and,
    after it, both addresses, which proves that its layout is as assumed."""
    state = id(position) + _HEADER
    noted = ctypes.c_void_p.from_address(state + size).value
    rules = ctypes.c_void_p.from_address(state + size + ctypes.sizeof(ctypes.c_void_p)).value
    if noted != state or rules is None:
        raise RuntimeError("a Position is not laid out as rage.cc has it")
    return state, rules


def _pointer(module: Any, name: str) -> int:
    """The address of a function that a compiled module exports."""
    capsule = module.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, (ctypes.py_object,)
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)
    found: int = pointer_of(capsule, capsule.name)
    return found


def _built() -> Path:
    """The compiled game, built when it is first needed; and OpenSpiel's library with its symbols
    made global."""
    found = find_spec("pyspiel")
    compiler = which("g++")
    if sys.platform != "linux" or found is None or found.origin is None or compiler is None:
        raise RuntimeError("it needs Linux, g++ and open_spiel")
    if not kernel.COMPILED:
        raise RuntimeError("it needs the compiled kernel")
    import pyspiel  # before its library is asked for again

    library, site = Path(pyspiel.__file__), Path(found.origin).parent
    ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL | os.RTLD_NOLOAD)
    key = sha256(_SOURCE.read_bytes() + version("open_spiel").encode()).hexdigest()[:16]
    target = Path(gettempdir()) / f"rage-openspiel-{os.getuid()}" / f"{key}.so"
    if not target.exists():
        target.parent.mkdir(mode=0o700, exist_ok=True)
        own = target.with_name(f"{key}-{os.getpid()}.so")
        spiel = site / "open_spiel"
        includes = [f"-I{each}" for each in (site, spiel / "abseil-cpp", spiel / "json/include")]
        words = [compiler, "-std=c++20", "-O3", "-fPIC", "-shared", "-w", *includes]
        done = subprocess.run(
            [*words, str(_SOURCE), "-o", str(own)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"rage.cc does not compile:\n{done.stderr[-2000:]}")
        own.replace(target)
    return target
