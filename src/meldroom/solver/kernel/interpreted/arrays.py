"""What the kernels are made of when they are interpreted: lists and Python's own integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

Ints: TypeAlias = list[int]
Floats: TypeAlias = list[float]
Grid: TypeAlias = list[list[int]]
FloatGrid: TypeAlias = list[list[float]]
SingleGrid: TypeAlias = list[list[float]]
Octets: TypeAlias = bytes | bytearray
OctetRoom: TypeAlias = bytearray
OctetGrid: TypeAlias = list[bytearray]
Words: TypeAlias = list[int]
Room = TypeVar("Room")
Function = TypeVar("Function", bound=Callable[..., object])

_WORD = (1 << 64) - 1


def native(function: Function) -> Function:
    """A function that is called from outside, and compiled where kernels are compiled."""
    return function


def part(function: Function) -> Function:
    """A function that only other kernels call."""
    return function


def native_with_arrays(function: Function) -> Function:
    """Like `native`, for a function that makes arrays itself or calls one that does."""
    return function


def part_with_arrays(function: Function) -> Function:
    """Like `part`, for a function that makes arrays itself or calls one that does."""
    return function


def inlined(function: Function) -> Function:
    """A function that becomes a part of its caller where kernels are compiled."""
    return function


def ints(values: Iterable[int]) -> Ints:
    """An array of whole numbers."""
    return list(values)


def octets(data: bytes) -> Octets:
    """Bytes as an array."""
    return data


def octet_room(count: int) -> OctetRoom:
    """Room for so many bytes."""
    return bytearray(count)


def read_only(room: Room) -> Room:
    """The same room, for those who only read it."""
    return room


def octet_grid(rows: int, columns: int) -> OctetGrid:
    """Rows of bytes."""
    return [bytearray(columns) for _ in range(rows)]


def zeros(count: int) -> Ints:
    """An array of so many zeros."""
    return [0] * count


def floats(count: int) -> Floats:
    """An array of so many zeros, for fractions."""
    return [0.0] * count


def grid(rows: int, columns: int) -> Grid:
    """Rows of zeros."""
    return [[0] * columns for _ in range(rows)]


def float_grid(rows: int, columns: int) -> FloatGrid:
    """Rows of zeros, for fractions."""
    return [[0.0] * columns for _ in range(rows)]


def single_grid(rows: int, columns: int) -> SingleGrid:
    """Rows of zeros, for fractions of single precision."""
    return float_grid(rows, columns)


def words(count: int) -> Words:
    """An array of so many words of 64 bits."""
    return [0] * count


def listed(array: Ints, start: int, end: int) -> list[int]:
    """A part of an array as a list."""
    return array[start:end]


def word(value: int) -> int:
    """The lowest 64 bits, without a sign."""
    return value & _WORD


def signed(value: int) -> int:
    """A word as it is kept in an array."""
    return value
