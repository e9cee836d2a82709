"""Stand-ins for C when the compiled modules run as plain Python.

A struct is a class, made from the `.pxd` that declares it. The rest replaces the module ``cython``,
a build requirement that need not be installed to play.
"""

from __future__ import annotations

import re
from array import array
from contextlib import nullcontext
from dataclasses import dataclass, field
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, ClassVar

compiled = False
nogil = nullcontext()

#: The number types of C, and their codes in :mod:`array`.
_CODES = {
    "int": "i", "int16_t": "h", "int32_t": "i", "int64_t": "q",
    "uint8_t": "B", "uint16_t": "H", "uint64_t": "Q", "float": "f", "double": "d",
}  # fmt: skip


class Struct:
    """A C struct. A subclass has the fields that the `.pxd` of the module ``of`` declares under its
    name: numbers start as 0, arrays as lists of zeros, and pointers as ``None``."""

    codes: ClassVar[dict[str, str]]
    _numbers: ClassVar[list[str]]
    _arrays: ClassVar[list[str]]

    if TYPE_CHECKING:

        def __init__(self, *fields: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(cls, of: str) -> None:
        package, _, module = of.rpartition(".")
        pxd = (get_data(package, f"{module}.pxd") or b"").decode()
        (body,) = re.findall(rf"^cdef struct {cls.__name__}:\n((?:    .*\n)+)", pxd, re.MULTILINE)
        declared = re.findall(r"^    (\w+\**) (\w+)(?:\[(\d+)\])?$", body, re.MULTILINE)
        cls.codes = {name: _CODES[kind] for kind, name, _ in declared if kind in _CODES}
        cls._arrays = [name for _, name, size in declared if size]
        cls._numbers = [name for _, name, size in declared if not size]
        for kind, name, size in declared:
            setattr(cls, name, _first(kind, int(size or 0)))
        fields = {name: "Any" for _, name, _ in declared} | cls.__annotations__
        type.__setattr__(cls, "__annotations__", fields)  # a declaration would be half a type
        dataclass(cls, eq=False, repr=False)

    def assign(self, other: Struct) -> None:
        """Copy every field of ``other``."""
        for name in self._arrays:
            getattr(self, name)[:] = getattr(other, name)
        for name in self._numbers:
            setattr(self, name, getattr(other, name))

    def packed(self) -> bytes:
        """The bytes of a struct of numbers, without padding."""
        fields = ((code, getattr(self, name)) for name, code in self.codes.items())
        return b"".join(array(c, v if isinstance(v, list) else [v]).tobytes() for c, v in fields)


def _first(kind: str, size: int) -> Any:
    """The initial value of a field."""
    pointer = kind.endswith("*")
    if not pointer and kind not in _CODES:
        made = {each.__name__: each for each in Struct.__subclasses__()}
        return field(default_factory=made[kind])
    zero = None if pointer else array(_CODES[kind], bytes(8))[0]
    return field(default_factory=lambda: [zero] * size) if size else zero


class Moves(Struct, of="rage.engine.kernel"):
    """A set of moves as 128 bits: bit *m* of ``lo`` (m < 64) or bit *m* - 64 of ``hi``."""


class State(Struct, of="rage.engine.kernel"):
    """A whole game. Adding 1 gives the next state of an array, made when first needed."""

    _after: State | None = None

    def __add__(self, steps: int) -> State:
        if self._after is None:
            self._after = State()
        return self._after if steps == 1 else self._after + (steps - 1)


class RuleTable(Struct, of="rage.engine.kernel"):
    """The rules as numbers and masks."""


class Generator(Struct, of="rage.engine.kernel"):
    """A random generator, and the pack that it shuffles."""


class Totals(Struct, of="rage.engine.kernel"):
    """Counts over games."""
