"""Reactions: shown for a moment to all who hear the chat, as seldom as chat, and never kept."""

from __future__ import annotations

from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Reacted, Update
from meldroom.rooms.protocol.settings import TurnClock
from meldroom.rooms.runtime.publisher import DELAY
from tests.rooms.evening import evening
from tests.rooms.house import House
from tests.rooms.seeing import check_frame

OFF = TurnClock("off")


@evening
async def test_everybody_at_the_table_sees_a_reaction_and_nothing_is_written_down(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    before = house.room(code)
    await ada.done(do.React, code, reaction="applause")
    for guest in (ada, ben):
        assert guest.messages()[-1] == Reacted(room=code, name="Ada", seat=0, reaction="applause")
        check_frame(guest.frames[-1], house.room(code), None, set())
    assert house.room(code) == before
    newcomer = house.guest("Ben")
    newcomer.player = ben.player
    await newcomer.done(do.Enter, code)
    assert not newcomer.messages(Reacted)


@evening
async def test_reactions_and_messages_share_one_allowance(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    for _ in range(3):
        await ada.done(do.React, code, reaction="smile")
        await ada.done(do.Say, code, phrase="nice")
    assert await ada.refused(do.React, code, reaction="smile") == "too_fast"
    assert len(ben.messages(Reacted)) == 3
    await ben.done(do.React, code, reaction="thinking")
    await house.advance(2_000)
    await ada.done(do.React, code, reaction="well_played")


@evening
async def test_where_spectators_may_chat_they_may_react_and_elsewhere_they_see_nothing(house: House) -> None:
    code, (ada, _) = await house.table("Ada", "Ben", clock=OFF, spectators="live")
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    await eve.done(do.React, code, reaction="surprise")
    assert ada.messages(Reacted)[-1] == Reacted(room=code, name="Eve", seat=None, reaction="surprise")
    closed, (cleo, _) = await house.table("Cleo", "Dan", clock=OFF)
    await eve.done(do.Enter, closed)
    assert await eve.refused(do.React, closed, reaction="smile") == "not_seated"
    await cleo.done(do.React, closed, reaction="smile")
    assert [each.room for each in eve.messages(Reacted)] == [code]


@evening
async def test_a_delayed_spectator_sees_a_reaction_with_what_it_was_about(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF, spectators="delayed")
    await house.advance(DELAY)
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    await ada.done(do.React, code, reaction="smile")
    assert ben.messages(Reacted)
    await house.advance(DELAY - 1)
    assert not eve.messages(Reacted)
    await house.advance(1)
    assert eve.messages(Reacted)[-1].name == "Ada"


@evening
async def test_reactions_go_on_after_the_end(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    await ada.done(do.Resign, code)
    await ben.done(do.React, code, reaction="well_played")
    assert ada.messages(Reacted)[-1].seat == 1
    assert ada.messages(Update)[-1].view.stage == "over"
