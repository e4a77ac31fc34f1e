"""Names people play under: what a name may be, and friendly ones for those who bring none."""

from __future__ import annotations

import secrets
import unicodedata

from meldroom.i18n import Language, message
from meldroom.rooms.protocol.settings import LONGEST_NAME


def friendly_name(language: Language) -> str:
    """A random name in a language: an animal and something good about it."""

    def word(of: str) -> str:
        return secrets.choice(message(f"guest_names.{of}", language).split())

    return message("guest_names.name", language, quality=word("qualities"), animal=word("animals"))


def clean_name(text: str) -> str | None:
    """A name trimmed and with single spaces; None if it cannot be one.

    A name has 1 to 24 printable characters: none that control the text around it (bidi marks, zero-width
    signs), and no stacks of accents. HTML is text like any other.
    """
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for sign in text):
        return None
    name = " ".join(unicodedata.normalize("NFC", text).split())
    marks = sum(unicodedata.category(sign) in ("Mn", "Me") for sign in name)
    if not 1 <= len(name) <= LONGEST_NAME or marks > len(name) // 2:
        return None
    return name
