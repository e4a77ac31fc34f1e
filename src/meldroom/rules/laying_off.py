"""The laying-off book's judge (Rummy-O): take, play, discard; melds are fixed and only added to (R51–R62)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.rules.verify import FaceSet, movements, set_faults, set_points, too_few_points
from meldroom.rules.violations import Violation, violation
from meldroom.tiles import Face

Outcome = Literal["DISCARD_ONLY", "OK", "ON_BOARD", "OPEN_RUMMY", "FOOT", "HAND"]
GOING_OUT: tuple[Outcome, ...] = ("OPEN_RUMMY", "FOOT", "HAND")


class Exposed(msgspec.Struct, frozen=True, gc=False):
    """A meld on the table: tiles in order, whose it is, how it may be read (jokers keep their place)."""

    faces: FaceSet
    owner: str
    readings: tuple[Reading, ...] = ()


class LayOffTurn(msgspec.Struct, frozen=True, gc=False):
    """A turn after a tile was taken: the melds before and after, the rack with that tile, the discard."""

    player: str
    before: tuple[Exposed, ...]
    rack: FaceSet
    after: tuple[Exposed, ...]
    on_board: bool
    discard: Face | None


class Change(msgspec.Struct, frozen=True, gc=False):
    """How an old meld became a new one: jokers claimed at these places of the old meld, tiles added."""

    reading: Reading
    claimed: tuple[int, ...]
    given: FaceSet
    added: FaceSet


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What a turn amounts to: an outcome, or the faults that refuse it.

    `follows` gives for each old meld the index of the new meld that continues it.
    """

    outcome: Outcome | None
    violations: tuple[Violation, ...]
    follows: tuple[int, ...]
    changes: tuple[Change, ...]


def exposed(book: RuleBook, faces: FaceSet, owner: str) -> Exposed:
    """A meld as written: a joker in a run stands for the number of its place (R56).

    A run whose tiles are not written in order is put in order, jokers filling gaps first, then the high end.
    """
    readings = book.reader.written(faces)
    if readings and all(r.is_run and book.reader.faces_of(r, faces) is None for r in readings):
        return Exposed(book.reader.arranged(readings[-1], faces), owner, readings[-1:])
    return Exposed(faces, owner, readings)


def judge(book: RuleBook, turn: LayOffTurn) -> Judgement:
    """The outcome of a turn under a laying-off book, or every fault of it."""
    follows = _match(book, turn)
    changes: list[Change] = []
    found: list[Violation] = []
    before, after = [m.faces for m in turn.before], [m.faces for m in turn.after]
    missing, laid, foreign = movements(book, before, turn.rack, after)
    text = book.tiles.faces_text
    if foreign:
        found.append(violation(book, "TILE_NOT_ON_RACK", tiles=text(foreign)))
    if missing:
        found.append(violation(book, "TILE_LEFT_TABLE", tiles=text(missing)))
    invalid = set_faults(book, after)
    broken = {fault.set_index for fault in invalid}
    found.extend(invalid)
    for old, new in zip(turn.before, follows, strict=True):
        same_owner = new >= 0 and turn.after[new].owner == old.owner
        change = _change(book, old, turn.after[new]) if same_owner else None
        if change is None and not (new in broken and Counter(old.faces) <= Counter(after[new])):
            found.append(violation(book, "MELD_CHANGED", tiles=text(old.faces)))
        changes.append(change or Change(_anything(old), (), (), ()))
    for index, meld in enumerate(turn.after):
        if index not in follows and meld.owner != turn.player:
            found.append(violation(book, "MELD_CHANGED", tiles=text(meld.faces)))
    play = _Play(book, turn, follows, changes, laid)
    found.extend(play.claim_faults(bool(missing)))
    found.extend(play.discard_faults())
    found.extend(play.entry_faults())
    outcome = None if found else play.outcome()
    return Judgement(outcome, tuple(found), tuple(follows), tuple(changes))


def _anything(old: Exposed) -> Reading:
    return old.readings[0] if old.readings else Reading("group", 0, 0, -1)


def _match(book: RuleBook, turn: LayOffTurn) -> list[int]:
    """For each old meld the new one that continues it: its own place if that fits, else any that does."""
    options = []
    for index, old in enumerate(turn.before):
        places = sorted(range(len(turn.after)), key=lambda place: place != index)
        options.append([p for p in places if _continues(book, old, turn.after[p])])
    follows = _assigned(options)
    for index, place in enumerate(follows):
        if place < 0 and index < len(turn.after) and index not in follows:
            follows[index] = index
    return follows


def _continues(book: RuleBook, old: Exposed, new: Exposed) -> bool:
    return old.owner == new.owner and _change(book, old, new) is not None


def _assigned(options: list[list[int]]) -> list[int]:
    """Each old meld given a place of its own, as many as can be; -1 for the others (augmenting paths)."""
    holder: dict[int, int] = {}

    def settle(index: int, tried: set[int]) -> bool:
        for place in options[index]:
            if place not in tried:
                tried.add(place)
                if place not in holder or settle(holder[place], tried):
                    holder[place] = index
                    return True
        return False

    for index in range(len(options)):
        settle(index, set())
    follows = [-1] * len(options)
    for place, index in holder.items():
        follows[index] = place
    return follows


def _change(book: RuleBook, old: Exposed, new: Exposed) -> Change | None:
    """How an old meld became a new one; None if it was changed in a way that is not allowed."""
    if old.faces == new.faces:
        return Change(_anything(old), (), (), ())
    for reading in old.readings:
        change = (
            _run_change(book, reading, old, new) if reading.is_run else _group_change(book, reading, old, new)
        )
        if change is not None:
            return change
    return None


def _run_change(book: RuleBook, reading: Reading, old: Exposed, new: Exposed) -> Change | None:
    """A run that was lengthened at its ends, jokers claimed with the very tile they stood for (R56, R57)."""
    joker = book.tiles.joker
    stands = book.reader.faces_of(reading, book.reader.arranged(reading, old.faces))
    if stands is None:
        return None
    for low in range(reading.low - (len(new.faces) - len(old.faces)), reading.low + 1):
        wider = Reading("run", low, low + len(new.faces) - 1, reading.colour)
        if not book.reader.allowed(wider.low, wider.high) or book.reader.faces_of(wider, new.faces) is None:
            continue
        start = reading.low - low
        inner = new.faces[start : start + len(old.faces)]
        claimed = tuple(i for i, face in enumerate(old.faces) if face == joker and inner[i] == stands[i])
        if all(inner[i] == face or i in claimed for i, face in enumerate(old.faces)):
            added = new.faces[:start] + new.faces[start + len(old.faces) :]
            return Change(wider, claimed, tuple(stands[i] for i in claimed), added)
    return None


def _group_change(book: RuleBook, reading: Reading, old: Exposed, new: Exposed) -> Change | None:
    """A group that gained a colour, or whose joker was claimed with a missing colour (R56)."""
    joker = book.tiles.joker
    if reading not in book.reader.readings(new.faces):
        return None
    kept, now = Counter(old.faces), Counter(new.faces)
    claims = max(0, kept[joker] - now[joker])
    gained = list((now - kept).elements())
    given = [face for face in gained if face != joker][:claims]
    lost = kept - now
    lost.pop(joker, None)
    if lost or len(given) < claims:
        return None
    places = [i for i, face in enumerate(old.faces) if face == joker][:claims]
    for face in given:
        gained.remove(face)
    return Change(reading, tuple(places), tuple(given), tuple(gained))


class _Play:
    """The parts of a turn that the faults and the outcome are read from."""

    def __init__(
        self,
        book: RuleBook,
        turn: LayOffTurn,
        follows: Sequence[int],
        changes: Sequence[Change],
        laid: Sequence[Face],
    ) -> None:
        self.book = book
        self.turn = turn
        self.joker = book.tiles.joker
        self.fresh = [meld for index, meld in enumerate(turn.after) if index not in follows]
        self.added = [
            (old, change.added) for old, change in zip(turn.before, changes, strict=True) if change.added
        ]
        self.claims = sum(len(change.claimed) for change in changes)
        self.left = Counter(turn.rack) - Counter(laid)
        self.rack_jokers = list(laid).count(self.joker)

    def goes_out(self) -> bool:
        """True if exactly the discard is left on the rack (R58)."""
        return self.left.total() == 1 and self.turn.discard is not None and self.left[self.turn.discard] == 1

    def outcome(self) -> Outcome:
        """What a faultless turn amounts to."""
        touched = bool(self.fresh or self.added or self.claims)
        if not touched:
            return "OPEN_RUMMY" if self.turn.on_board and self.goes_out() else "DISCARD_ONLY"
        if self.turn.on_board:
            return "OPEN_RUMMY" if self.goes_out() else "OK"
        if self.goes_out():
            return "FOOT" if self.added or self.claims else "HAND"
        return "ON_BOARD"

    def discard_faults(self) -> list[Violation]:
        """Every turn ends with a discard (R58)."""
        discard = self.turn.discard
        if discard is None or not self.left.total():
            return [violation(self.book, "NO_DISCARD")]
        if not self.left[discard]:
            name = self.book.tiles.face_names[discard]
            return [violation(self.book, "DISCARD_NOT_ON_RACK", tiles=name)]
        return []

    def claim_faults(self, joker_missing: bool) -> list[Violation]:
        """A claimed joker goes at once into a meld of the claimant's own (R57)."""
        found = []
        if self.claims and joker_missing:
            found.append(violation(self.book, "JOKER_CLAIM", "not_used"))
        placed = [*self.added, *((meld, meld.faces) for meld in self.fresh)]
        foreign = [(meld, tiles) for meld, tiles in placed if meld.owner != self.turn.player]
        elsewhere = sum(tiles.count(self.joker) for _, tiles in foreign)
        if self.claims and elsewhere > self.rack_jokers:
            text = " | ".join(
                self.book.tiles.faces_text(meld.faces) for meld, t in foreign if self.joker in t
            )
            found.append(violation(self.book, "JOKER_CLAIM", "not_own", tiles=text))
        return found

    def entry_faults(self) -> list[Violation]:
        """A player not on board goes on board with enough points and a run, or goes out (R55, R59)."""
        going_out = self.goes_out() or not self.left.total()
        if self.turn.on_board or going_out or not (self.fresh or self.added or self.claims):
            return []
        book = self.book
        found = []
        if self.added:
            text = " | ".join(book.tiles.faces_text(old.faces) for old, _ in self.added)
            found.append(violation(book, "ADD_ON_SAME_TURN", tiles=text))
        points = sum(set_points(book, meld.faces) for meld in self.fresh if book.reader.is_set(meld.faces))
        if points < book.opening.points:
            jokers = any(book.tiles.joker in meld.faces for meld in self.fresh)
            found.append(too_few_points(book, points, jokers))
            if self.claims:
                found.append(violation(book, "JOKER_CLAIM", "not_on_board"))
        if book.opening.run_required and not any(is_run(book, meld) for meld in self.fresh):
            found.append(violation(book, "NO_RUN"))
        return found


def is_run(book: RuleBook, meld: Exposed) -> bool:
    """True if a new meld may be read as a run."""
    readings = meld.readings or book.reader.written(meld.faces)
    return any(reading.is_run for reading in readings)
