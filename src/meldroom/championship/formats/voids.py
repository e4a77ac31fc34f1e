"""Games that are void, and stages that end early with what is signed (R73)."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.championship.actions import EndStage, UndoVoid, VoidGame
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState, GameKey


def check_void(
    state: ChampionshipState, action: VoidGame | EndStage | UndoVoid
) -> VoidGame | EndStage | UndoVoid:
    """The action, if it can be, with what it makes void. Raises ChampionshipError."""
    state.format.place(action.stage)
    match action:
        case VoidGame():
            _check_game(state, action)
            return action
        case EndStage():
            return _ending(state, action)
        case UndoVoid():
            _check_undo(state, action)
            return action


def check_goes_on(state: ChampionshipState, stage: str) -> None:
    """Refuse to seat or draw a stage that has ended early. Raises ChampionshipError."""
    if stage in state.ended:
        raise ChampionshipError("stage_ended", stage=stage)


def left_out(state: ChampionshipState, stage: str) -> tuple[GameKey, ...]:
    """The games of a stage that would be void if it ended now: all that are on no signed sheet."""
    return tuple(
        game
        for key, seated in state.history()
        if key[0] == stage
        for table in range(1, len(seated.tables) + 1)
        for game in state.games_of((*key, table))
        if game not in state.voids and not (game in state.results and game[:3] in state.sheets)
    )


def _check_game(state: ChampionshipState, action: VoidGame) -> None:
    """A game of a table that sits; one without a result must be of the stage being played."""
    key = (action.stage, action.sitting, action.table, action.game)
    seated = state.seatings.get(key[:2])
    if seated is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting)
    if not 1 <= action.table <= len(seated.tables):
        raise ChampionshipError("no_table", table=action.table, tables=len(seated.tables))
    games = state.format.stage(action.stage).games
    if not 1 <= action.game <= games:
        raise ChampionshipError("no_game", game=action.game, games=games)
    if key in state.voids:
        raise ChampionshipError("already_void", table=action.table, game=action.game)
    if key not in state.results and action.stage != state.stage_of_play():
        raise ChampionshipError("not_entered", table=action.table, game=action.game)


def _ending(state: ChampionshipState, action: EndStage) -> EndStage:
    """What is left out when a stage ends now. The first stage needs something that counts."""
    stage = action.stage
    if stage != state.stage_of_play():
        code = "stage_closed" if stage in state.closings else "stage_before_open"
        raise ChampionshipError(code, stage=stage, before=state.stage_of_play() or "–")
    check_goes_on(state, stage)
    out = left_out(state, stage)
    sittings = range(1, state.format.stage(stage).sittings + 1)
    not_seated = tuple(sitting for sitting in sittings if (stage, sitting) not in state.seatings)
    if not out and not not_seated:
        raise ChampionshipError("nothing_left_out", stage=stage)
    counts = any(game[0] == stage and game[:3] in state.sheets for game in state.results)
    if not counts and state.format.place(stage) == 0:
        raise ChampionshipError("nothing_signed", stage=stage)
    return replace(action, void=tuple(game[1:] for game in out), not_seated=not_seated)


def _check_undo(state: ChampionshipState, action: UndoVoid) -> None:
    """Something must be void; what opens games again must not have been followed by another stage."""
    stage = action.stage
    key = (stage, action.sitting, action.table, action.game)
    if not action.game:
        if stage not in state.ended:
            raise ChampionshipError("not_ended", stage=stage)
        opens = True
    else:
        if key not in state.voids:
            raise ChampionshipError("not_void", table=action.table, game=action.game)
        if state.voids[key].ended:
            raise ChampionshipError("void_by_end", stage=stage)
        opens = state.voids[key].result is None or key[:3] not in state.sheets
    later = {each.id for each in state.format.stages[state.format.place(stage) + 1 :]}
    if opens and any(game[0] in later for game in state.results):
        raise ChampionshipError("later_played", stage=stage)
