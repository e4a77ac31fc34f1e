"""Names people play under: what a name may be, and friendly ones for those who bring none."""

from __future__ import annotations

import secrets
import unicodedata

from meldroom.i18n import Language
from meldroom.rooms.protocol.settings import LONGEST_NAME

_ENGLISH = (
    ("Amber", "Brave", "Bright", "Calm", "Clever", "Copper", "Gentle", "Golden", "Happy", "Honest", "Jolly"),
    ("Keen", "Kind", "Lively", "Lucky", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Silver", "Sunny"),
)
_ENGLISH_NOUNS = (
    ("Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Hedgehog", "Heron", "Lynx"),
    ("Magpie", "Marmot", "Marten", "Otter", "Owl", "Panda", "Puffin", "Robin", "Seal", "Swift", "Wren"),
)
# All nouns are masculine, so that one form of each adjective agrees.
_FRENCH_NOUNS = (
    ("Blaireau", "Castor", "Cygne", "Dauphin", "Écureuil", "Faucon", "Geai", "Goéland", "Hérisson", "Héron"),
    ("Hibou", "Lièvre", "Lynx", "Macareux", "Merle", "Panda", "Phoque", "Pinson", "Renard", "Rossignol"),
)
_FRENCH = (
    ("agile", "aimable", "ambré", "brave", "calme", "chanceux", "doré", "gai", "honnête", "joyeux", "malin"),
    ("patient", "paisible", "rapide", "rusé", "sage", "serein", "tranquille", "vaillant", "vif"),
)


def _flat(rows: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(word for row in rows for word in row)


def friendly_name(language: Language) -> str:
    """A random name in a language: an animal and something good about it."""
    if language == "fr":
        return f"{secrets.choice(_flat(_FRENCH_NOUNS))} {secrets.choice(_flat(_FRENCH))}"
    return f"{secrets.choice(_flat(_ENGLISH))} {secrets.choice(_flat(_ENGLISH_NOUNS))}"


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
