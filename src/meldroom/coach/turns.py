"""The turns of one player in a recorded game: where each was decided, and what it led to."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from meldroom.coach.reasons import Reason, reason
from meldroom.coach.styles import Behaviour, Watcher
from meldroom.game import events as ev
from meldroom.game.actions import Action, Discard, Draw, Lay, MeldPlay, Pass, Play, Take
from meldroom.game.state import State
from meldroom.game.views import view
from meldroom.record import Record, replay
from meldroom.record.moments import Moment, moments

_NO_DECISION = ev.RedealGranted | ev.Withdrew | ev.Resigned
_DECIDED = ("turn", "play", "opening_discard")


class Turn(msgspec.Struct, frozen=True):
    """A turn of one player: the state in which it was decided, and the steps it led to.

    In Rummy-O `state` has the tile that was taken, and `taking` is the state before. `seen` is what each
    seat did in the game before this turn.
    """

    state: State
    steps: tuple[Moment, ...]
    seen: tuple[Behaviour, ...] = ()
    taking: State | None = None

    @property
    def step(self) -> int:
        """The number of the step where the turn ended."""
        return self.steps[-1].number


def turns_of(record: Record, seat: int) -> Iterator[Turn]:
    """The turns of a seat in which something was decided: Rummy-O's from the tile taken on."""
    by_turn: dict[int, list[Moment]] = {}
    for moment in moments(record):
        by_turn.setdefault(moment.turn, []).append(moment)
    watcher, pool, turn = Watcher(len(record.headers.players)), 0, 0
    for step in replay(record):
        watcher.see(step.event, pool)
        pool = len(step.state.pool)
        if not isinstance(step.event, ev.TurnBegan):
            continue
        turn += 1
        own = [m for m in by_turn.get(turn, ()) if getattr(m.event, "seat", None) == seat]
        if step.event.seat != seat or not own or isinstance(own[0].event, _NO_DECISION):
            continue
        taken = next((m for m in own if isinstance(m.event, ev.Took)), None)
        decided = taken.after if taken is not None else step.state
        if decided.phase in _DECIDED:
            before = taken.before if taken is not None else None
            yield Turn(decided, tuple(own), tuple(watcher.seen), before)


def action_of(event: ev.Event) -> Action | None:
    """What a player did, as the action that leads there; None where it was no free choice of theirs."""
    match event:
        case ev.Drew(seat=seat):
            return Draw(seat)
        case ev.Passed(seat=seat):
            return Pass(seat)
        case ev.Laid(seat=seat, table=table):
            return Lay(seat, table=table)
        case ev.Took(seat=seat, source=source):
            return Take(seat, source=source)
        case ev.Discarded(seat=seat, tile=tile):
            return Discard(seat, tile=tile)
        case _:
            return None


def actions_of(turn: Turn) -> tuple[Action, ...]:
    """What a player did in a turn: one action, or what was taken and what was then played or discarded.

    Empty where the clock or a penalty ended it.
    """
    if any(isinstance(m.event, ev.TimedOut | ev.Penalised | ev.LeftoversRuled) for m in turn.steps):
        return ()
    played = next((m.event for m in turn.steps if isinstance(m.event, ev.Played)), None)
    found: list[Action] = []
    for moment in turn.steps:
        if played is not None and isinstance(moment.event, ev.Discarded):
            continue
        action = action_of(moment.event)
        if action is not None:
            found.append(action)
    if played is not None:
        thrown = next((m.event.tile for m in turn.steps if isinstance(m.event, ev.Discarded)), None)
        melds = tuple(MeldPlay(meld.tiles, meld.owner) for meld in played.melds)
        found.append(Play(played.seat, melds=melds, discard=thrown))
    return tuple(found)


def reasons_of(turn: Turn, seat: int) -> tuple[Reason, ...]:
    """Why a player did what they did in a turn: a reason for each decision."""
    decisions = [view(state, seat) for state in (turn.taking, turn.state) if state is not None]
    told = zip(decisions, actions_of(turn), strict=False)
    found = (reason(turn.state.book, shown, action) for shown, action in told)
    return tuple(each for each in found if each is not None)


class Explained(msgspec.Struct, frozen=True):
    """Why a seat moved as it did in a turn, whose first step has the number `step`."""

    turn: int
    step: int
    seat: int
    reasons: tuple[Reason, ...]


def every_reason(record: Record) -> Iterator[Explained]:
    """The reasons of all moves, seat by seat, where the rack of whoever moved is known."""
    for seat in range(len(record.headers.players)):
        for turn in turns_of(record, seat):
            first = turn.steps[0]
            if not first.unknown.intersection(turn.state.racks[seat]):
                yield Explained(first.turn, first.number, seat, reasons_of(turn, seat))
