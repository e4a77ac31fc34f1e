"""The codec `candidates`: a number is a slot of a short list of legal choices, each with its features."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from meldroom.env.codecs.choices import KINDS, Choice
from meldroom.env.codecs.codec import CodecName, Decision, Stage
from meldroom.env.codecs.laying_off import discard_choices, play_choices, take_choices, turn
from meldroom.env.codecs.position import Position, lay, position, wait
from meldroom.env.codecs.rearranging import rearranging_choices
from meldroom.env.errors import EnvError, forbidden
from meldroom.game.actions import Action, Take
from meldroom.game.legal.lay_off import Draft
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.plays import exactly
from meldroom.tiles import Face

SLOTS = 32
FEWEST_SLOTS = 4
REMEMBERED = 256

Choices = tuple[Choice | None, ...]

AMOUNTS = (
    *("tiles", "points", "jokers", "tiles_left", "points_left", "jokers_left"),
    *("opens", "goes_out_now", "share"),
)
"""Features of a choice besides its kinds: what leaves the rack, what stays, what share of it leaves."""


class CandidateCodec:
    """Slots for one book. The choices of a position are remembered for a while."""

    name: CodecName = "candidates"

    def __init__(self, book: RuleBook, slots: int = SLOTS) -> None:
        if slots < FEWEST_SLOTS:
            raise EnvError("slots", "slots", given=str(slots), least=FEWEST_SLOTS)
        self.book = book
        self.numbers = slots
        names = book.tiles.face_names
        self.feature_names = (*KINDS, *AMOUNTS, *(f"face {name}" for name in names))
        total = sum(value * count for value, count in zip(book.values, book.tiles.limits, strict=True))
        self.feature_bound = float(max(total, book.tiles.size, 1))
        self.longest_turn = 1 if book.family == "rearranging" else 3
        self._remembered: OrderedDict[Position, Choices] = OrderedDict()

    def begin(self, view: View) -> CandidateDecision:
        """The first decision of the seat to move."""
        if self.book.family == "rearranging":
            return CandidateDecision(self, view, "turn")
        if view.phase == "take":
            return CandidateDecision(self, view, "take")
        if view.phase == "opening_discard":
            return CandidateDecision(self, view, "opening_discard")
        return CandidateDecision(self, view, "play")

    def choices(self, view: View, stage: Stage, draft: Draft | None) -> Choices:
        """What a seat can choose from; of discards the lowest faces where there are more than slots."""
        match stage:
            case "turn":
                return self._rearranging(position(self.book, view))
            case "take":
                return take_choices(view)
            case "play":
                return play_choices(self.book, view, self.numbers)
            case "discard" | "opening_discard":
                return discard_choices(self.book, view, draft)[: self.numbers]

    def _rearranging(self, asked: Position) -> Choices:
        known = self._remembered.get(asked)
        if known is None:
            known = self._remembered[asked] = rearranging_choices(self.book, asked, self.numbers)
            if len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return known


class CandidateDecision:
    """One list of choices, found when first asked for. `draft` is the play whose discard is being chosen."""

    def __init__(
        self,
        codec: CandidateCodec,
        view: View,
        stage: Stage,
        draft: Draft | None = None,
        chosen: FaceSet = (),
    ) -> None:
        self.codec, self.view, self.stage = codec, view, stage
        self.draft, self.chosen = draft, chosen

    @cached_property
    def choices(self) -> Choices:
        """What the seat can choose from; nobody pays for it where a bot moves instead."""
        return self.codec.choices(self.view, self.stage, self.draft)

    @property
    def mask(self) -> NDArray[np.int8]:
        """1 for every slot that holds a choice."""
        allowed = np.zeros(self.codec.numbers, np.int8)
        for slot, choice in enumerate(self.choices):
            allowed[slot] = choice is not None
        return allowed

    @property
    def features(self) -> NDArray[np.float32]:
        """One row a slot; the columns are the codec's `feature_names`."""
        rows = np.zeros((self.codec.numbers, len(self.codec.feature_names)), np.float32)
        rack = [self.codec.book.tiles.face_of[tile] for tile in self.view.rack]
        for slot, choice in enumerate(self.choices):
            if choice is not None:
                self._describe(rows[slot], choice, rack)
        return rows

    def _describe(self, row: NDArray[np.float32], choice: Choice, rack: list[Face]) -> None:
        """Writes the features of one choice."""
        values, joker = self.codec.book.values, self.codec.book.tiles.joker
        faces = choice.faces
        gone = (*self.chosen, *faces)
        played = len(gone) - (choice.kinds == ("discard",))
        for kind in choice.kinds:
            row[_COLUMN[kind]] = 1
        left = len(rack) - len(gone)
        laid = bool(played) and not self.view.melded[self.view.own_seat]
        row[len(KINDS) : len(KINDS) + len(AMOUNTS)] = (
            len(faces),
            sum([values[face] for face in faces]),
            faces.count(joker),
            left,
            sum([values[face] for face in rack]) - sum([values[face] for face in gone]),
            rack.count(joker) - gone.count(joker),
            laid,
            left == 0,
            len(faces) / max(1, len(rack)),
        )
        for face in faces:
            row[len(KINDS) + len(AMOUNTS) + face] += 1

    def after(self, number: int) -> Decision | Action:
        """What a slot leads to."""
        choice = self._choice(number)
        codec, book, view = self.codec, self.codec.book, self.view
        match self.stage:
            case "turn":
                return lay(book, view, self._table(choice)) if choice.faces else wait(view)
            case "take":
                source = "stock" if "take_stock" in choice.kinds else "discard"
                return Take(view.own_seat, source=source)  # type: ignore[arg-type]
            case "play":
                return CandidateDecision(codec, view, "discard", choice.draft, choice.faces)
            case "discard" | "opening_discard":
                return turn(book, view, self.draft, choice.faces[0])

    def _table(self, choice: Choice) -> FaceTable:
        """The table after a play."""
        if choice.table is not None:
            return choice.table
        found = exactly(self.codec.book, position(self.codec.book, self.view).table, choice.faces)
        assert found is not None, "these tiles can be laid"
        return found.table

    def action_text(self, number: int) -> str:
        """The kinds of a choice and its tiles."""
        choice = self._choice(number)
        return " ".join(
            ["+".join(choice.kinds), *map(self.codec.book.tiles.face_names.__getitem__, choice.faces)]
        )

    def _choice(self, number: int) -> Choice:
        choice = self.choices[number] if 0 <= number < len(self.choices) else None
        if choice is None:
            raise forbidden(number, (slot for slot, each in enumerate(self.choices) if each is not None))
        return choice


_COLUMN = {kind: column for column, kind in enumerate(KINDS)}
