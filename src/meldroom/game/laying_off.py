"""Turns of the laying-off book: take, play, discard (R51–R62)."""

from __future__ import annotations

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.errors import ActionError
from meldroom.game.judgement import TurnStart, check_known
from meldroom.game.log import Log, begin_next_turn
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import Meld, State
from meldroom.rules.laying_off import GOING_OUT, Change, Exposed, Judgement, exposed
from meldroom.rules.sets import Reading
from meldroom.rules.violations import violation
from meldroom.tiles import Tile


def take(log: Log, action: act.Take, shuffle: Shuffle) -> None:
    """Take the last discard or a tile from the stock, which is renewed once (R52, R61)."""
    state = log.state
    if state.phase != "take":
        raise ActionError("wrong_phase", "action")
    if action.source == "discard":
        if not state.discards:
            raise ActionError("nothing_to_take", "source")
        log.add(ev.Took(action.seat, "discard", state.discards[-1]))
        return
    if not state.pool and not _renew_stock(log, shuffle):
        log.end("exhausted")
        return
    log.add(ev.Took(action.seat, "stock", log.state.pool[0]))


def _renew_stock(log: Log, shuffle: Shuffle) -> bool:
    """All discards but the last become the stock again, as often as the book allows."""
    state = log.state
    if state.reshuffles >= state.book.pool_end.reshuffles or len(state.discards) < 2:
        return False
    number = state.reshuffles + 1
    label = f"game {state.game} deal {state.deals} stock {number}"
    log.add(ev.Reshuffled(number, shuffle.order(label, state.discards[:-1])))
    return True


def discard(log: Log, action: act.Discard, shuffle: Shuffle) -> None:
    """Discard without laying anything."""
    state = log.state
    if state.phase not in ("opening_discard", "play"):
        raise ActionError("wrong_phase", "action")
    check_known(log.state.book, (action.tile,), "tile")
    if action.tile not in state.racks[action.seat]:
        raise ActionError("tile_not_on_rack", "tile", tiles=state.book.tiles.name(action.tile))
    log.add(ev.Discarded(action.seat, action.tile))
    begin_next_turn(log)


def play(log: Log, action: act.Play, shuffle: Shuffle) -> None:
    """Lay melds, add to melds, claim jokers, and discard. An illegal meld is just taken back (R62)."""
    state = log.state
    if state.phase != "play":
        raise ActionError("wrong_phase", "action")
    judgement = judge_play(log, action)
    if judgement.violations or judgement.outcome is None or action.discard is None:
        raise ActionError("illegal_turn", "melds", judgement.violations)
    if judgement.outcome != "DISCARD_ONLY":
        melds = _melds_after(state, action, judgement)
        old = {tile for meld in state.melds for tile in meld.tiles}
        tiles = tuple(sorted(t for meld in melds for t in meld.tiles if t not in old))
        log.add(ev.Played(action.seat, melds, tiles, judgement.outcome))
    log.add(ev.Discarded(action.seat, action.discard))
    if judgement.outcome in GOING_OUT:
        log.end("out", action.seat, judgement.outcome)
    else:
        begin_next_turn(log)


def time_out(log: Log, action: act.TimeOut, shuffle: Shuffle) -> None:
    """A table's own clock ran out: nothing is laid, a tile is taken if none was, and discarded again."""
    log.add(ev.TimedOut(action.seat, False))
    if log.state.phase == "take":
        take(log, act.Take(action.seat, source="stock"), shuffle)
        if log.state.over:
            return
    opening = log.state.phase == "opening_discard"
    rack = log.state.racks[action.seat]
    kept = () if opening else tuple(tile for tile in log.state.drawn[action.seat] if tile in rack)
    tile = (kept or rack)[0]
    discard(log, act.Discard(action.seat, tile=tile), shuffle)


def judge_play(log: Log, action: act.Play) -> Judgement:
    """The judgement on a play. Raises ActionError if the tiles cannot be there at all."""
    start = TurnStart.of(log.state, action.seat)
    start.check_melds(action.melds, action.discard)
    discarded = None if action.discard is None else log.state.book.tiles.face_of[action.discard]
    return start.judge_melds(action.melds, [_as_exposed(log.state, m) for m in action.melds], discarded)


def _as_exposed(state: State, meld: act.MeldPlay) -> Exposed:
    shown = exposed(state.book, state.faces(meld.tiles), str(meld.owner))
    meant = tuple(r for r in shown.readings if r.kind == meld.kind)
    if meld.kind is None or not shown.readings:
        return shown
    if not meant:
        text = state.book.tiles.faces_text(shown.faces)
        fault = violation(state.book, "SET_INVALID", "stated", tiles=text)
        raise ActionError("illegal_turn", "melds", (fault,))
    return Exposed(shown.faces, shown.owner, meant)


def _melds_after(state: State, action: act.Play, judgement: Judgement) -> tuple[Meld, ...]:
    """The melds as they lie afterwards: old ones in their old order, then the new ones."""
    melds = []
    for old, place, change in zip(state.melds, judgement.follows, judgement.changes, strict=True):
        tiles = _in_order(state, action.melds[place].tiles, change.reading)
        holders = _holders(state, old, tiles, change, action.seat)
        melds.append(Meld(tiles, old.owner, holders, change.reading))
    for index, new in enumerate(action.melds):
        if index not in judgement.follows:
            reading = _as_exposed(state, new).readings[0]
            tiles = _in_order(state, new.tiles, reading)
            melds.append(Meld(tiles, action.seat, (action.seat,) * len(tiles), reading))
    return tuple(melds)


def _in_order(state: State, tiles: tuple[Tile, ...], reading: Reading) -> tuple[Tile, ...]:
    """The tiles of a new run in the order of its numbers."""
    faces = state.faces(tiles)
    if not reading.is_run or state.book.reader.faces_of(reading, faces) is not None:
        return tiles
    left = list(tiles)
    order = []
    for face in state.book.reader.arranged(reading, faces):
        tile = next(t for t in left if state.book.tiles.face_of[t] == face)
        left.remove(tile)
        order.append(tile)
    return tuple(order)


def _holders(state: State, old: Meld, tiles: tuple[Tile, ...], change: Change, seat: int) -> tuple[int, ...]:
    """In front of whom each tile counts: a tile given for a joker takes the joker's place (R60)."""
    joker = state.book.tiles.joker
    old_faces, faces = list(state.faces(old.tiles)), state.faces(tiles)
    by_face: dict[int, list[int]] = {}
    for index, (face, holder) in enumerate(zip(old_faces, old.holders, strict=True)):
        key = change.given[change.claimed.index(index)] if index in change.claimed else face
        by_face.setdefault(key, []).append(holder)
    if change.reading.is_run and joker in old_faces:
        # In a run a joker keeps its place, so a joker that lies further out is the player's own.
        start = old.reading.low - change.reading.low
        inner = range(start, start + len(old.tiles))
        return tuple(old.holders[i - start] if i in inner else seat for i in range(len(tiles)))
    return tuple(by_face[face].pop(0) if by_face.get(face) else seat for face in faces)
