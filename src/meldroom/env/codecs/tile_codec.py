"""The codec `tiles`: a number is a face, put down tile by tile as long as a legal play can hold it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from meldroom.env.codecs.choices import Choice
from meldroom.env.codecs.codec import CodecName, Decision, Stage
from meldroom.env.codecs.feasible import Feasible
from meldroom.env.codecs.laying_off import discards, play_choices, turn
from meldroom.env.codecs.position import lay, position, wait
from meldroom.env.errors import forbidden
from meldroom.game.actions import Action, Take
from meldroom.game.from_view import state_from_view
from meldroom.game.legal.lay_off import Draft
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.tiles import Face

MOST_PLAYS = 600
"""How many plays of a laying-off book are told apart at one moment."""


class TileCodec:
    """Faces first, then `finish`, `wait` (draw, pass, take from the stock) and, in Rummy-O, the discard."""

    name: CodecName = "tiles"
    feature_names: tuple[str, ...] = ()
    feature_bound = 1.0

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.finish = book.tiles.joker + 1
        self.wait = self.finish + 1
        self.take_discard = self.finish + 2
        laying_off = book.family == "laying_off"
        self.numbers = self.finish + (3 if laying_off else 2)
        self.longest_turn = book.tiles.size + (3 if laying_off else 1)

    def begin(self, view: View) -> Decision:
        """The first decision of the seat to move."""
        if self.book.family == "rearranging":
            return _Putting(self, view, Feasible(self.book, position(self.book, view)), ())
        if view.phase == "take":
            return _Taking(self, view)
        if view.phase == "opening_discard":
            return _Discarding(self, view, "opening_discard", None, ())
        plays = play_choices(self.book, view, MOST_PLAYS, second_steps=True)
        return _Narrowing(self, view, plays, ())


class _TileDecision(ABC):
    """What the decisions of this codec share: numbers allowed, and their text."""

    features = None

    def __init__(self, codec: TileCodec, view: View, stage: Stage, chosen: FaceSet) -> None:
        self.codec, self.view, self.stage, self.chosen = codec, view, stage, chosen

    @abstractmethod
    def allowed(self) -> Sequence[int]:
        """The numbers that may be chosen."""

    @property
    def mask(self) -> NDArray[np.int8]:
        """1 for every number that may be chosen now."""
        mask = np.zeros(self.codec.numbers, np.int8)
        mask[self.allowed()] = 1
        return mask

    def checked(self, number: int) -> int:
        """The number, if it may be chosen. Raises EnvError."""
        if number not in self.allowed():
            raise forbidden(number, self.allowed())
        return int(number)

    def action_text(self, number: int) -> str:
        """A face, or what is done."""
        codec = self.codec
        if self.checked(number) < codec.finish:
            verb = "put" if self.stage in ("turn", "play") else "discard"
            return f"{verb} {codec.book.tiles.face_names[number]}"
        return {codec.finish: "finish", codec.wait: "wait"}.get(number, "take the discard")


class _Putting(_TileDecision):
    """A turn of a rearranging book: tiles, then `finish`; or waiting, with nothing put down."""

    def __init__(self, codec: TileCodec, view: View, feasible: Feasible, chosen: FaceSet) -> None:
        super().__init__(codec, view, "turn", chosen)
        self._feasible = feasible
        self._allowed: list[int] | None = None
        self._table: FaceTable | None = None

    def allowed(self) -> Sequence[int]:
        """Faces some legal play holds besides those chosen; `finish` if those chosen are one."""
        if self._allowed is None:
            codec, feasible = self.codec, self._feasible
            numbers: list[int] = [*feasible.next_faces(self.chosen)]
            self._table = feasible.table(self.chosen)
            forced = bool(numbers) and self.view.pool_size == 0 and codec.book.pool_end.must_play_if_able
            if self._table is not None:
                numbers.append(codec.finish)
            elif not self.chosen and not forced:
                numbers.append(codec.wait)
            self._allowed = numbers
        return self._allowed

    def after(self, number: int) -> Decision | Action:
        """One tile more, the whole play, or a draw."""
        number = self.checked(number)
        if number < self.codec.finish:
            return _Putting(
                self.codec, self.view, self._feasible, tuple(sorted((*self.chosen, Face(number))))
            )
        if number == self.codec.wait or self._table is None:
            return wait(self.view)
        return lay(self.codec.book, self.view, self._table)


class _Taking(_TileDecision):
    """Rummy-O: the stock or the last discard."""

    def __init__(self, codec: TileCodec, view: View) -> None:
        super().__init__(codec, view, "take", ())

    def allowed(self) -> Sequence[int]:
        """The stock always, the discard where there is one."""
        return [self.codec.wait, *([self.codec.take_discard] if self.view.discards else [])]

    def after(self, number: int) -> Action:
        """The tile is taken."""
        from_stock = self.checked(number) == self.codec.wait
        return Take(self.view.own_seat, source="stock" if from_stock else "discard")


class _Narrowing(_TileDecision):
    """Rummy-O: tiles that some play found holds besides those chosen; `finish` if those are a play."""

    def __init__(self, codec: TileCodec, view: View, plays: tuple[Choice, ...], chosen: FaceSet) -> None:
        super().__init__(codec, view, "play", chosen)
        self._plays = plays

    def allowed(self) -> Sequence[int]:
        """Faces of the plays that are left, and `finish` if one of them is complete."""
        put = Counter(self.chosen)
        faces = {face for play in self._plays for face in Counter(play.faces) - put}
        complete = any(play.faces == self.chosen for play in self._plays)
        return [*sorted(faces), *([self.codec.finish] if complete else [])]

    def after(self, number: int) -> Decision:
        """One tile more, or on to the discard."""
        number = self.checked(number)
        if number == self.codec.finish:
            play = next(play for play in self._plays if play.faces == self.chosen)
            return _Discarding(self.codec, self.view, "discard", play.draft, self.chosen)
        chosen = tuple(sorted((*self.chosen, Face(number))))
        wanted = Counter(chosen)
        left = tuple(play for play in self._plays if wanted <= Counter(play.faces))
        return _Narrowing(self.codec, self.view, left, chosen)


class _Discarding(_TileDecision):
    """Rummy-O: the discard, by face."""

    def __init__(
        self, codec: TileCodec, view: View, stage: Stage, draft: Draft | None, chosen: FaceSet
    ) -> None:
        super().__init__(codec, view, stage, chosen)
        self._draft = draft
        self._allowed = discards(state_from_view(codec.book, view), draft)

    def allowed(self) -> Sequence[int]:
        """The faces that complete the turn."""
        return self._allowed

    def after(self, number: int) -> Action:
        """The whole turn."""
        return turn(self.codec.book, self.view, self._draft, Face(self.checked(number)))
