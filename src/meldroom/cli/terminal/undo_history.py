"""The drafts of one turn in the order they were made, for undo and redo."""

from __future__ import annotations

from meldroom.cli.terminal.draft import Draft, DraftError


class History:
    """The drafts of one turn: undo, redo, and back to the start."""

    def __init__(self, first: Draft) -> None:
        self._drafts = [first]
        self._at = 0

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self._drafts[self._at]

    @property
    def can_undo(self) -> bool:
        """True if there is a change to take back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """True if a change was taken back and nothing else was done since."""
        return self._at + 1 < len(self._drafts)

    def change(self, draft: Draft) -> None:
        """Go on with another draft; what was undone before is forgotten."""
        if draft != self.draft:
            self._drafts[self._at + 1 :] = [draft]
            self._at += 1

    def undo(self) -> None:
        """Take one change back. Raises DraftError."""
        if not self.can_undo:
            raise DraftError("nothing_to_undo")
        self._at -= 1

    def redo(self) -> None:
        """Make an undone change again. Raises DraftError."""
        if not self.can_redo:
            raise DraftError("nothing_to_redo")
        self._at += 1

    def reset(self) -> None:
        """Back to the start of the turn, as a change that can be undone. Raises DraftError."""
        if not self.draft.touched:
            raise DraftError("nothing_to_reset")
        self.change(self._drafts[0])
