"""The base of every error of ours: a code for programs, the place, and a message in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from meldroom.i18n import Language, Message, Value

LONGEST_QUOTE = 160
EXTRAS = ("arena", "papers", "env", "cluster")
"""What `pip install meldroom` leaves out."""


class MeldroomError(Exception):
    """Something that cannot be done; nothing has been changed.

    `code` names the message in the catalogue of the class's `domain`; `where` is the place in the
    input (`line 3`, `table_after[2]`) and `details` fill the message. Errors about a value that the caller
    passed are also `ValueError`s.

    >>> class RoomError(MeldroomError, ValueError):
    ...     domain = "decode"
    >>> error = RoomError("missing", "settings", field="seats")
    >>> error.code, error.where
    ('missing', 'settings')
    >>> str(error)
    'settings: the field “seats” is missing.'
    """

    domain: ClassVar[str]
    """The catalogue that holds the messages of a class, by code."""

    def __init__(self, code: str, where: str = "", /, **details: Value) -> None:
        self.code = code
        self.where = where
        self.details: dict[str, Value] = {
            key: quote(x) if isinstance(x, str) else x for key, x in details.items()
        }
        super().__init__(code, where)

    def message(self, language: Language = "en") -> str:
        """What is wrong, where, and what would be right."""
        text = self.reason(language)
        return f"{self.where}: {text}" if self.where else text

    def reason(self, language: Language = "en") -> str:
        """The message without the place."""
        return self.as_message().text(language)

    def as_message(self) -> Message:
        """The reason as a message, to fill a place of another one."""
        return Message(f"{self.domain}.{self.code}", self.details)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.__dict__)


class MissingExtraError(MeldroomError, ImportError):
    """A dependency that is not installed; the message says what to type.

    `extra` is what it is for: an extra of the package, or `cli`, `solver`, `play` or `server` for what is
    installed always, unless somebody chose otherwise.
    """

    domain = "extras"

    def __init__(self, extra: str, package: str) -> None:
        purpose = Message(f"extras.purpose.{extra}")
        super().__init__("missing", purpose=purpose, package=package, command=install_command(extra))
        self.extra = extra
        self.name = package

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.extra, self.name)


def install_command(extra: str) -> str:
    """What to type to install an extra, in a checkout or not."""
    checkout = (Path(__file__).resolve().parents[2] / "run.py").is_file()
    if checkout and extra != "env":
        return f"python3 run.py prepare {extra}" if extra in EXTRAS else "python3 run.py"
    return f'pip install "meldroom[{extra}]"' if extra in EXTRAS else "pip install meldroom"


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports that need an extra go inside: MissingExtraError is raised if one of its packages is missing.

    >>> with needs("env"):
    ...     import no_such_package
    Traceback (most recent call last):
    meldroom.errors.MissingExtraError: this environment needs the package no_such_package, \
which isn't installed. Install it with: pip install "meldroom[env]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "meldroom"):
            raise
        raise MissingExtraError(extra, package) from None


def _restore(kind: type[MeldroomError], fields: dict[str, Any]) -> MeldroomError:
    """An error that crossed to another process."""
    made = kind.__new__(kind, fields["code"], fields["where"])
    made.__dict__.update(fields)
    return made


def quote(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Foreign text made fit for one line of a message: short, and without control characters."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in short)
