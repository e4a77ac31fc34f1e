"""What is wrong with the text of a position or a record: a code, the line and column, and a message."""

from __future__ import annotations

from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError, quote
from meldroom.i18n import Language, Message, Value, message

LONGEST_SHOWN = 40


def format_place(language: Language, line: int, column: int = 0, where: str = "") -> str:
    """A place for people: `line 3, column 7`, or the path inside a JSON record."""
    if line and column:
        return message("record.where.column", language, line=str(line), column=str(column))
    return message("record.where.line", language, line=str(line)) if line else where


class NotationError(MeldroomError, ValueError):
    """A record or a position that cannot be read. Lines and columns count from 1; 0 where there is none."""

    domain = "record.error"

    def __init__(
        self, code: str, where: str = "", /, *, line: int = 0, column: int = 0, **details: Value
    ) -> None:
        short = {key: quote(x, LONGEST_SHOWN) if isinstance(x, str) else x for key, x in details.items()}
        super().__init__(code, where, **short)
        self.line = line
        self.column = column

    @classmethod
    def of(cls, error: Exception, place: str = "") -> NotationError:
        """What the decoder of JSON objects to, as an error of the record."""
        found = DecodeError.of(error, place)
        code = "deep_json" if found.code == "deep" else "bad_shape"
        return cls(code, found.where, reason=Message(f"decode.{found.code}", found.details))

    def message(self, language: Language = "en") -> str:
        """Where it is wrong, what is wrong, and what would be right."""
        text = self.reason(language)
        place = format_place(language, self.line, self.column, self.where)
        return f"{place}: {text}" if place else text

    def at(self, where: str = "", /, *, line: int = 0, column: int = 0) -> NotationError:
        """The same error with its place filled in where it had none."""
        return self.moved(self.where or where, line=self.line or line, column=self.column or column)

    def moved(self, where: str = "", /, *, line: int = 0, column: int = 0) -> NotationError:
        """The same error at another place."""
        return NotationError(self.code, where, line=line, column=column, **self.details)
