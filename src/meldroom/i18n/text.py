"""One text in every installed language: the names that rule books and formats bring along as data.

As JSON it is an object with a text for each language: `{"en": "Round", "fr": "Ronde"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec

from meldroom.i18n.catalogue import message
from meldroom.i18n.languages import DEFAULT, Language, languages

T = TypeVar("T", bound="TextBase")


class TextBase(msgspec.Struct, frozen=True):
    """A text by language; one that is missing shows the English text, or whichever there is."""

    @staticmethod
    def of(texts: Mapping[str, str] | str) -> Text:
        """The text from its languages; from one string, the same in all of them.

        >>> Text.of({"fr": "Ronde"})["en"]
        'Ronde'
        """
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


def translated(base: type[T]) -> type[T]:
    """A struct with a field for each installed language beside its own: its text, by language."""
    return msgspec.defstruct(  # type: ignore[return-value]
        base.__name__.removesuffix("Base"),
        [(code, str, "") for code in languages()],
        bases=(base,),
        frozen=True,
        module=base.__module__,
        namespace={"__doc__": base.__doc__},
    )


if TYPE_CHECKING:
    Text: TypeAlias = TextBase
else:
    Text = translated(TextBase)
