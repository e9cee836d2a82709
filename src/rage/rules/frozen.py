"""Values that cannot be changed."""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


class Frozen:
    """A value that cannot be changed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")


@dataclass_transform(frozen_default=True)
class Value(Frozen):
    """A value of the fields that a class declares, equal to others of its own kind only. (Not a
    dataclass: importing these would take longer than ``import rage``.)"""

    _fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values, strict=False))
        if len(values) > len(self._fields) or given.keys() & named.keys():
            raise TypeError(f"the fields of {type(self).__name__} are {', '.join(self._fields)}")
        self._set(**given, **named)

    def _set(self, **given: Any) -> None:
        """Set all fields, the others to their defaults, and check them."""
        for name in self._fields:
            if name not in given and not hasattr(self, name):
                raise TypeError(f"{type(self).__name__} needs {name}")
            self.__dict__[name] = given.pop(name) if name in given else getattr(self, name)
        if given:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(given)}")
        self._check()

    def _check(self) -> None:
        """Raise an error for fields that do not fit."""

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new one."""
        return type(self)(**{**vars(self), **changes})

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"
