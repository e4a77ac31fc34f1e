"""During a game: a player's actions, the clock's, a bot's, and extra time."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from meldroom.bots.answers import apply_answer, carry_out
from meldroom.game import actions as game_actions
from meldroom.game import events as ev
from meldroom.game.actions import Abandon, Action, Draw, Pass, RequestRedeal, TileSets, TimeOut, Withdraw
from meldroom.game.apply import apply, reveal
from meldroom.game.errors import ActionError
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rooms.domain.clocks import turn_length
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.start_phase import (
    all_ready,
    dealt_again,
    phase_ends,
    play_begins,
    said_ready,
)
from meldroom.rooms.domain.state import Room, evolve_room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Act, ExtraTime, Ready, Resign
from meldroom.rooms.protocol.events import By, ExtraTimeTaken, GamePlayed
from meldroom.rules.procedures import doubles_on
from meldroom.tiles import Face

Step = tuple[State, tuple[ev.Event, ...]]


def running(room: Room) -> tuple[State, Shuffle]:
    """The game that is being played and its shuffle. Raises Refusal when there is none."""
    if room.stage != "playing" or room.game is None or room.shuffle is None:
        raise Refusal("not_playing")
    return room.game, room.shuffle


def own_seat(room: Room, player: str) -> int:
    """The seat at which somebody plays themselves. Raises Refusal without one, or if a bot stands in."""
    seat = room.seat_of(player)
    if seat is None:
        raise Refusal("not_seated")
    if room.chairs[seat].stand_in is not None:
        raise Refusal("stood_in")
    return seat


def check_rev(room: Room, rev: int) -> None:
    """Raises Refusal for a command that was decided on another revision.

    When play begins nobody's tiles have changed: what was decided in the start phase still holds.
    """
    dealt = room.start is not None and room.start.begun == room.rev and room.start.rev == rev
    if rev != room.rev and not dealt:
        raise Refusal("stale", "rev", rev=room.rev)


def act(room: Room, command: Act, context: Context) -> Decision:
    """A player's action. Raises Refusal, with every fault of an illegal turn that is handed back (R27)."""
    game, shuffle = running(room)
    seat = own_seat(room, context.player.id)
    check_rev(room, command.rev)
    action = command.action
    if action.seat != seat:
        raise Refusal("not_your_seat", "action.seat", seat=seat)
    before = Decision()
    if isinstance(action, RequestRedeal):
        if room.start is not None and room.starts_at is None:
            raise Refusal("play_has_begun", "action")
        if not action.tiles:
            action = replace(action, tiles=doubles_on(room.book, game.racks[seat]))
    elif room.starts_at is not None and seat == game.seat and not isinstance(action, Withdraw):
        before = _ready_to_act(room, seat, context)
        room = _after(room, before)
        if room.starts_at is not None:
            return before
    try:
        step = apply(game, action, shuffle, can_lay=context.can_lay)
    except ActionError as error:
        raise Refusal.of(error) from None
    played = _played(room, seat, "player", step, context)
    return Decision((*before.events, *played.events), played.game)


def ready(room: Room, command: Ready, context: Context) -> Decision:
    """A player says in the start phase that play may begin; later it makes no difference."""
    running(room)
    seat = own_seat(room, context.player.id)
    check_rev(room, command.rev)
    return Decision() if room.starts_at is None else said_ready(room, seat, context)


def touched(room: Room, rev: int, context: Context) -> Decision:
    """The starter arranges tiles in the start phase: they are ready, and play may begin with it."""
    running(room)
    seat = own_seat(room, context.player.id)
    check_rev(room, rev)
    if room.starts_at is None or room.game is None or room.game.seat != seat:
        return Decision()
    return _ready_to_act(room, seat, context)


def _ready_to_act(room: Room, seat: int, context: Context) -> Decision:
    """What the starter does in the start phase says that they are ready; play begins if all are."""
    said = said_ready(room, seat, context)
    after = _after(room, said)
    begins = play_begins(after, context.now) if all_ready(after) else Decision()
    return Decision((*said.events, *begins.events), room.game)


def _after(room: Room, decision: Decision) -> Room:
    for event in decision.events:
        room = evolve_room(room, event)
    return room


def needs_search(room: Room, action: Action | None) -> bool:
    """True for a pass that is only for those who cannot lay: a worker must find that out (R12, R34)."""
    if room.game is None or not room.book.pool_end.must_play_if_able or room.game.pool:
        return False
    return isinstance(action, Pass) or action is None


def time_out(
    room: Room, now: int, table: TileSets | None, stated: Mapping[int, tuple[Face, ...]]
) -> Decision:
    """The clock has run out with this on the table, None if nothing was touched (R24–R26)."""
    game, shuffle = running(room)
    try:
        step = apply(game, TimeOut(game.seat, table=table, stated=dict(stated)), shuffle)
    except ActionError:  # What cannot lie on a table at all does not.
        step = apply(game, TimeOut(game.seat), shuffle)
    return _played(room, game.seat, "clock", step, now)


def bot_answer(room: Room, action: Action | None, now: int, can_lay: bool | None = None) -> Decision:
    """What the last answer of a bot leads to. Without one it draws, or what stands for it.

    A bot whose answer is no move loses the game (R68). One that stands in for somebody loses it no game: that
    counts as no answer.
    """
    game, shuffle = running(room)
    by: By = "bot" if room.chairs[game.seat].kind == "bot" else "stand_in"
    if by == "stand_in" and not is_move(room, action, can_lay):
        action = None
    if action is None and game.book.family == "rearranging":
        action = Draw(game.seat) if game.pool else Pass(game.seat)
        can_lay = False
    return _played(room, game.seat, by, apply_answer(game, action, shuffle, can_lay=can_lay), now)


def is_move(room: Room, action: Action | None, can_lay: bool | None = None) -> bool:
    """Whether a bot's answer can be carried out; none at all can."""
    game, shuffle = running(room)
    try:
        carry_out(game, action, shuffle, can_lay=can_lay)
    except ActionError:
        return False
    return True


def abandon(room: Room, seat: int, context: Context) -> Decision:
    """The game ends without a result, by agreement."""
    game, shuffle = running(room)
    return _played(
        room, seat, "agreement", apply(game, Abandon(seat, reason="by agreement"), shuffle), context
    )


def ended_from_outside(room: Room, reason: str, now: int) -> Decision:
    """Whoever runs the server ends the game, without a result."""
    game, shuffle = running(room)
    return _played(room, game.seat, "director", apply(game, Abandon(game.seat, reason=reason), shuffle), now)


def resign(room: Room, command: Resign, context: Context) -> Decision:
    """A player gives the game up, also while a bot stands in for them.

    At a championship's table they withdraw: the others play on, and the director rules (R50).
    """
    game, shuffle = running(room)
    seat = room.seat_of(context.player.id)
    if seat is None:
        raise Refusal("not_seated")
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")
    action = game_actions.Resign(seat) if room.championship is None else Withdraw(seat)
    return _played(room, seat, "player", apply(game, action, shuffle), context)


def withdrawn(room: Room, seat: int, now: int) -> Decision:
    """The director takes somebody out of the game: the rack stays and the turns are skipped (R50)."""
    game, shuffle = running(room)
    try:
        step = apply(game, Withdraw(seat), shuffle)
    except ActionError as error:
        raise Refusal.of(error) from None
    return _played(room, seat, "director", step, now)


def _played(room: Room, seat: int, by: By, step: Step, context: Context | int) -> Decision:
    """One action's events as one event of the room. At the end of the game the shuffle is revealed."""
    state, events = step
    now = context if isinstance(context, int) else context.now
    assert room.shuffle is not None
    if state.over:
        events = (*events, reveal(state, room.shuffle))
    starts_at = None if isinstance(context, int) or not dealt_again(events) else phase_ends(room, context)
    waits = starts_at is not None or room.starts_at is not None
    played = GamePlayed(
        at=now,
        player="" if isinstance(context, int) else context.player.id,
        by=by,
        events=events,
        seat=seat,
        deadline=None if waits else _deadline(room, state, events, now),
        starts_at=starts_at,
    )
    return Decision((played,), state)


def _deadline(room: Room, state: State, events: tuple[ev.Event, ...], now: int) -> int | None:
    """A turn that begins has its whole time; one that goes on has what is left."""
    if state.over:
        return None
    if not any(isinstance(event, ev.TurnBegan) for event in events):
        return room.deadline
    length = turn_length(room.settings, room.book)
    return None if length is None else now + length


def extra_time(room: Room, command: ExtraTime, context: Context) -> Decision:
    """The player to move adds the extra seconds to the turn, once."""
    game, _ = running(room)
    seat = own_seat(room, context.player.id)
    check_rev(room, command.rev)
    if game.seat != seat:
        raise Refusal("not_your_turn", name=game.players[game.seat])
    if room.deadline is None or not room.settings.clock.extra:
        raise Refusal("no_extra_time")
    if room.extra_used:
        raise Refusal("extra_time_used")
    deadline = room.deadline + room.settings.clock.extra * 1000
    return Decision((ExtraTimeTaken(at=context.now, player=context.player.id, seat=seat, deadline=deadline),))
