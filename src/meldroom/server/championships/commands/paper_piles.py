"""A pile of paper sheets typed in twice: where the two typings agree, where they differ, what cannot be.

Nothing is written here. What agrees goes in as commands; about the rest the director decides.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec.structs import asdict

from meldroom.championship.actions import EnterResult
from meldroom.championship.apply import complete
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.results import GameResult
from meldroom.championship.state import ChampionshipState, GameKey
from meldroom.i18n import Language
from meldroom.referee import RefereeError
from meldroom.server.championships.commands.requests import Enter, PlayedGame
from meldroom.server.championships.commands.to_action import result_of
from meldroom.server.championships.errors import HallError

MOST_TYPED = 2_000


_Which = Literal["first", "second"]
Typing = Annotated[tuple[PlayedGame, ...], msgspec.Meta(max_length=MOST_TYPED)]


class Pile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same sheets typed by two people, or by one twice."""

    first: Typing
    second: Typing


class PileFault(msgspec.Struct, frozen=True):
    """Why a typed game cannot be a result."""

    code: str
    message: str
    typing: _Which
    """Which of the two typings it is about."""


class PileLine(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the pile with what became of it."""

    stage: str
    sitting: int
    table: int
    game: int
    outcome: Literal["agreed", "entered", "differs", "missing", "impossible", "conflict"]
    """`entered`: exactly this is in the log already. `conflict`: the log has another result."""
    first: GameResult | None = None
    second: GameResult | None = None
    there: GameResult | None = None
    """What the log has."""
    faults: tuple[PileFault, ...] = ()
    command: Enter | None = None
    """For what agreed: the command that enters it."""


class PileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Every game of the pile, in the order of tables; nothing has been written."""

    version: int
    agreed: int
    to_look_at: int
    lines: tuple[PileLine, ...]


def compare(state: ChampionshipState, pile: Pile, language: Language, version: int) -> PileAnswer:
    """The two typings side by side."""
    first, second = (
        _typed(state, pile.first, language, "first"),
        _typed(state, pile.second, language, "second"),
    )
    order = {stage.id: place for place, stage in enumerate(state.format.stages)}
    keys = sorted({*first, *second}, key=lambda key: (order.get(key[0], len(order)), *key))
    lines = tuple(_line(state, key, first.get(key), second.get(key)) for key in keys)
    agreed = sum(line.outcome in ("agreed", "entered") for line in lines)
    return PileAnswer(version=version, agreed=agreed, to_look_at=len(lines) - agreed, lines=lines)


class _Typed(msgspec.Struct, frozen=True):
    """A typed game, read: a result, or why it cannot be one."""

    game: PlayedGame
    result: GameResult | None
    faults: tuple[PileFault, ...] = ()


def _typed(
    state: ChampionshipState, games: Typing, language: Language, which: _Which
) -> dict[GameKey, _Typed]:
    """All games of one typing; a game typed twice and differently is no result."""
    found: dict[GameKey, _Typed] = {}
    for game in games:
        read = _read(state, game, language, which)
        before = found.get(game.key)
        if before is not None and before.result != read.result:
            twice = HallError(400, "typed_twice")
            read = _Typed(game, None, (*before.faults, *read.faults, _fault(twice, language, which)))
        found[game.key] = read
    return found


def _read(state: ChampionshipState, game: PlayedGame, language: Language, which: _Which) -> _Typed:
    try:
        result = result_of(state.format, game)
        without = {key: each for key, each in state.results.items() if key != game.key}
        complete(msgspec.structs.replace(state, results=without), EnterResult(*game.key, result))
    except HallError as refusal:
        return _Typed(game, None, (_fault(refusal, language, which),))
    except (ChampionshipError, RefereeError) as error:
        return _Typed(game, None, (_fault(HallError.from_below(error), language, which),))
    return _Typed(game, result)


def _fault(refusal: HallError, language: Language, which: _Which) -> PileFault:
    return PileFault(refusal.code, refusal.reason(language), which)


def _line(state: ChampionshipState, key: GameKey, first: _Typed | None, second: _Typed | None) -> PileLine:
    there = state.results.get(key)
    line = PileLine(
        stage=key[0],
        sitting=key[1],
        table=key[2],
        game=key[3],
        outcome="missing",
        first=first.result if first is not None else None,
        second=second.result if second is not None else None,
        there=there,
        faults=(*(first.faults if first is not None else ()), *(second.faults if second is not None else ())),
    )
    if line.faults:
        return msgspec.structs.replace(line, outcome="impossible")
    if first is None or second is None:
        return line
    if first.result != second.result:
        return msgspec.structs.replace(line, outcome="differs")
    if there is not None:
        return msgspec.structs.replace(line, outcome="entered" if there == first.result else "conflict")
    return msgspec.structs.replace(line, outcome="agreed", command=Enter(**asdict(first.game)))
