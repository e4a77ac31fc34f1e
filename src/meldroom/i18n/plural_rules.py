"""CLDR plural rules: from a number to the category that a language uses for it.

A rule is written as in Unicode's CLDR, e.g. `n % 10 = 2..4 and n % 100 != 12..14`. Operands: `n` and `i` (the
number and its whole part), `v` and `f` (how many decimals are shown, and which).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CATEGORIES = ("zero", "one", "two", "few", "many", "other")

_RELATION = re.compile(
    r"\s*(?P<operand>[nivf])\s*(?:%\s*(?P<modulus>\d+)\s*)?(?P<sign>!?=)\s*(?P<ranges>\d[\d., ]*)\s*\Z"
)


def category(number: float, rules: Mapping[str, str]) -> str:
    """The first category whose rule holds; `other` when none does.

    >>> english = {"one": "i = 1 and v = 0"}
    >>> category(1, english), category(0, english), category(1.5, english)
    ('one', 'other', 'other')
    >>> category(1.5, {"one": "i = 0,1"})
    'one'
    """
    operands = _operands(number)
    for name in CATEGORIES:
        if name in rules and _holds(rules[name], operands):
            return name
    return "other"


def _operands(number: float) -> dict[str, float]:
    whole, _, decimals = f"{abs(number)}".partition(".")
    decimals = decimals.rstrip("0")
    return {
        "n": abs(number),
        "i": int(whole),
        "v": len(decimals),
        "f": int(decimals or 0),
    }


def _holds(rule: str, operands: Mapping[str, float]) -> bool:
    return any(
        all(_relation(part, operands) for part in alternative.split(" and "))
        for alternative in rule.split(" or ")
    )


def _relation(text: str, operands: Mapping[str, float]) -> bool:
    found = _RELATION.match(text)
    if found is None:
        raise ValueError(f"not a plural rule: {text!r}")
    value = operands[found["operand"]]
    if found["modulus"]:
        value %= int(found["modulus"])
    inside = any(_in_range(value, one.strip()) for one in found["ranges"].split(","))
    return inside == (found["sign"] == "=")


def _in_range(value: float, text: str) -> bool:
    first, _, last = text.partition("..")
    return value == int(value) and int(first) <= value <= int(last or first)
