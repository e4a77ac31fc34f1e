"""Plots of a report as SVG that takes its colours from the page, so that it is light or dark with it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from meldroom.arena.reporting.statistics import Estimate
from meldroom.errors import needs

# Colours that stand for the page's own; the drawing itself knows neither light nor dark.
_INK, _GRID = "#010203", "#040506"
_LINES = ("#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05", "#0a0b06")
_SHARES = (0, 0.25, 0.5, 0.75, 1)
_STYLES = ("-", "--", "-.", ":")
_WITHIN, _COLUMNS = 6, 3
"""How many names fit inside a plot; more of them stand below it, in columns."""
_PAGE = {_INK: "var(--ink)", _GRID: "var(--grid)"} | {
    line: f"var(--line-{number})" for number, line in enumerate(_LINES, start=1)
}

_SETTINGS: Any = {
    "svg.hashsalt": "meldroom",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _GRID,
}


def intervals(
    names: Sequence[str], found: Sequence[Estimate], label: str, *, shares: Sequence[str] = (), key: str
) -> str:
    """A point and its interval for every name, the first on top; `shares` are five words from 0 to 1."""
    figure, axes = _blank(0.9 + 0.32 * len(names))
    for place, estimate in enumerate(found):
        low = estimate.mean if estimate.low is None else estimate.low
        high = estimate.mean if estimate.high is None else estimate.high
        axes.plot([low, high], [place, place], color=_LINES[0], linewidth=2, solid_capstyle="butt")
        axes.plot([estimate.mean], [place], marker="o", markersize=5, color=_LINES[0], linestyle="none")
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    if shares:
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks(_SHARES, shares)
    axes.set_xlabel(label)
    axes.grid(axis="x", linewidth=0.6)
    return _svg(figure, key)


def curves(
    names: Sequence[str],
    found: Sequence[Sequence[float]],
    labels: tuple[str, str],
    shares: Sequence[str],
    *,
    key: str,
) -> str:
    """A rising line for every name, from 0 to 1; lines differ in stroke as well as in colour."""
    crowded = len(names) > _WITHIN
    figure, axes = _blank(3.2 + (0.2 * -(-len(names) // _COLUMNS) if crowded else 0))
    for number, (name, heights) in enumerate(zip(names, found, strict=True)):
        again, style = divmod(number, len(_STYLES))
        axes.plot(
            range(len(heights)),
            heights,
            label=name,
            color=_LINES[(style + again) % len(_LINES)],
            linestyle=_STYLES[style],
            linewidth=1.8,
        )
    axes.set_ylim(0, 1.02)
    axes.set_yticks(_SHARES, shares)
    axes.set_xlim(left=0)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.grid(linewidth=0.6)
    if crowded:
        figure.legend(frameon=False, loc="outside lower center", ncols=_COLUMNS, labelcolor=_INK)
    else:
        axes.legend(frameon=False, loc="lower right", labelcolor=_INK)
    return _svg(figure, key)


def _blank(height: float) -> tuple[Any, Any]:
    with needs("arena"):
        import matplotlib as library
        from matplotlib.figure import Figure
    with library.rc_context(_SETTINGS):
        figure = Figure(figsize=(4.8, height), layout="constrained")
        axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _svg(figure: Any, key: str) -> str:
    """The drawing for a page that may hold others: its own names, the page's colours, no date."""
    import matplotlib as library

    text = io.StringIO()
    with library.rc_context(_SETTINGS):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawn = text.getvalue()
    drawn = drawn[drawn.index("<svg") :].strip()
    drawn = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"font-family: [^;]*; ", "", drawn).replace("xlink:href", "href")
    drawn = re.sub(r'\bid="', f'id="{key}-', drawn)
    drawn = re.sub(r'(href="#|url\(#)', rf"\g<1>{key}-", drawn)
    for placeholder, colour in _PAGE.items():
        drawn = drawn.replace(placeholder, colour)
    drawn = re.sub(r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>", r"<svg \1 aria-hidden='true'>", drawn, count=1)
    return re.sub(r"[ \t]+\n", "\n", drawn)
