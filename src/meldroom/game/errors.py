"""Why an action cannot be carried out, and when a search has looked far enough."""

from __future__ import annotations

from meldroom.errors import MeldroomError
from meldroom.i18n import Language, Value
from meldroom.rules.violations import Violation


class ActionError(MeldroomError, ValueError):
    """An action that cannot be carried out. The state is unchanged.

    `violations` are the faults of a turn that breaks the rules; `where` is the part of the action meant.
    """

    domain = "game.error"

    def __init__(
        self, code: str, where: str = "", /, violations: tuple[Violation, ...] = (), **details: Value
    ) -> None:
        super().__init__(code, where, **details)
        self.violations = violations

    def message(self, language: Language = "en") -> str:
        """The reason and every fault of the turn."""
        return " ".join([self.reason(language), *(fault.message(language) for fault in self.violations)])


class BudgetSpentError(MeldroomError, RuntimeError):
    """A search looked at as many arrangements as it was allowed to before it was complete."""

    domain = "game.error"

    def __init__(self) -> None:
        super().__init__("budget_spent")
