"""What a codec is: action numbers for one book, and the decisions that lead from a view to an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from meldroom.env.errors import check_choice
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CodecName = Literal["candidates", "tiles"]
CODECS: tuple[CodecName, ...] = ("candidates", "tiles")

Stage = Literal["turn", "opening_discard", "take", "play", "discard"]
"""What is decided: the phase of the game, or the discard that completes a play."""


class Decision(Protocol):
    """A moment at which a seat must choose a number. Immutable; known from the seat's view alone."""

    @property
    def stage(self) -> Stage:
        """What is decided now."""
        ...

    @property
    def chosen(self) -> FaceSet:
        """The rack's tiles already put down in this turn."""
        ...

    @property
    def mask(self) -> NDArray[np.int8]:
        """1 for every number that may be chosen now; a new array each time."""
        ...

    @property
    def features(self) -> NDArray[np.float32] | None:
        """One row of features for each number, zeros where the mask is 0; None where a codec has none."""
        ...

    def after(self, number: int) -> Decision | Action:
        """The next decision of this turn, or the action that all numbers chosen come to.

        Raises EnvError for a number that the mask forbids; nothing has happened then.
        """
        ...

    def action_text(self, number: int) -> str:
        """What a number means now, as text in the notation of tiles."""
        ...


class Codec(Protocol):
    """Action numbers for one book."""

    @property
    def name(self) -> CodecName:
        """Which codec this is."""
        ...

    @property
    def book(self) -> RuleBook:
        """The book it is made for."""
        ...

    @property
    def numbers(self) -> int:
        """How many action numbers there are: 0 to this, less one."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The columns of `Decision.features`; empty where a codec has none."""
        ...

    @property
    def feature_bound(self) -> float:
        """No feature lies above this, and none below 0."""
        ...

    @property
    def longest_turn(self) -> int:
        """The most numbers one turn can take."""
        ...

    def begin(self, view: View) -> Decision:
        """The first decision of the seat to move, from its own view."""
        ...


def make_codec(name: str, book: RuleBook, slots: int | None = None) -> Codec:
    """A codec by its name; `slots` is how many candidates there may be. Raises EnvError."""
    from meldroom.env.codecs.candidate_codec import SLOTS, CandidateCodec
    from meldroom.env.codecs.tile_codec import TileCodec

    check_choice("codec", name, CODECS)
    return TileCodec(book) if name == "tiles" else CandidateCodec(book, SLOTS if slots is None else slots)
