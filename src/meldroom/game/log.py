"""The events of one action as they are added, and what follows when a turn is complete."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.errors import ActionError
from meldroom.game.fold import created, evolve
from meldroom.game.state import State
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Outcome
from meldroom.rules.procedures import final_turns
from meldroom.rules.scoring import Final, FinalRack, GoingOut, could_have_melded, score, score_resigned
from meldroom.tiles import HIDDEN, Face

_WAYS: dict[Outcome, GoingOut] = {"OPEN_RUMMY": "open", "FOOT": "foot", "HAND": "hand"}


class Log:
    """A state that grows by events. Actions write here; nothing outside sees it before it is done.

    `can_lay` says whether the player to move can lay, where the caller has found that out already.
    """

    def __init__(self, state: State, can_lay: bool | None = None) -> None:
        self.state = state
        self.can_lay = can_lay
        self.events: list[ev.Event] = []

    @classmethod
    def start(cls, opened: ev.GameCreated, book: RuleBook) -> Log:
        """The log of a new game, holding the very book given."""
        log = cls(replace(created(opened), book=book))
        log.events.append(opened)
        return log

    def add(self, event: ev.Event) -> None:
        """One more thing happened."""
        self.state = evolve(self.state, event)
        self.events.append(event)

    def done(self) -> tuple[State, tuple[ev.Event, ...]]:
        """The new state and everything that happened."""
        return self.state, tuple(self.events)

    def end(
        self,
        end: Literal["out", "exhausted"],
        winner: int | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        """Racks are frozen and counted (R46)."""
        state = self.state
        way = _WAYS.get(outcome) if outcome is not None else None
        final = Final(final_racks(state), end, winner, way, winner_tiles(state, winner))
        sheet = score(state.book, final, corrected=True)
        self.add(ev.GameEnded(end, sheet.scores, sheet.winners, way))

    def end_resigned(self, winner: int) -> None:
        """All others have given up: they are charged for their racks as they stand (R50)."""
        state = self.state
        sheet = score_resigned(state.book, final_racks(state), winner, winner_tiles(state, winner))
        self.add(ev.GameEnded("resigned", sheet.scores, sheet.winners))


def final_racks(state: State) -> tuple[FinalRack, ...]:
    """Every player as the referee counts them, the 100/200 question decided (R43)."""
    if any(HIDDEN in rack for rack in state.racks):
        raise ActionError("hidden_tiles", "action")
    racks = []
    for seat, rack in enumerate(state.racks):
        faces = state.faces(rack)
        able = False
        if not state.melded[seat] and state.book.scoring.unmelded_able != state.book.scoring.unmelded:
            drawn = state.faces(tuple(t for t in state.drawn[seat] if t in rack))
            able = could_have_melded(state.book, faces, drawn, state.begun[seat] > 0)
        racks.append(FinalRack(faces, state.melded[seat], able, seat in state.resigned))
    return tuple(racks)


def winner_tiles(state: State, winner: int | None) -> tuple[Face, ...]:
    """Rummy-O: the faces of the tiles that count in front of the winner (R60)."""
    face_of = state.book.tiles.face_of
    return tuple(
        face_of[tile]
        for meld in state.melds
        for tile, holder in zip(meld.tiles, meld.holders, strict=True)
        if holder == winner
    )


def begin_next_turn(log: Log) -> None:
    """The turn passes on: to the final turns, to the next player, or to the end of the game."""
    state = log.state
    # A new pool cannot be exhausted before its tiles are: only rearranging books end this way.
    if state.book.family == "rearranging" and not state.pool and not state.exhausted:
        log.add(ev.PoolExhausted(_final_order(state)))
        state = log.state
    if _finished(state):
        log.end("exhausted")
        return
    log.add(ev.TurnBegan(state.queue[0] if state.queue else next_seat(state, state.seat + state.book.step)))


def _final_order(state: State) -> tuple[int, ...]:
    """Who plays once more, in order, after the last tile was taken (R33); nobody where play goes on (R35)."""
    if state.book.pool_end.ending != "final_turns":
        return ()
    names = [str(seat) for seat in range(len(state.players))]
    order = final_turns(state.book, names, str(state.seat))
    return tuple(int(seat) for seat in order if not state.withdrawn[int(seat)])


def _finished(state: State) -> bool:
    """True when an exhausted game has run its course (R33, R35)."""
    if not state.exhausted:
        return False
    if state.book.pool_end.ending == "final_turns":
        return not state.queue
    return state.passes >= state.withdrawn.count(False)


def next_seat(state: State, start: int) -> int:
    """The first player from a seat on, in the order of play, who has not withdrawn."""
    seats = len(state.players)
    order = ((start + state.book.step * turn) % seats for turn in range(seats))
    return next(seat for seat in order if not state.withdrawn[seat])
