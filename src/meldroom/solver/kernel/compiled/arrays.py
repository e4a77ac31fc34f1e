"""What the kernels are made of when they are compiled: numpy arrays and numba's compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types
from numba.core.options import DefaultOptions
from numba.extending import register_jitable
from numba.np import arrayobj
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Grid = NDArray[np.int64]
FloatGrid = NDArray[np.float64]
SingleGrid = NDArray[np.float32]
Octets = NDArray[np.uint8]
OctetRoom = NDArray[np.uint8]
OctetGrid = NDArray[np.uint8]
Words = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., object])

inlined = cast(Callable[[Function], Function], njit(inline="always"))

_KERNELS = __name__.rsplit(".", 1)[0]


def native(function: Function) -> Function:
    """A function that is called from outside: compiled and kept."""
    return _compiled(function, cache=True, **_BORROWING)


def part(function: Function) -> Function:
    """A function that only other kernels call: it is kept as a part of those, and cannot be called itself."""
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_BORROWING)


def native_with_arrays(function: Function) -> Function:
    """Like `native`, for a function that makes arrays itself or calls one that does."""
    return _compiled(function, cache=True)


def part_with_arrays(function: Function) -> Function:
    """Like `part`, for a function that makes arrays itself or calls one that does."""
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


# Kernels work on arrays of their callers and need not count references to them.
_BORROWING = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}


def _compiled(function: Function, **options: bool) -> Function:
    """Compiled once for whole numbers, not again for every number that stands in a call."""
    made: Any = njit(nogil=True, **options)(function)  # type: ignore[call-overload]
    resolve = made.get_call_template
    made.get_call_template = lambda args, kws: resolve(tuple(map(types.unliteral, args)), kws)
    return cast(Function, made)


def _without_wraparound(fix: Callable[..., Any]) -> Callable[..., Any]:
    """numba's way to read an index, less what makes -1 the last place: no kernel counts from the end.

    Other people's functions in this process are compiled as ever.
    """

    def fixed(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        module = getattr(getattr(context, "fndesc", None), "modname", "")
        if not kind.signed or not str(module).startswith(_KERNELS):
            return fix(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    return fixed


if hasattr(arrayobj, "fix_integer_index"):
    arrayobj.fix_integer_index = _without_wraparound(arrayobj.fix_integer_index)


def ints(values: Iterable[int]) -> Ints:
    """An array of whole numbers."""
    return np.array(list(values), np.int64)


def octets(data: bytes) -> Octets:
    """Bytes as an array."""
    return np.frombuffer(data, np.uint8)


def octet_room(count: int) -> OctetRoom:
    """Room for so many bytes."""
    return np.zeros(count, np.uint8)


def read_only(room: Octets) -> Octets:
    """The same room, for those who only read it: of the type that `octets` has."""
    seen = room.view()
    seen.flags.writeable = False
    return seen


def octet_grid(rows: int, columns: int) -> OctetGrid:
    """Rows of bytes."""
    return np.zeros((rows, columns), np.uint8)


@register_jitable
def zeros(count: int) -> Ints:
    """An array of so many zeros."""
    return np.zeros(count, np.int64)


@register_jitable
def floats(count: int) -> Floats:
    """An array of so many zeros, for fractions."""
    return np.zeros(count, np.float64)


@register_jitable
def grid(rows: int, columns: int) -> Grid:
    """Rows of zeros."""
    return np.zeros((rows, columns), np.int64)


@register_jitable
def float_grid(rows: int, columns: int) -> FloatGrid:
    """Rows of zeros, for fractions."""
    return np.zeros((rows, columns), np.float64)


def single_grid(rows: int, columns: int) -> SingleGrid:
    """Rows of zeros, for fractions of single precision."""
    return np.zeros((rows, columns), np.float32)


@register_jitable
def words(count: int) -> Words:
    """An array of so many words of 64 bits."""
    return np.zeros(count, np.uint64)


def listed(array: Ints, start: int, end: int) -> list[int]:
    """A part of an array as a list."""
    return cast(list[int], array[start:end].tolist())


@register_jitable
def word(value: Any) -> np.uint64:
    """The lowest 64 bits, without a sign."""
    return np.uint64(value)


@register_jitable
def signed(value: np.uint64) -> np.int64:
    """A word as it is kept in an array."""
    return np.int64(value)
