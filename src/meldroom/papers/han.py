"""Which shape Chinese characters have: the same character is written otherwise in China, Japan and Korea."""

from __future__ import annotations

import re
from typing import Any

_HAN = re.compile("[\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_SHAPES = {"JPN": "JP", "KOR": "KR", "PRK": "KR", "TPE": "TC", "HKG": "HK", "MAC": "HK"}
USUAL = "SC"
"""The simplified shapes, for everybody of whom no more is known."""


def shape_of(name: str, country: str) -> str:
    """The shape for a name: that of the country, else Japanese beside kana.

    >>> shape_of("王小明", "SGP"), shape_of("山田", "JPN"), shape_of("山田 ナオ", "")
    ('SC', 'JP', 'JP')
    """
    return _SHAPES.get(country, "JP" if _KANA.search(name) else USUAL)


def other_shapes(value: Any) -> dict[str, str]:
    """Names in a paper's plain values that have not the usual shape, each with its own."""
    found: dict[str, str] = {}
    if isinstance(value, dict):
        match value:
            case {"name": str(name), "country": str(country)} if _HAN.search(name):
                if (shape := shape_of(name, country)) != USUAL:
                    found[name] = shape
        for each in value.values():
            found |= other_shapes(each)
    elif isinstance(value, list | tuple):
        for each in value:
            found |= other_shapes(each)
    return found
