"""What an action leads to: `apply` verifies it and returns the new state with the events that made it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game import laying_off, rearranging
from meldroom.game.errors import ActionError
from meldroom.game.fold import moved
from meldroom.game.judgement import check_known
from meldroom.game.log import Log, begin_next_turn, next_seat
from meldroom.game.shuffle import Shuffle, commitment
from meldroom.game.state import Meld, State, conserved, tiles_in
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import first_player, three_doubles
from meldroom.tiles import Tile

LONGEST_NAME = 60
MOST_DRAWS_FOR_START = 20

Step = tuple[State, tuple[ev.Event, ...]]


def new_game(
    book: RuleBook,
    players: Sequence[str],
    shuffle: Shuffle,
    starter: int | None = None,
    game: int = 1,
    stand_ins: Sequence[Tile] = (),
) -> Step:
    """A dealt game with the first turn begun. Without a starter, tiles are turned over for it (R3).

    `stand_ins` are lost tiles for which a blank is used (R4). Raises ActionError for a wrong number of
    players, bad names, a bad seat, or more lost tiles than there are blanks.
    """
    count = len(players)
    if not book.players.minimum <= count <= book.players.maximum:
        least, most = book.players.minimum, book.players.maximum
        raise ActionError("bad_players", "players", count=count, minimum=least, maximum=most)
    if len(set(players)) < count or not all(name.strip() and len(name) <= LONGEST_NAME for name in players):
        raise ActionError("bad_name", "players")
    if starter is not None and not 0 <= starter < count:
        raise ActionError("no_such_seat", "starter", seat=str(starter))
    if len(stand_ins) > book.tiles.blanks:
        raise ActionError("too_few_blanks", "stand_ins", count=book.tiles.blanks)
    opened = ev.GameCreated(book.ref, tuple(players), game, commitment(shuffle.secret), tuple(stand_ins))
    log = Log.start(opened, book)
    check_known(log.state.book, stand_ins, "stand_ins")
    log.add(ev.StarterChosen(starter) if starter is not None else _draw_for_start(log.state, shuffle))
    _deal(log, shuffle)
    return log.done()


def _draw_for_start(state: State, shuffle: Shuffle) -> ev.StarterChosen:
    """Each player turns a tile, the highest begins, level players turn again (R3)."""
    seats = tuple(range(len(state.players)))
    rounds: list[ev.Turned] = []
    while len(seats) > 1 and len(rounds) < MOST_DRAWS_FOR_START:
        order = shuffle.order(f"game {state.game} start {len(rounds) + 1}", state.book.tiles.every_tile)
        turned = tuple(zip(seats, order, strict=False))
        rounds.append(turned)
        verdict = first_player(state.book, [state.book.tiles.face_of[tile] for _, tile in turned])
        seats = (
            (seats[verdict.first],)
            if verdict.first is not None
            else tuple(seats[i] for i in verdict.draw_again)
        )
    return ev.StarterChosen(seats[0], tuple(rounds))


def deal_order(book: RuleBook, players: int, starter: int, order: Sequence[Tile]) -> ev.Dealt:
    """Racks and pool from an order of all tiles, seat by seat; number 0."""
    racks, used = [], 0
    for seat in range(players):
        size = book.deal.starter_tiles if seat == starter else book.deal.tiles
        racks.append(tuple(order[used : used + size]))
        used += size
    return ev.Dealt(0, tuple(racks), tuple(order[used:]))


def _deal(log: Log, shuffle: Shuffle) -> None:
    state = log.state
    number = state.deals + 1
    order = shuffle.order(f"game {state.game} deal {number}", state.book.tiles.every_tile)
    dealt = deal_order(state.book, len(state.players), state.starter, order)
    log.add(ev.Dealt(number, dealt.racks, dealt.pool))
    log.add(ev.TurnBegan(next_seat(state, state.starter)))


def apply(state: State, action: act.Action, shuffle: Shuffle, *, can_lay: bool | None = None) -> Step:
    """The state after an action, and the events that led there. The given state is never changed.

    `can_lay` says whether the player to move can lay anything, where that is known already: a book may allow
    passing only to those who cannot, and finding out is slow (R34).

    Raises ActionError when the action cannot be carried out; nothing has changed then.
    """
    if state.phase in ("created", "ready"):
        raise ActionError("wrong_phase", "action")
    if state.over:
        raise ActionError("game_over", "action")
    if not 0 <= action.seat < len(state.players):
        raise ActionError("no_such_seat", "seat", seat=str(action.seat))
    log = Log(state, can_lay)
    _HANDLERS[type(action)](log, action, shuffle)
    after, events = log.done()
    # A position may name fewer tiles than the box holds; none may appear or vanish in it either.
    if not conserved(after) and sorted(tiles_in(after)) != sorted(tiles_in(state)):
        raise RuntimeError("tiles were not conserved; this is a fault of the engine")
    return after, events


def reveal(state: State, shuffle: Shuffle) -> ev.ShuffleRevealed:
    """The event that lets anyone check the shuffle, once the game is over. Raises ActionError before."""
    if not state.over:
        raise ActionError("wrong_phase", "action")
    return ev.ShuffleRevealed(shuffle.secret, shuffle.contributions)


def _request_redeal(log: Log, action: act.RequestRedeal, shuffle: Shuffle) -> None:
    """A fresh start for the whole table with the same starter (R6)."""
    state = log.state
    if not state.book.redeal.doubles:
        raise ActionError("no_redeal", "action")
    if sum(state.turns):
        raise ActionError("too_late_to_redeal", "action")
    if state.withdrawn[action.seat]:
        raise ActionError("withdrawn", "seat", name=state.players[action.seat])
    check_known(log.state.book, action.tiles, "tiles")
    for tile in action.tiles:
        if tile not in state.racks[action.seat]:
            raise ActionError("tile_not_on_rack", "tiles", tiles=state.book.tiles.name(tile))
    if not three_doubles(state.book, state.faces(action.tiles)):
        raise ActionError("no_doubles", "tiles", count=state.book.redeal.doubles)
    log.add(ev.RedealGranted(action.seat, action.tiles))
    _deal(log, shuffle)


def _withdraw(log: Log, action: act.Withdraw, shuffle: Shuffle) -> None:
    """The rack stays, turns are skipped (R50); when nobody is left the game is counted."""
    state = log.state
    if state.withdrawn[action.seat]:
        raise ActionError("withdrawn", "seat", name=state.players[action.seat])
    log.add(ev.Withdrew(action.seat))
    if all(log.state.withdrawn):
        log.end("exhausted")
    elif state.seat == action.seat:
        begin_next_turn(log)


def _resign(log: Log, action: act.Resign, shuffle: Shuffle) -> None:
    """The rack stays and is charged as it stands (R50); the last one who plays on has won."""
    state = log.state
    if state.withdrawn[action.seat]:
        raise ActionError("withdrawn", "seat", name=state.players[action.seat])
    log.add(ev.Resigned(action.seat))
    left = [seat for seat, out in enumerate(log.state.withdrawn) if not out]
    if len(left) == 1:
        log.end_resigned(left[0])
    elif not left:
        log.end("exhausted")
    elif state.seat == action.seat:
        begin_next_turn(log)


def _correct(log: Log, action: act.Correct, shuffle: Shuffle) -> None:
    """The referee's decision is final: tiles are moved as decided, none appears or vanishes."""
    state = log.state
    laying_off_book = state.book.family == "laying_off"
    if state.withdrawn[action.seat]:
        raise ActionError("withdrawn", "seat", name=state.players[action.seat])
    if laying_off_book and action.seat != state.seat and state.phase != "take":
        raise ActionError("wrong_phase", "seat")  # They have not taken a tile, the other has.
    for index, move in enumerate(action.moves):
        check_known(log.state.book, (move.tile,), f"moves[{index}]")
        nowhere = move.to == ("table" if laying_off_book else "discards")
        if nowhere or move.index < 0 or (move.to == "rack" and move.index >= len(state.players)):
            raise ActionError("no_such_place", f"moves[{index}]")
        state = moved(state, move)
    if not all(_lies_right(state, meld) for meld in state.melds):
        raise ActionError("broken_meld", "moves")
    if laying_off_book and state.phase != "take" and not state.racks[action.seat]:
        raise ActionError("no_such_place", "moves")  # They could never discard.
    for seat in action.melded:
        if not 0 <= seat < len(state.players):
            raise ActionError("no_such_seat", "melded", seat=str(seat))
    log.add(ev.Corrected(action.seat, action.reason, action.moves, action.melded))


def _lies_right(state: State, meld: Meld) -> bool:
    """A meld that is a set and, if a run, lies in order: a joker keeps its place (R56)."""
    faces = state.faces(meld.tiles)
    in_order = not meld.reading.is_run or len(faces) == meld.reading.high - meld.reading.low + 1
    return (
        state.book.reader.is_set(faces)
        and in_order
        and (not meld.reading.is_run or state.book.reader.faces_of(meld.reading, faces) is not None)
    )


def _abandon(log: Log, action: act.Abandon, shuffle: Shuffle) -> None:
    log.add(ev.GameEnded("abandoned", (0,) * len(log.state.players), (), reason=action.reason))


Family = Literal["rearranging", "laying_off"]


def _only(
    family: Family, handler: Callable[[Log, Any, Shuffle], None]
) -> Callable[[Log, Any, Shuffle], None]:
    """A player's action of one family, at their turn."""

    def guarded(log: Log, action: Any, shuffle: Shuffle) -> None:
        state = log.state
        if state.book.family != family:
            raise ActionError("wrong_family", "action")
        if state.seat != action.seat:
            raise ActionError("not_your_turn", "seat", name=state.players[state.seat])
        handler(log, action, shuffle)

    return guarded


def _time_out(log: Log, action: act.TimeOut, shuffle: Shuffle) -> None:
    module: Any = rearranging if log.state.book.family == "rearranging" else laying_off
    _only(log.state.book.family, module.time_out)(log, action, shuffle)


_HANDLERS: dict[type[Any], Callable[[Log, Any, Shuffle], None]] = {
    act.Draw: _only("rearranging", rearranging.draw),
    act.Lay: _only("rearranging", rearranging.lay),
    act.Pass: _only("rearranging", rearranging.pass_turn),
    act.RuleLeftovers: _only("rearranging", rearranging.rule_leftovers),
    act.Take: _only("laying_off", laying_off.take),
    act.Play: _only("laying_off", laying_off.play),
    act.Discard: _only("laying_off", laying_off.discard),
    act.TimeOut: _time_out,
    act.RequestRedeal: _request_redeal,
    act.Withdraw: _withdraw,
    act.Resign: _resign,
    act.Correct: _correct,
    act.Abandon: _abandon,
}
