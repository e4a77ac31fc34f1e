"""Figures in the text form that Prometheus reads, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from meldroom.server.histogram import Histogram

KIND = "text/plain; version=0.0.4; charset=utf-8"


def one(name: str, kind: str, about: str, value: float) -> Iterable[str]:
    """One figure: a counter or a gauge."""
    return (*_head(name, kind, about), f"meldroom_{name} {value}")


def many(name: str, about: str, label: str, values: Mapping[str, int] | Mapping[int, int]) -> Iterable[str]:
    """A counter for each value of a label."""
    lines = (f'meldroom_{name}{{{label}="{key}"}} {value}' for key, value in sorted(values.items()))
    return (*_head(name, "counter", about), *lines)


def times(name: str, about: str, histogram: Histogram) -> Iterable[str]:
    """A histogram of seconds."""
    return (*_head(name, "histogram", about), *histogram.lines(f"meldroom_{name}"))


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP meldroom_{name} {about}", f"# TYPE meldroom_{name} {kind}"
