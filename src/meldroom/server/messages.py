"""Messages of the server."""

from __future__ import annotations

from meldroom.i18n import Language, Value, message, negotiate

preferred = negotiate


def say(key: str, language: Language, **details: Value) -> str:
    """A message of the server by its code."""
    return message(f"server.{key}", language, **details)
