"""Why a command is not carried out: a code, the place, and a sentence in the language of whoever asked."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from meldroom.game.errors import ActionError
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import Error, Fault
from meldroom.rules.violations import Violation


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Every sentence of the rooms in one language, by key."""
    source = resources.files("meldroom.i18n") / "locales" / language / "rooms.toml"
    sentences: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return sentences


def say(key: str, language: Language, **details: str | int) -> str:
    """A sentence with its details filled in. Raises KeyError for one that does not exist."""
    return catalogue(language)[key].format(**details)


class Refusal(Exception):  # noqa: N818 - it is an answer, not an accident
    """A command that cannot be carried out; nothing has changed.

    `rev` is the room's current one where the command named another; `retry_ms` says when to try again.
    """

    def __init__(
        self,
        code: str,
        place: str = "",
        *,
        rev: int | None = None,
        retry_ms: int | None = None,
        cause: ActionError | None = None,
        **details: str | int,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.place = place
        self.rev = rev
        self.retry_ms = retry_ms
        self.cause = cause
        self.details = details

    @classmethod
    def of(cls, error: ActionError) -> Refusal:
        """What the rules refused, with every fault."""
        return cls(error.code, error.where, cause=error)

    def message(self, language: Language) -> str:
        """The sentence; the faults of a turn are told one by one beside it."""
        if self.cause is not None:
            return self.cause.reason(language)
        return say(f"refused.{self.code}", language, **self.details)

    def error(self, language: Language) -> Error:
        """The refusal as it travels."""
        found = self.cause.violations if self.cause is not None else ()
        return Error(
            code=self.code,
            message=self.message(language),
            place=self.place,
            faults=faults(found, language),
            rev=self.rev,
            retry_ms=self.retry_ms,
        )


def faults(found: tuple[Violation, ...], language: Language) -> tuple[Fault, ...]:
    """Violations in the shape that travels."""
    return tuple(
        Fault(each.code, each.clause, each.ruling, each.message(language), each.set_index) for each in found
    )
