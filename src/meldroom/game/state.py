"""The position as an immutable value. It is always the fold of the events so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Face, Tile

if TYPE_CHECKING:
    from meldroom.game.actions import Action
    from meldroom.game.events import Event
    from meldroom.game.legal.actions import LegalActions
    from meldroom.game.notation.position import Position
    from meldroom.game.shuffle import Shuffle
    from meldroom.game.views import View

Phase = Literal["created", "ready", "turn", "opening_discard", "take", "play", "over"]
End = Literal["out", "exhausted", "resigned", "abandoned"]


class Meld(msgspec.Struct, frozen=True, gc=False):
    """Rummy-O: an exposed meld. `holders` says in front of whom each tile counts (R56, R60)."""

    tiles: tuple[Tile, ...]
    owner: int
    holders: tuple[int, ...]
    reading: Reading


class Result(msgspec.Struct, frozen=True, gc=False):
    """How a game ended: scores by seat and the winners' seats (empty when nobody won)."""

    end: End
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    going_out: Literal["open", "foot", "hand"] | None = None

    def __str__(self) -> str:
        scores = (f"seat {seat + 1} {score:+}" for seat, score in enumerate(self.scores))
        won = " and ".join(f"seat {seat + 1}" for seat in self.winners) or "nobody"
        return f"{self.end}: {', '.join(scores)}; {won} won"


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything about one game, hidden parts included: never handed to a player (see `view`).

    `begun` and `turns` count the turns each player began and completed; `drawn` holds what they took since
    their last own turn began (R43); `queue` the final turns still to come; the pool's first tile is its top.
    Whoever is in `resigned` is also `withdrawn`.
    """

    book: RuleBook
    players: tuple[str, ...]
    game: int = 1
    commitment: str = ""
    stand_ins: tuple[Tile, ...] = ()
    phase: Phase = "created"
    starter: int = -1
    seat: int = -1
    deals: int = 0
    racks: tuple[tuple[Tile, ...], ...] = ()
    pool: tuple[Tile, ...] = ()
    table: tuple[tuple[Tile, ...], ...] = ()
    melds: tuple[Meld, ...] = ()
    discards: tuple[Tile, ...] = ()
    melded: tuple[bool, ...] = ()
    withdrawn: tuple[bool, ...] = ()
    resigned: frozenset[int] = frozenset()
    begun: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    drawn: tuple[tuple[Tile, ...], ...] = ()
    exhausted: bool = False
    queue: tuple[int, ...] | None = None
    passes: int = 0
    reshuffles: int = 0
    result: Result | None = None

    @classmethod
    def from_position(
        cls, position: Position | str, book: RuleBook | None = None, *, checked: bool = True
    ) -> State:
        """The state that a one-line position describes; `str(state)` gives the line.

        Tiles that the line does not name (`?x14`, the pool) stay unknown: `HIDDEN`, until `fill_hidden`. A
        house book cannot be named in a line: give it along. Raises NotationError, also for a set on the table
        that the book does not allow; with `checked=False` such a table is taken as it lies.

        >>> state = State.from_position("wrc11 / table R1 R2 R3 / racks R4 K9, ?x14 / turn 1 / melded 1")
        >>> state
        <State wrc11, seat 1 to move>
        >>> print(state)
        wrc11@2 / table R1 R2 R3 / racks K9 R4, ?x14 / pool 87 / turn 1 / melded 1
        """
        from meldroom.game.notation.position import parse_position

        given = parse_position(position, book) if isinstance(position, str) else position
        if checked:
            given.check_sets()
        return given.state()

    @property
    def position(self) -> Position:
        """The position as a value of its own: without names, history and the order of the pool."""
        from meldroom.game.notation.position import Position

        return Position.of(self)

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the player to move, found when they are asked for.

        >>> state = State.from_position("wrc11 / table R1 R2 R3 / racks R4 K9, ?x14 / turn 1 / melded 1")
        >>> [state.describe(action) for action in state.legal]
        ['draw', 'lay R4 -> R1 R2 R3 R4']
        """
        from meldroom.game.legal.actions import LegalActions

        return LegalActions(self)

    def view(self, seat: int | None) -> View:
        """What a seat may see; None is a spectator. Raises ActionError for a seat that is not there."""
        from meldroom.game.views import view

        return view(self, seat)

    def apply(self, action: Action, shuffle: Shuffle | None = None) -> tuple[State, tuple[Event, ...]]:
        """The state after an action, and the events that led there; this state is never changed.

        A shuffle is used only where tiles are dealt again or discards become a new stock; without one, a
        fresh one is. Raises ActionError when the action cannot be carried out.
        """
        from meldroom.game.apply import apply
        from meldroom.game.shuffle import Shuffle, new_secret

        return apply(self, action, shuffle or Shuffle(new_secret()))

    def describe(self, what: Action | Event) -> str:
        """An action, or an event that may come next, as a line of text with the names of its tiles."""
        from meldroom.game.actions import Action
        from meldroom.game.notation.events import EventFormatter, format_action

        return (
            format_action(self, what) if isinstance(what, Action) else EventFormatter(self).line(what, self)
        )

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        if self.phase in ("created", "ready"):
            return f"<State {self.book.id}, not dealt>"
        if self.over:
            return f"<State {self.book.id}, game over>"
        turn = f" turn {sum(self.turns) + 1}" if self.starter >= 0 else ""
        return f"<State {self.book.id}{turn}, seat {self.seat + 1} to move>"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self.phase == "over"

    @property
    def final(self) -> bool:
        """True while each player has one last turn."""
        return self.queue is not None

    def faces(self, tiles: tuple[Tile, ...]) -> tuple[Face, ...]:
        """The faces of some tiles."""
        face_of = self.book.tiles.face_of
        return tuple([face_of[tile] for tile in tiles])

    def face_table(self, table: tuple[tuple[Tile, ...], ...] | None = None) -> tuple[tuple[Face, ...], ...]:
        """The faces of the table, or of another arrangement."""
        face_of = self.book.tiles.face_of
        sets = self.table if table is None else table
        return tuple([tuple([face_of[tile] for tile in tiles]) for tiles in sets])


def tiles_in(state: State) -> list[Tile]:
    """Every tile of a dealt game, wherever it lies."""
    found = [*state.pool, *state.discards]
    for tiles in (*state.racks, *state.table):
        found += tiles
    for meld in state.melds:
        found += meld.tiles
    return found


def conserved(state: State) -> bool:
    """The law of conservation: the tiles of a dealt game are exactly the tile set, some perhaps unknown."""
    found = sorted(tiles_in(state))
    if not state.deals or not found or found[0] >= 0:
        return found == list(range(state.book.tiles.size if state.deals else 0))
    known = [tile for tile in found if tile != HIDDEN]
    return len(found) == state.book.tiles.size and len({*known}) == len(known) and min(known, default=0) >= 0
