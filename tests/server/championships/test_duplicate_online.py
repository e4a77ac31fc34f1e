"""A duplicate stage on Meldroom's own tables: every room is given the same deals, and nobody is told them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from meldroom.api.answers import Answer
from meldroom.api.errors import GameError
from meldroom.api.games import Games
from meldroom.championship import read_lines, verify
from meldroom.championship.duplicate.deals import deal, deal_secret
from meldroom.game.shuffle import commitment
from meldroom.rooms.domain.clocks import BREAK
from meldroom.server.championships.errors import HallError
from tests.server.championships.online_hall import FORMAT, OnlineHall, online

DUPLICATE = FORMAT.replace(
    "games = 1\n", 'games = 2\nduplicate = "matchpoints"\nranking = ["points", "score"]\n', 1
)


async def check_held(hall: OnlineHall, game: str, *, held: bool) -> None:
    """Nobody is shown a finished game, however they ask, while another table plays its deal."""
    games = Games(hall.house.store, _no_worker, held=hall.online.is_held)
    asked: tuple[Callable[[], Awaitable[Answer]], ...] = (
        lambda: games.page(game, "guest1", "en"),
        lambda: games.record(game, "text"),
        lambda: games.step(game, "last.png", None, False, "en"),
        lambda: games.verification(game, "en"),
        lambda: games.analysis(game, 0, "en"),
        lambda: games.report(game, 0, "en"),
        lambda: games.reasons(game, "en"),
    )
    if not held:
        assert (await games.record(game, "text")).status == 200
        return
    for ask in asked:
        with pytest.raises(GameError) as caught:
            await ask()
        assert (caught.value.status, caught.value.code) == (403, "deal_being_played")


async def _no_worker(task: str, payload: bytes) -> bytes:
    raise AssertionError(task)


@online
async def test_nobody_looks_on_at_a_table_whose_deals_others_play(hall: OnlineHall) -> None:
    await hall.seated(DUPLICATE)
    await hall.command("set_options", spectators="live")
    await hall.command("announce_deals")
    await hall.command("open_rooms", stage="evening", sitting=1)
    room = await hall.house.rooms.look_at(hall.room_of("evening"))
    assert room.settings.spectators == "off"


@online
async def test_all_tables_are_given_the_same_deals(hall: OnlineHall) -> None:
    await hall.seated(DUPLICATE)
    with pytest.raises(HallError) as caught:
        await hall.command("open_rooms", stage="evening", sitting=1)
    assert caught.value.code == "deals_first"
    seed = (await hall.command("announce_deals")).seed
    await hall.command("open_rooms", stage="evening", sitting=1)
    made, rooms = hall.state.format, [hall.room_of("evening", table) for table in (1, 2)]
    seated = []
    for table in (1, 2):
        guests = await hall.sit("evening", table)
        seated.append(guests)
    with pytest.raises(HallError) as caught:
        await hall.command("announce_deals", reason="nicer ones")
    assert caught.value.code == "rooms_have_deals"
    for game in (1, 2):
        given = deal(made, seed, "evening", 1, game)
        secret = deal_secret(made, seed, "evening", 1, game)
        for room in rooms:
            state = hall.house.state(room)
            assert (state.game, state.starter) == (game, given.starter)
            assert list(map(sorted, state.racks)) == list(map(sorted, given.racks))
            assert state.pool == given.pool
            assert state.commitment == commitment(secret)
        for table, guests in enumerate(seated, start=1):
            await hall.play("evening", table, guests, seed=table)
            told = b"".join(guests[0].frames)
            assert secret.encode() not in told
            assert deal_secret(made, seed, "evening", 1, 2).encode() not in told
            await check_held(hall, f"{rooms[0]}-{game}", held=table == 1)
        await hall.house.advance(BREAK)
        await hall.rest()
    await hall.command("reveal_deals")
    await hall.command("close_stage")
    assert not verify(read_lines(hall.folder / hall.code / "log.jsonl"))[1]
