"""Data classes that are made in a fifth of the time. The standard decorator writes nine functions for a frozen one and
compiles each by itself, and the agent loads some hundred and sixty such classes before its first answer. Here one,
`__init__`, is compiled, when it is first called, and the others are shared. What comes out is a data class: `fields`
and `replace` know it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 others import it from here
else:

    def dataclass(cls=None, *, frozen=False, slots=False, kw_only=False, **others):
        """As dataclasses.dataclass; a class with slots that asks for nothing rare is made here."""

        def made(cls):
            if not slots or others or _is_rare(cls, frozen):
                return dataclasses.dataclass(cls, frozen=frozen, slots=slots, kw_only=kw_only, **others)
            return _made(cls, frozen, kw_only)

        return made if cls is None else made(cls)


def _is_rare(cls: type, frozen: bool) -> bool:
    """Whether it asks for what is left to the standard decorator: variables of `__init__` alone, fields that are hashed
    in their own way or never given, a function of its own instead of one that is made here, a base that is open or not
    made here."""
    bases = cls.__mro__[1:-1]
    return (
        any("InitVar" in str(kind) for kind in get_annotations(cls).values())
        or any(isinstance(one, dataclasses.Field) and _is_odd(one) for one in vars(cls).values())
        or not _OWN.isdisjoint(cls.__dict__)
        or any("__slots__" not in base.__dict__ for base in bases)
        or any(
            not frozen or base.__dict__["__dataclass_params__"].frozen
            for base in bases
            if dataclasses.is_dataclass(base)
        )
    )


def _is_odd(field: dataclasses.Field[Any]) -> bool:
    has_usual = (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
    return field.hash is not None or (not field.init and has_usual)


_OWN = frozenset(("__init__", "__eq__", "__hash__", "__repr__", "__setattr__", "__delattr__", "__getstate__"))


def _made(cls: type, frozen: bool, kw_only: bool) -> type:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # else the standard decorator works out a signature
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
    made.__init__, made.__repr__ = _first_call(made), _repr
    compared = _compared(tuple(field.name for field in dataclasses.fields(made) if field.compare))
    made.__eq__, made.__hash__ = _eq(compared), _hash(compared) if frozen else None
    if frozen:
        made.__setattr__, made.__delattr__ = _setattr, _delattr
        made.__getstate__, made.__setstate__ = _getstate, _setstate
    return cast(type, made)


def _first_call(cls: type) -> Callable[..., None]:
    """What stands in a class until its first record is made: half of the classes have none before the first answer."""

    def first(self: Any, *arguments: Any, **named: Any) -> None:
        function = _compiled(cls, dataclasses.fields(cls))
        function.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = function  # type: ignore[misc]
        function(self, *arguments, **named)

    return first


def _compiled(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """Its `__init__`, as code of its own."""
    known: dict[str, Any] = {"_unset": _UNSET}
    usual, named, body = ["self"], ["*"], []
    for field in fields:
        name = field.name
        if not field.init:
            continue  # `__post_init__` sets it
        known[f"_set_{name}"] = getattr(cls, name).__set__  # the slot's own, which a frozen record has left
        argument, value = name, name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            argument, value = f"{name}=_unset", f"_make_{name}() if {name} is _unset else {name}"
        elif field.default is not dataclasses.MISSING:
            known[f"_usual_{name}"] = field.default
            argument = f"{name}=_usual_{name}"
        (named if field.kw_only else usual).append(argument)
        body.append(f" _set_{name}(self, {value})\n")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()\n")
    arguments = ", ".join((*usual, *(named if len(named) > 1 else ())))
    # the names of fields, as the standard decorator does it
    exec(f"def __init__({arguments}):\n{''.join(body) or ' pass'}\n", known)  # noqa: S102
    return known["__init__"]


def _compared(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """What of a record is compared, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    only = attrgetter(*names)
    return lambda self: (only(self),)


def _eq(compared: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    return __eq__


def _hash(compared: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(compared(self))

    return __hash__


_UNSET: Any = object()


def _repr(self: Any) -> str:
    shown = (
        f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> Mapping[str, Any]:
    return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def _setstate(self: Any, state: Mapping[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)
