"""Avatars made from tiles, and what a table keeps from people who were blocked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.bots.levels import LEVELS
from meldroom.rooms.domain.avatars import avatar_of, bot_avatar, is_avatar, profile_of
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Reacted
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House


@given(st.text(min_size=1))
def test_everybody_has_an_avatar_of_two_different_tiles_that_stays(player: str) -> None:
    found = avatar_of(player)
    assert is_avatar(found)
    assert found == avatar_of(player)
    assert len(set(found.split(" "))) == 2
    assert "*" not in found, "jokers are for bots, and for those who choose one"


def test_every_level_of_bot_has_an_avatar_of_its_own() -> None:
    found = [bot_avatar(level) for level in LEVELS]
    assert all(map(is_avatar, found))
    assert len(set(found)) == len(LEVELS)
    assert is_avatar(bot_avatar("a level of an older version"))


@given(st.text())
def test_only_tiles_are_an_avatar(text: str) -> None:
    known = {f"{colour}{number}" for colour in "KRBO" for number in range(1, 14)} | {"*"}
    assert is_avatar(text) == (1 <= len(text.split(" ")) <= 3 and set(text.split(" ")) <= known)


def test_examples_of_avatars() -> None:
    assert all(map(is_avatar, ("R7", "R7 B7", "R13 K10 O12", "* * *")))
    assert not any(map(is_avatar, ("", "R0", "R14", "G3", "R7 ", "R7  B7", "R1 R2 R3 R4", "R7\n", "<b>")))


def test_a_public_id_tells_nothing_of_the_private_one() -> None:
    assert profile_of("") == ""
    assert profile_of("secret id").startswith("~")
    assert "secret" not in profile_of("secret id")
    assert profile_of("a") != profile_of("b")


@evening
async def test_seats_show_avatars_and_public_ids(house: House) -> None:
    ada = Guest(house, "ada", player=Player("ada", "Ada", avatar="R7 B7 *"))
    ben = house.guest("Ben")
    code = await house.open(ada, "me", "open", "club")
    await ada.done(do.Enter, code)
    await ben.done(do.Sit, code, seat=1)
    seats = ada.view.seats
    assert [seat.avatar for seat in seats] == ["R7 B7 *", avatar_of(ben.player.id), bot_avatar("club")]
    assert [seat.profile for seat in seats] == [profile_of("ada"), profile_of(ben.player.id), ""]
    assert house.room(code).chairs[0].avatar == "R7 B7 *"


@evening
async def test_the_chat_of_somebody_blocked_is_shown_to_all_others(house: House) -> None:
    ada, ben, cleo = house.guest("Ada"), house.guest("Ben"), house.guest("Cleo")
    code = await house.open(ada, "me", "open", "open")
    for seat, each in enumerate((ada, ben, cleo)):
        await each.done(do.Enter, code)
        if seat:
            await each.done(do.Sit, code, seat=seat)
    await ben.done(do.Say, code, text="before")
    ada.player = replace(ada.player, blocked=frozenset({ben.player.id}))
    house.rooms.show_again(ada)
    assert [line.text for line in ada.view.chat] == []
    await ben.done(do.Say, code, text="zebra")
    await ben.done(do.React, code, reaction="applause")
    await cleo.done(do.Say, code, text="hello")
    assert [line.text for line in ada.view.chat] == ["hello"]
    assert [len(each.messages(Reacted)) for each in (ada, ben, cleo)] == [0, 1, 1]
    assert [line.text for line in cleo.view.chat] == ["before", "zebra", "hello"]
    assert not any(b"zebra" in frame for frame in ada.frames)
    again = Guest(house, "ada", player=ada.player)
    await again.done(do.Enter, code)
    assert [line.text for line in again.view.chat] == ["hello"]


@evening
async def test_whom_the_host_blocked_cannot_sit_down_and_is_not_told_why(house: House) -> None:
    async def barred(host: str, player: str) -> bool:
        return (host, player) == (ada.player.id, ben.player.id)

    ada, ben, cleo = house.guest("Ada"), house.guest("Ben"), house.guest("Cleo")
    house.rooms.services.barred = barred
    code = await house.open(ada, "me", "open", "open")
    assert await ben.refused(do.Sit, code, seat=1) == "table_closed"
    await cleo.done(do.Sit, code, seat=1)
    other = await house.open(cleo, "me", "open")
    await ben.done(do.Sit, other, seat=1)
