"""One text in every installed language: the names that rule books and formats bring along as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from meldroom.i18n.catalogue import message
from meldroom.i18n.languages import DEFAULT, Language, languages


class _Text(msgspec.Struct, frozen=True):
    """A text by language. As JSON it is an object with every installed language: `{"en": …, "fr": …}`.

    A language it was not written in shows the English text, or whichever there is.

    >>> Text.of({"fr": "Ronde"})["en"]
    'Ronde'
    """

    @staticmethod
    def of(texts: Mapping[str, str] | str) -> Text:
        """The text from its languages; from one string, the same in all of them."""
        found = {DEFAULT: texts} if isinstance(texts, str) else texts
        spare = found.get(DEFAULT) or next(iter(found.values()))
        return msgspec.convert({code: found.get(code) or spare for code in languages()}, Text)

    @staticmethod
    def of_message(id: str) -> Text:
        """A message of the catalogue that takes no values."""
        return Text.of({code: message(id, code) for code in languages()})

    def __post_init__(self) -> None:
        missing = [code for code in languages() if not self[code]]
        if missing:
            spare = next((text for code in languages() if (text := self[code])), "")
            for code in missing:
                msgspec.structs.force_setattr(self, code, spare)

    def __getitem__(self, language: Language) -> str:
        text: str = getattr(self, language if language in self.__struct_fields__ else DEFAULT)
        return text


if TYPE_CHECKING:
    Text: TypeAlias = _Text
else:
    Text = msgspec.defstruct(
        "Text",
        [(code, str, "") for code in languages()],
        bases=(_Text,),
        frozen=True,
        module=__name__,
        namespace={"__doc__": "A text by language; one that is missing shows the English text."},
    )
