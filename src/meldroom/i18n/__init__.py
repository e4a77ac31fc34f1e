"""The one message catalogue: every text people read, by language; plurals, numbers and lists.

A language is a folder of `locales/`: `locale.toml` says how it counts and writes numbers, every other file
is a domain of messages. Adding a language means adding a folder.

>>> from meldroom.i18n import message
>>> message("decode.length_least", "en", count=3)
'at least 3 characters are expected.'
"""

from meldroom.i18n.catalogue import Message, Value, has_message, message, message_ids, template
from meldroom.i18n.languages import DEFAULT, Language, is_language, languages, negotiate
from meldroom.i18n.locale import Locale, locale
from meldroom.i18n.text import Text, TextBase, translated
from meldroom.i18n.tile_parts import Part, Parts, TilePart, joined

__all__ = [
    "DEFAULT",
    "Language",
    "Locale",
    "Message",
    "Part",
    "Parts",
    "Text",
    "TextBase",
    "TilePart",
    "Value",
    "has_message",
    "is_language",
    "joined",
    "languages",
    "locale",
    "message",
    "message_ids",
    "negotiate",
    "template",
    "translated",
]
