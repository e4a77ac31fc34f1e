"""What went wrong with an action: a code, the place, a sentence, and the faults of an illegal turn."""

from __future__ import annotations

from meldroom.i18n import Language
from meldroom.rules.violations import Violation, sentence


class ActionError(ValueError):
    """An action that cannot be carried out. The state is unchanged."""

    def __init__(
        self, code: str, place: str = "", violations: tuple[Violation, ...] = (), **details: str | int
    ) -> None:
        self.code = code
        self.place = place
        self.violations = violations
        self.details = details
        super().__init__(self.message())

    def message(self, language: Language = "en") -> str:
        """The error and every fault of the turn as sentences."""
        first = sentence(f"error.{self.code}", language, **self.details)
        return " ".join([first, *(fault.message(language) for fault in self.violations)])
