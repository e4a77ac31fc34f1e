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
    signs) or cannot be seen, no stacks of accents, and the letters of one alphabet where letters of another
    look the same. HTML is text like any other.
    """
    if any(unicodedata.category(sign) in _HIDDEN for sign in text) or not _UNSEEN.isdisjoint(text):
        return None
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME or not any(_shows(sign) for sign in name):
        return None
    return None if _stacks_accents(name) or len(_alphabets(name)) > 1 else name


_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Fillers, joiners and blanks that count as letters or marks."""
_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "GEORGIAN")
"""Alphabets with letters that look like one another's."""
MOST_MARKS = 2
"""Accents on one letter: as many as any language needs."""


def _shows(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNPS"


def _stacks_accents(name: str) -> bool:
    marks = [unicodedata.category(sign) in ("Mn", "Me") for sign in name]
    return any(all(marks[start : start + MOST_MARKS + 1]) for start in range(len(marks) - MOST_MARKS)) or (
        sum(marks) > len(name) // 2
    )


def _alphabets(name: str) -> set[str]:
    """The alphabets of the letters of a name, of those that can be taken for one another."""
    words = (unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha())
    return {word for word in words if word in _ALIKE}
