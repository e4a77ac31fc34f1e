"""The boundary: what a seat, or a spectator, may know of a game. Nothing here leads back to the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from meldroom.game import events as ev
from meldroom.game.actions import Move
from meldroom.game.errors import ActionError
from meldroom.game.state import Meld, Phase, Result, State
from meldroom.rules.book import BookRef
from meldroom.rules.library import resolve
from meldroom.tiles import HIDDEN, Tile

if TYPE_CHECKING:
    from meldroom.game.notation.position import Position


class View(msgspec.Struct, frozen=True, gc=False):
    """A game as one seat sees it; `me` is None for a spectator.

    `racks` are only there once the game is over and racks are turned up.
    """

    book: BookRef
    players: tuple[str, ...]
    game: int
    commitment: str
    stand_ins: tuple[Tile, ...]
    me: int | None
    phase: Phase
    starter: int
    seat: int
    deals: int
    rack: tuple[Tile, ...]
    rack_sizes: tuple[int, ...]
    pool_size: int
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[Meld, ...]
    discards: tuple[Tile, ...]
    melded: tuple[bool, ...]
    withdrawn: tuple[bool, ...]
    turns: tuple[int, ...]
    exhausted: bool
    queue: tuple[int, ...] | None
    passes: int
    reshuffles: int
    drawn: tuple[Tile, ...]
    result: Result | None
    racks: tuple[tuple[Tile, ...], ...] | None

    @property
    def own_seat(self) -> int:
        """The seat that this view belongs to. Raises ActionError for a spectator, who has nothing to play."""
        if self.me is None:
            raise ActionError("spectator", "seat")
        return self.me

    @property
    def position(self) -> Position:
        """The position as the viewer sees it."""
        from meldroom.game.notation.position import Position

        return Position.seen(self, resolve(self.book))

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        whose = "a spectator" if self.me is None else f"seat {self.me + 1}"
        turn = f" turn {sum(self.turns) + 1}" if self.starter >= 0 else ""
        return f"<View of {whose}, {self.book.id}{turn}>"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()


def view(state: State, seat: int | None) -> View:
    """What a seat may see; None is a spectator. Raises ActionError for a seat that is not at the table."""
    if seat is not None and not 0 <= seat < len(state.players):
        raise ActionError("no_such_seat", "seat", seat=str(seat))
    spectators = View(
        book=state.book.ref,
        players=state.players,
        game=state.game,
        commitment=state.commitment,
        stand_ins=state.stand_ins,
        me=None,
        phase=state.phase,
        starter=state.starter,
        seat=state.seat,
        deals=state.deals,
        rack=(),
        rack_sizes=tuple([len(rack) for rack in state.racks]),
        pool_size=len(state.pool),
        table=state.table,
        melds=state.melds,
        discards=state.discards,
        melded=state.melded,
        withdrawn=state.withdrawn,
        turns=state.turns,
        exhausted=state.exhausted,
        queue=state.queue,
        passes=state.passes,
        reshuffles=state.reshuffles,
        drawn=(),
        result=state.result,
        racks=state.racks if state.over else None,
    )
    return seen_from(spectators, state, seat)


def seen_from(spectators: View, state: State, seat: int | None) -> View:
    """What a seat may see, given what spectators see of the same state."""
    if seat is None:
        return spectators
    rack, drawn = (state.racks[seat], state.drawn[seat]) if state.racks else ((), ())
    return msgspec.structs.replace(spectators, me=seat, rack=rack, drawn=drawn)


def _hide(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return (HIDDEN,) * len(tiles)


def event_view(event: ev.Event, seat: int | None) -> ev.Event:
    """An event as a seat, or a spectator (None), may learn of it. What is not known to be public is refused.

    Raises TypeError for a kind of event that is not handled here.
    """
    match event:
        case ev.Dealt():
            racks = tuple(rack if i == seat else _hide(rack) for i, rack in enumerate(event.racks))
            return ev.Dealt(event.number, racks, _hide(event.pool))
        case ev.Drew():
            return event if event.seat == seat else ev.Drew(event.seat, HIDDEN)
        case ev.Penalised():
            if event.seat == seat:
                return event
            return ev.Penalised(event.seat, event.cause, _hide(event.tiles), event.codes)
        case ev.Took():
            public = event.source == "discard" or event.seat == seat
            return event if public else ev.Took(event.seat, event.source, HIDDEN)
        case ev.Reshuffled():
            return ev.Reshuffled(event.number, _hide(event.stock))
        case ev.Corrected():
            moves = tuple(
                m if _seen(m, seat) else msgspec.structs.replace(m, tile=HIDDEN) for m in event.moves
            )
            return msgspec.structs.replace(event, moves=moves)
        case (
            ev.GameCreated()
            | ev.StarterChosen()
            | ev.RedealGranted()
            | ev.TurnBegan()
            | ev.Laid()
            | ev.Passed()
            | ev.TimedOut()
            | ev.LeftoversRuled()
            | ev.Withdrew()
            | ev.Resigned()
            | ev.PoolExhausted()
            | ev.Played()
            | ev.Discarded()
            | ev.GameEnded()
            | ev.ShuffleRevealed()
        ):
            return event
    raise TypeError(f"it is not known who may see {type(event).__name__}")


def _seen(move: Move, seat: int | None) -> bool:
    """A corrected tile is seen when it lands on the table or on one's own rack."""
    return move.to in ("table", "discards") or (move.to == "rack" and move.index == seat)
