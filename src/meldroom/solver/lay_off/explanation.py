"""A turn of a laying-off book step by step: the tile to take, jokers claimed, melds, the discard.

>>> from meldroom.rules.library import book
>>> from meldroom.solver.lay_off import best_play, position_on
>>> from meldroom.tiles import parse_set, parse_table
>>> rummyo = book("rummyo")
>>> table, rack = parse_table("R5 R6 *", rummyo.tiles), parse_set("R7 K2 K3 O9", rummyo.tiles)
>>> position = position_on(rummyo, table, ["B"], "A", rack, on_board=True)
>>> print(explain_turn(rummyo, position, best_play(rummyo, position)))
1. Put R7 from your rack in place of the joker in [R5 R6 *]: [R5 R6 R7], and the joker is in hand.
2. Build the run [K2 K3 *] with the joker in hand plus K2 and K3 from your rack. The joker stands for K4.
3. Discard O9 and go out: Open Rummy, a bonus of 100 points.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from meldroom.i18n import Message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Change, Exposed, LayOffTurn, is_run, judge
from meldroom.rules.verify import FaceSet
from meldroom.solver.errors import PositionError
from meldroom.solver.explanation import movements as hands
from meldroom.solver.explanation.steps import Effort, Explanation, Step
from meldroom.solver.explanation.text import tile_list, tile_part
from meldroom.solver.lay_off.best import LayOffPlay
from meldroom.solver.lay_off.moves import Holding, ways_to_change
from meldroom.solver.lay_off.position import LayOffPosition
from meldroom.tiles import Face, TileSet


class LayOffStep(Step, frozen=True):
    """One movement, the melds after it and whose they are.

    `stands` are the tiles that jokers in a run then stand for. `on_board` is what the new melds count
    together, in the step that goes on board with them, else 0.
    """

    owners: tuple[str, ...]
    stands: FaceSet = ()
    on_board: int = 0

    def messages(self, tiles: TileSet) -> tuple[Message, ...]:
        """What to do, what jokers then stand for, and whether that goes on board."""
        said = list(super().messages(tiles))
        movement = self.movement
        if isinstance(movement, hands.DiscardTile) and movement.estimate and movement.fits:
            fits = tile_part(movement.fits, tiles)
            said.append(Message("solver.movement.fits", {"fits": fits}))
        if isinstance(movement, hands.TakeTile | hands.DiscardTile) and movement.estimate:
            said.append(Message("solver.movement.estimate"))
        if self.stands:
            names = tile_list(self.stands, tiles)
            said.append(Message("solver.movement.stands", {"count": len(names), "tiles": names}))
        if self.on_board:
            points = Message("solver.points", {"count": self.on_board})
            said.append(Message("solver.movement.on_board", {"points": points}))
        return tuple(said)

    def as_json(self, tiles: TileSet) -> dict[str, Any]:
        """What lies where after the movement, tiles as text, and whose each meld is."""
        return {**super().as_json(tiles), "owners": list(self.owners)}


class LayOffExplanation(Explanation, frozen=True):
    """A turn step by step, from the tile to take to the discard; `touched` are the old melds that change."""

    steps: tuple[LayOffStep, ...]


def explain_turn(
    book: RuleBook,
    position: LayOffPosition,
    play: LayOffPlay,
    take: hands.TakeTile | None = None,
    begins: bool = False,
    why: hands.DiscardReason | None = None,
) -> LayOffExplanation:
    """A turn as a person makes it: jokers are claimed first, then melds grow, then new ones are laid.

    `position` is the position before the turn; with `take` its rack lacks the tile still to be taken. After a
    tile from the stock nothing is said, since everything depends on it. `begins` marks the discard that opens
    a game, `why` another reason for the discard than its cost. Raises PositionError if the play is not a
    legal turn of this position.
    """
    turn = _Turn(book, position)
    if take is not None:
        turn.add(take)
        if take.source == "stock":
            return turn.told((), ())
        if take.tile is not None:
            turn.rack = (*turn.rack, take.tile)
    changes = _changes(book, turn, play)
    touched = tuple(
        old.faces for old, new in zip(position.melds, play.melds, strict=False) if old.faces != new.faces
    )
    turn.claim(changes)
    turn.grow(changes, play)
    turn.lay(play)
    turn.add(_discard(book, play, "begin" if begins and why is None else why or "cost"))
    return turn.told(play.played, touched)


def _changes(book: RuleBook, turn: _Turn, play: LayOffPlay) -> tuple[Change, ...]:
    """How each old meld changes. Raises PositionError if that is not allowed."""
    before = turn.position
    on_board = play.outcome not in ("ON_BOARD", "FOOT", "HAND")
    judged = judge(
        book, LayOffTurn(before.player, before.melds, turn.rack, play.melds, on_board, play.discard)
    )
    if judged.outcome is None or judged.follows != tuple(range(len(before.melds))):
        reason = judged.violations[0].message() if judged.violations else ""
        raise PositionError("solution", "play", reason=reason)
    return judged.changes


class _Turn:
    """The melds, the tiles in hand and the rack while a turn is told."""

    def __init__(self, book: RuleBook, position: LayOffPosition) -> None:
        self.book, self.position = book, position
        self.joker = book.tiles.joker
        self.melds = list(position.melds)
        self.rack = position.rack
        self.hand = 0
        self.steps: list[LayOffStep] = []

    def add(self, movement: hands.Movement, stands: FaceSet = (), on_board: int = 0) -> None:
        """A step to the melds as they are now."""
        self.steps.append(
            LayOffStep(
                movement,
                tuple(meld.faces for meld in self.melds),
                (self.joker,) * self.hand,
                tuple(meld.owner for meld in self.melds),
                stands,
                on_board,
            )
        )

    def claim(self, changes: tuple[Change, ...]) -> None:
        """Every joker that is claimed with the tile it stands for (R57)."""
        for index, change in enumerate(changes):
            for place, given in zip(change.claimed, change.given, strict=True):
                old = self.melds[index]
                faces = (*old.faces[:place], given, *old.faces[place + 1 :])
                self.melds[index] = Exposed(faces, old.owner)
                self.hand += 1
                self.add(hands.SwapJoker(old.faces, self.joker, faces, rack=(given,)))

    def grow(self, changes: tuple[Change, ...], play: LayOffPlay) -> None:
        """Tiles added to melds; a claimed joker only to the player's own (R57)."""
        for index, change in enumerate(changes):
            if change.added:
                old, new = self.melds[index].faces, play.melds[index]
                rack, hand = self._shared(change.added, new.owner == self.position.player)
                self.melds[index] = new
                stands = self._stands(new) if self.joker in change.added else ()
                self.add(hands.Extend(old, new.faces, rack, hand), stands)

    def lay(self, play: LayOffPlay) -> None:
        """New melds; the last of them may be what goes on board."""
        fresh = play.melds[len(self.position.melds) :]
        for number, meld in enumerate(fresh, 1):
            rack, hand = self._shared(meld.faces, True)
            shape: hands.Shape = "run" if is_run(self.book, meld) else "group"
            self.melds.append(meld)
            made: hands.Movement = (
                hands.Build(meld.faces, shape, hand, rack) if hand else hands.Lay(meld.faces, shape)
            )
            last = number == len(fresh) and play.outcome == "ON_BOARD"
            self.add(made, self._stands(meld), play.value if last else 0)

    def _shared(self, faces: FaceSet, own: bool) -> tuple[FaceSet, FaceSet]:
        """Tiles by where they come from, rack or hand; jokers in hand are used up first."""
        hand = min(self.hand, faces.count(self.joker)) if own else 0
        self.hand -= hand
        rack = list((Counter(faces) - Counter({self.joker: hand})).elements())
        return tuple(sorted(rack)), (self.joker,) * hand

    def _stands(self, meld: Exposed) -> FaceSet:
        """The tiles that the jokers of a run stand for; none where that is open."""
        if self.joker not in meld.faces:
            return ()
        read = [self.book.reader.faces_of(r, meld.faces) for r in meld.readings if r.is_run]
        if len(meld.readings) != 1 or len(read) != 1 or read[0] is None:
            return ()
        return tuple(face for face, laid in zip(read[0], meld.faces, strict=True) if laid == self.joker)

    def told(self, played: FaceSet, touched: tuple[FaceSet, ...]) -> LayOffExplanation:
        """The steps so far; each is needed, so that no way is shorter."""
        moved = sum(not isinstance(step.movement, hands.TakeTile | hands.DiscardTile) for step in self.steps)
        most = max((len(step.loose) for step in self.steps), default=0)
        before = tuple(meld.faces for meld in self.position.melds)
        effort = Effort(moved, len(touched), most, True)
        return LayOffExplanation(self.book.tiles, before, played, touched, tuple(self.steps), effort)


def _discard(book: RuleBook, play: LayOffPlay, why: hands.DiscardReason) -> hands.DiscardTile:
    """The discard with its reason: going out, nothing left but jokers, else the one that is given."""
    tile = play.discard
    points = book.values[tile]
    match play.outcome:
        case "OPEN_RUMMY" | "FOOT" | "HAND" as way_out:
            return hands.DiscardTile(tile, way_out, points, play.bonus)
        case _:
            pass
    if tile == book.tiles.joker:
        return hands.DiscardTile(tile, "joker", points)
    return hands.DiscardTile(tile, why, points, fits=_fits(book, play, tile))


def _fits(book: RuleBook, play: LayOffPlay, tile: Face) -> FaceSet:
    """The first meld that a single tile could be added to or claim a joker from; empty if there is none."""
    held = Holding(book, (tile,))
    for meld in play.melds:
        if ways_to_change(book, held, meld, [False] * len(meld.faces), 0):
            return meld.faces
    return ()
