"""Penalties and disputes: what may be written down, and what the entry fills in."""

from __future__ import annotations

import re
from datetime import datetime

from msgspec.structs import replace

from meldroom.championship.actions import (
    Action,
    CancelPenalty,
    Disqualify,
    EndStage,
    Penalise,
    SettleDispute,
    VoidGame,
)
from meldroom.championship.entrants import LONGEST
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Message

_KIND = re.compile(r"[a-z][a-z_]{0,39}\Z")
_MOST_TILES = 200
_MOST_DEDUCTED = 10_000
_TEXT = 500
_MOST_TEXTS = 20


def filled_in(action: Action, author: str, time: datetime, reason: str) -> Action:
    """The action with what its entry says anyway: who rules unless another is named, and when."""
    match action:
        case Penalise() | SettleDispute():
            at = time if action.at is None else action.at
            if at.utcoffset() is None or at > time:
                raise ChampionshipError("too_late", time=at.isoformat())
            filled = replace(action, referee=action.referee or author, at=at)
            if isinstance(filled, Penalise) and filled.deduct:
                return replace(filled, note=filled.note or reason)
            return filled
        case CancelPenalty() | VoidGame() | EndStage():
            return replace(action, by=author, why=reason)
        case _:
            return action


def check_penalty(state: ChampionshipState, action: Penalise) -> Penalise:
    """The penalty, if player, place and numbers can be. Raises ChampionshipError."""
    name = state.name_of(action.number)
    if not _KIND.match(action.kind):
        raise ChampionshipError("bad_kind", kind=action.kind)
    for what, count in (("tiles", action.tiles), ("leftovers", action.leftovers)):
        if not 0 <= count <= _MOST_TILES:
            raise ChampionshipError("bad_count", what=Message(f"championship.count.{what}"), count=count)
    _check_text(action.referee, LONGEST)
    if action.note:
        _check_text(action.note, _TEXT)
    table = _check_place(state, action)
    if table is not None and action.number not in table:
        raise ChampionshipError("not_at_table", name=name, table=action.table or 0)
    if action.deduct:
        _check_deducted(state, action)
    if action.turn is not None and action.turn < 1:
        raise ChampionshipError("bad_place", place=f"{action.turn}")
    return action


def _check_deducted(state: ChampionshipState, action: Penalise) -> None:
    """Points are taken off in a stage that has begun, by a criterion that counts there."""
    if not 0 < action.deduct <= _MOST_DEDUCTED:
        what = Message("championship.count.points")
        raise ChampionshipError("bad_count", what=what, count=action.deduct)
    if action.stage is None or not any(key[0] == action.stage for key in state.seatings):
        raise ChampionshipError("deduct_where")
    if action.deduct_from not in state.format.criteria(action.stage):
        what = Message(f"championship.decided_by.{action.deduct_from}")
        raise ChampionshipError("deduct_what", what=what, stage=action.stage)


def check_disqualified(state: ChampionshipState, action: Disqualify) -> Disqualify:
    """The disqualification of somebody who plays, or has played. Raises ChampionshipError."""
    one = state.participant(action.number)
    if one.status not in ("entered", "present", "withdrawn"):
        status = Message(f"championship.status.{one.status}")
        raise ChampionshipError("already_out", name=one.entrant.name, status=status)
    return action


def check_stands(state: ChampionshipState, action: CancelPenalty) -> CancelPenalty:
    """The cancellation, if there is such a penalty and it stands. Raises ChampionshipError."""
    if not 1 <= action.penalty <= len(state.penalties):
        raise ChampionshipError("no_penalty", penalty=action.penalty, penalties=len(state.penalties))
    if not state.penalties[action.penalty - 1].stands:
        raise ChampionshipError("penalty_fallen", penalty=action.penalty)
    return action


def check_dispute(state: ChampionshipState, action: SettleDispute) -> SettleDispute:
    """The dispute, if people, place and texts can be. Raises ChampionshipError."""
    for number in action.parties:
        state.participant(number)
    _check_place(state, action)
    texts = (action.question, action.ruling, *action.clauses, *action.rulings, *action.evidence)
    for text in texts:
        _check_text(text, _TEXT)
    if len(texts) > _MOST_TEXTS or len(action.parties) > _MOST_TEXTS:
        raise ChampionshipError("bad_text", text="…", most=_MOST_TEXTS)
    for text in (action.referee, action.chief or "–"):
        _check_text(text, LONGEST)
    return action


def _check_place(state: ChampionshipState, action: Penalise | SettleDispute) -> tuple[int, ...] | None:
    """The table that is meant, if one is named. Raises ChampionshipError if it does not exist."""
    if action.stage is None:
        if action.sitting is not None or action.table is not None or action.game is not None:
            raise ChampionshipError("bad_place", place="–")
        return None
    stage = state.format.stage(action.stage)
    if action.game is not None and action.table is None:
        raise ChampionshipError("game_without_table", game=action.game)
    if action.game is not None and not 1 <= action.game <= stage.games:
        raise ChampionshipError("no_game", game=action.game, games=stage.games)
    if action.table is None:
        return None
    seated = state.seatings.get((action.stage, action.sitting or 0))
    if seated is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting or 0)
    if not 1 <= action.table <= len(seated.tables):
        raise ChampionshipError("no_table", table=action.table, tables=len(seated.tables))
    return seated.tables[action.table - 1]


def _check_text(text: str, most: int) -> None:
    if not text.strip() or not text.isprintable() or len(text) > most:
        raise ChampionshipError("bad_text", text=text, most=most)
