"""Codes of score sheets: short, easy to read out, and wrong ones are noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters that are not mistaken for each other on paper."""
_READ_AS = str.maketrans("ILO", "110")
_LENGTH = 7


def sheet_code(championship: str, stage: str, sitting: int, table: int, numbers: Sequence[int]) -> str:
    """The code of a score sheet: it changes with the table and with who sits there.

    >>> sheet_code("club", "round1", 1, 3, [7, 2, 5, 3])
    'Q5MF-Y76W'
    """
    text = "\n".join([championship, stage, str(sitting), str(table), *map(str, numbers)])
    value = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    signs = ""
    for _ in range(_LENGTH):
        value, place = divmod(value, len(_SIGNS))
        signs += _SIGNS[place]
    signs += _check_sign(signs)
    return f"{signs[:4]}-{signs[4:]}"


def _check_sign(signs: str) -> str:
    """A last sign that any one mistyped sign changes: the weights are odd, and 32 has no odd divisor."""
    total = sum((2 * place + 1) * _SIGNS.index(sign) for place, sign in enumerate(signs))
    return _SIGNS[total % len(_SIGNS)]


def parse_code(text: str) -> str | None:
    """A typed code in its proper form, or None if it cannot be right.

    >>> parse_code("q5mf y76w")
    'Q5MF-Y76W'
    >>> parse_code("Q5MF-Y76X") is None
    True
    """
    signs = "".join(sign for sign in text.upper().translate(_READ_AS) if sign not in "- ")
    if len(signs) != _LENGTH + 1 or any(sign not in _SIGNS for sign in signs):
        return None
    return f"{signs[:4]}-{signs[4:]}" if _check_sign(signs[:-1]) == signs[-1] else None
