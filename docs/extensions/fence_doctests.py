"""Puts the `>>>` examples of docstrings into fences, so that the API reference shows them as code."""

from __future__ import annotations

from typing import Any

import griffe


class FenceDoctests(griffe.Extension):
    """Rewrites every docstring before it is rendered."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of one object's docstring."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring whose examples stand in fences: from `>>>` to the next blank line."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if not inside and line.startswith(">>>"):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
