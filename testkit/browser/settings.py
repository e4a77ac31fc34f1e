"""What every browser of a test or a benchmark is told: how long to wait, and how a phone looks."""

from __future__ import annotations

from typing import Any

PATIENCE = 30_000
"""Milliseconds that a busy machine may take for one thing on a page."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
