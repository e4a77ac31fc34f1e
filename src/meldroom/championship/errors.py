"""What is wrong with an action, a list or a log: a code, and a sentence in both languages."""

from __future__ import annotations

from meldroom.championship.messages import phrase, sentence
from meldroom.championship.seating.errors import SeatingError
from meldroom.i18n import Language

_LONGEST_SHOWN = 160


class ChampionshipError(ValueError):
    """Something that cannot be done. Nothing has been changed.

    A detail that begins with “@” names a phrase, which is told in the reader's language.
    """

    def __init__(self, code: str, **details: str | int) -> None:
        self.code = code
        self.details = {key: _shown(x) if isinstance(x, str) else x for key, x in details.items()}
        self.seating: SeatingError | None = None
        super().__init__(code)

    @classmethod
    def of_seating(cls, error: SeatingError) -> ChampionshipError:
        """A seating that cannot be made."""
        made = cls(error.code)
        made.seating = error
        return made

    def __str__(self) -> str:
        return self.message()

    def message(self, language: Language = "en") -> str:
        """What is wrong and what would be right."""
        if self.seating is not None:
            return self.seating.message(language)
        details = {key: _told(value, language) for key, value in self.details.items()}
        return sentence(self.code, language).format(**details)


def _told(value: str | int, language: Language) -> str | int:
    if isinstance(value, str) and value.startswith("@"):
        return phrase(value[1:], language)
    return value


def _shown(text: str) -> str:
    """Foreign text made fit for one line: short, and without control characters."""
    short = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in short)
