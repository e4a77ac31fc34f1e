"""Results as people read them, in their language: shares in per cent, means with their intervals."""

from __future__ import annotations

from meldroom.arena.reporting.statistics import Estimate
from meldroom.i18n import Language, locale

NOTHING = "–"


def number(value: float | None, digits: int, language: Language = "en") -> str:
    """A number with so many decimals; a dash for none."""
    if value is None:
        return NOTHING
    return locale(language).number(round(value, digits) or 0.0, digits)


def percent(value: float | None, language: Language = "en", digits: int = 1) -> str:
    """A share in per cent; a dash for none."""
    return NOTHING if value is None else locale(language).percent(value, digits)


def share_text(found: Estimate, language: Language = "en") -> tuple[str, str]:
    """A share and its interval; the interval is empty if there is none."""
    if found.low is None or found.high is None:
        return percent(found.mean, language), ""
    low, high = (number(100 * value, 1, language) for value in (found.low, found.high))
    return percent(found.mean, language), f"{low}–{high}"


def estimate(found: Estimate, language: Language = "en") -> tuple[str, str]:
    """A mean and its interval as ± half its width; empty if there is none."""
    if found.low is None or found.high is None:
        return number(found.mean, 1, language), ""
    return number(found.mean, 1, language), f"± {number((found.high - found.low) / 2, 1, language)}"


def duration(seconds: float) -> str:
    """A time for people: `45 s`, `12 min`, `3 h 20 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s" if whole < 600 else f"{round(whole / 60)} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
