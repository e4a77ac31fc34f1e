"""Games that were played online in the championship's log: each once, with the engine as its referee."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from meldroom.championship.actions import EnterResult, SignSheet
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format
from meldroom.championship.results import GameResult, Rack, from_racks
from meldroom.championship.state import SheetKey
from meldroom.game.state import State
from meldroom.rooms.domain.state import Room
from meldroom.server.championships.commands.perform import same_already
from meldroom.server.championships.commands.requests import Enter
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import Clash, GameStopped, StoppedBy
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.running import Origin, RunningChampionship, digest_of

ENGINE = Key("engine", "", "referee", "engine", datetime.min.replace(tzinfo=UTC))
"""Who enters and signs what was played online; no secret opens anything as this."""


def game_id(code: str, number: int) -> str:
    """The id under which a room's game comes into a championship."""
    return f"game-{code}-{number}"


def take_in(championship: RunningChampionship, key: SheetKey, finished: Sequence[Room]) -> None:
    """Write down every finished game of a table's room that is not there yet. Raises ChampionshipError.

    `finished` is the room after each of its games. A room that was replaced by another counts no more.
    """
    for room in finished:
        if (
            championship.now.hall.rooms.get(key) == room.code
            and game_id(room.code, room.number) not in championship.known
        ):
            _enter(championship, key, room)
    _sign(championship, key)


def _enter(championship: RunningChampionship, key: SheetKey, room: Room) -> None:
    game = room.game
    assert game is not None and game.result is not None  # noqa: PT018 - the room's game is over
    id = game_id(room.code, room.number)
    if room.to_be_ruled:
        stopped = _stopped(key, room, game)
        championship.write_hall(stopped, _origin(id, stopped))
        return
    made = EnterResult(*key, game.game, result_of_game(championship.now.state.format, game))
    try:
        if same_already(championship, made) is None:
            championship.write(made, _origin(id, made))
    except HallError as refusal:
        command = Enter(*key, game.game, scores=made.result.scores, winners=made.result.winners)
        theirs = refusal.conflict.theirs if refusal.conflict is not None else {}
        mine = refusal.conflict.mine if refusal.conflict is not None else {}
        clash = Clash(refusal.code, msgspec.to_builtins(command), theirs, key[2], mine)
        championship.write_hall(clash, _origin(id, clash))
    except ChampionshipError as error:
        if error.code == "not_written":
            raise
        stopped = _stopped(key, room, game, "refused", error.code)
        championship.write_hall(stopped, _origin(id, stopped))


def _origin(id: str, written: msgspec.Struct) -> Origin:
    return Origin(id, digest_of(written), ENGINE, ENGINE.label)


def _stopped(
    key: SheetKey, room: Room, game: State, why: StoppedBy | None = None, note: str = ""
) -> GameStopped:
    """A game for the director to rule on, with what the rules would give it."""
    result = game.result
    assert result is not None
    abandoned = result.end == "abandoned"
    return GameStopped(
        *key,
        game.game,
        why or ("abandoned" if abandoned else "withdrawn"),
        room.record or "",
        tuple(seat for seat, out in enumerate(game.withdrawn) if out),
        () if abandoned else result.scores,
        () if abandoned else result.winners,
        note,
    )


def result_of_game(made: Format, game: State) -> GameResult:
    """The result of a finished game, with the racks that were counted where they explain the scores."""
    result = game.result
    assert result is not None
    assert result.end in ("out", "exhausted")  # only such games are entered
    names, face_of = game.book.tiles.face_names, game.book.tiles.face_of

    def named(tiles: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[face_of[tile]] for tile in tiles)

    plain = GameResult(result.scores, result.winners, result.end)
    winner = result.winners[0] if result.end == "out" else None
    racks = tuple(
        Rack(
            named(rack),
            game.melded[seat],
            named([tile for tile in game.drawn[seat] if tile in rack]) if not game.melded[seat] else (),
            game.begun[seat] > 0,
            "" if game.melded[seat] or game.drawn[seat] else "nothing",
        )
        for seat, rack in enumerate(game.racks)
    )
    own = tuple(
        tile
        for meld in game.melds
        for tile, holder in zip(meld.tiles, meld.holders, strict=True)
        if holder == winner
    )
    try:
        counted = from_racks(made, racks, winner, result.going_out, named(own))
    except ChampionshipError:
        return plain
    same = (counted.scores, counted.winners, counted.end) == (plain.scores, plain.winners, plain.end)
    return counted if same else plain


def _sign(championship: RunningChampionship, key: SheetKey) -> None:
    """Sign a sheet all of whose results are the engine's own. Raises ChampionshipError."""
    state = championship.now.state
    changes = [
        championship.last_changes.results.get(game) for game in state.games_of(key) if game in state.results
    ]
    if (
        not state.to_sign(key)
        or key in state.sheets
        or any(each is None or each.key != ENGINE.id for each in changes)
    ):
        return
    made = SignSheet(*key, ENGINE.label)
    id = f"sign-{championship.now.hall.rooms[key]}"
    try:
        championship.write(made, _origin(id, made))
    except ChampionshipError as error:
        if error.code == "not_written":
            raise
