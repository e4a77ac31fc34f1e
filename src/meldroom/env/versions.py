"""The versions of what a policy sees and does: they change whenever a frozen encoding does."""

from __future__ import annotations

OBSERVATION_VERSION = 1
"""Of the observation's parts, their order, their bounds and the features of candidates."""

ACTION_VERSION = 2
"""Of the meaning of action numbers under both codecs. Since 2, another of equal plays may be listed."""
