"""Turns of the rearranging books: draw or lay, the clock, declared turns, leftovers, passing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.errors import ActionError
from meldroom.game.judgement import TurnStart, check_known
from meldroom.game.legal.arrange import can_lay
from meldroom.game.log import Log, begin_next_turn
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rules.procedures import declared, end_of_time, leftover
from meldroom.rules.violations import Violation
from meldroom.tiles import Face, Tile


def draw(log: Log, action: act.Draw, shuffle: Shuffle) -> None:
    """Draw one tile; the turn is over (R13)."""
    if not log.state.pool:
        raise ActionError("pool_empty", "action")
    log.add(ev.Drew(action.seat, log.state.pool[0]))
    begin_next_turn(log)


def pass_turn(log: Log, action: act.Pass, shuffle: Shuffle) -> None:
    """Pass, once the pool is empty (R13, R34, R35)."""
    state = log.state
    if state.pool:
        raise ActionError("may_not_pass", "action")
    able = log.can_lay
    if state.book.pool_end.must_play_if_able and (can_lay(state) if able is None else able):
        raise ActionError("must_play", "action")
    log.add(ev.Passed(action.seat))
    begin_next_turn(log)


def lay(log: Log, action: act.Lay, shuffle: Shuffle) -> None:
    """Declare a table finished: it stands, is handed back, or is penalised (R27)."""
    faults = TurnStart.of(log.state).judge_table(action.table, action.stated)
    verdict = declared(log.state.book, not faults, len(log.state.pool))
    if verdict.result == "turn stands":
        _stand(log, action.seat, action.table, action.stated)
    elif verdict.result == "go on (clock runs)":
        raise ActionError("illegal_turn", "table", faults)
    else:
        _penalise(log, action.seat, verdict.draw, "declared", faults)


def time_out(log: Log, action: act.TimeOut, shuffle: Shuffle) -> None:
    """What lies on the table at the buzzer is judged (R24–R26)."""
    state = log.state
    touched = action.table is not None and not _same_table(state, action.table)
    faults: tuple[Violation, ...] = ()
    if touched and action.table is not None:
        faults = TurnStart.of(log.state).judge_table(action.table, action.stated)
    laid = "NO_RACK_TILE" not in {fault.code for fault in faults}
    verdict = end_of_time(state.book, touched, not faults, laid, len(state.pool))
    log.add(ev.TimedOut(action.seat, touched))
    if verdict.result == "draw":
        log.add(ev.Drew(action.seat, state.pool[0]))
        begin_next_turn(log)
    elif verdict.result == "pass":
        log.add(ev.Passed(action.seat))
        begin_next_turn(log)
    elif verdict.result == "turn stands" and action.table is not None:
        _stand(log, action.seat, action.table, action.stated)
    else:
        _penalise(log, action.seat, verdict.draw, "time", faults)


def rule_leftovers(log: Log, action: act.RuleLeftovers, shuffle: Shuffle) -> None:
    """Tiles whose place nobody can name: to the rack (R29) or under the pool (R30), and the penalty."""
    state = log.state
    ruling = leftover(state.book, len(action.leftovers), len(state.pool))
    if ruling is None or state.book.penalty.leftovers == "none":
        raise ActionError("no_leftovers", "action")
    tiles = [tile for tiles in action.table for tile in tiles] + list(action.leftovers)
    check_known(state.book, tiles, "table")
    if sorted(tiles) != sorted(tile for tiles in state.table for tile in tiles) or not all(action.table):
        raise ActionError("bad_leftovers", "leftovers")
    log.add(ev.LeftoversRuled(action.seat, action.table, action.leftovers, state.book.penalty.leftovers))
    _penalise(log, action.seat, ruling.to_rack_from_pool, "leftovers", ())


def _from_rack(state: State, table: act.TileSets) -> list[Tile]:
    """Tiles of a new table that did not lie on the old one."""
    old = {tile for tiles in state.table for tile in tiles}
    return [tile for tiles in table for tile in tiles if tile not in old]


def _same_table(state: State, table: act.TileSets) -> bool:
    return sorted(map(sorted, table)) == sorted(map(sorted, state.table))


def _stand(log: Log, seat: int, table: act.TileSets, stated: Mapping[int, tuple[Face, ...]]) -> None:
    tiles = tuple(sorted(_from_rack(log.state, table)))
    log.add(ev.Laid(seat, table, tiles, dict(stated)))
    if not log.state.racks[seat]:
        log.end("out", seat)  # R32: at once, without an equalising turn.
    else:
        begin_next_turn(log)


def _penalise(
    log: Log,
    seat: int,
    count: int,
    cause: Literal["time", "declared", "leftovers"],
    faults: tuple[Violation, ...],
) -> None:
    """Restore, draw the penalty as far as the pool goes (R25, R28), and the turn is over."""
    codes = tuple(dict.fromkeys(fault.code for fault in faults))
    log.add(ev.Penalised(seat, cause, log.state.pool[:count], codes))
    begin_next_turn(log)
