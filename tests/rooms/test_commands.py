"""Wrong, stale, repeated and foreign commands: a clear refusal, nothing changed, nobody else affected."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest
from msgspec.structs import replace

from meldroom.game import actions as act
from meldroom.i18n import message_ids, template
from meldroom.rooms.errors import StorageError
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused, Update
from meldroom.rooms.protocol.events import Said
from meldroom.rooms.protocol.settings import TurnClock
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House

OFF = TurnClock("off")


@evening
async def test_a_repeated_request_is_answered_again_and_not_carried_out_again(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    command = do.Act(id="once", room=code, rev=rev, action=act.Draw(seat))
    first, second = await asyncio.gather(*(house.rooms.handle(guests[seat], command) for _ in range(2)))
    assert first == second
    third = await house.rooms.handle(guests[seat], command)
    assert third == first
    assert house.room(code).rev == rev + 1
    other = do.Say(id="once", room=code, text="something else")
    refused = await house.rooms.handle(guests[seat], other)
    assert isinstance(refused, Refused)
    assert refused.error.code == "id_used"
    mine = do.Say(id="once", room=code, text="ids are one's own")
    assert isinstance(await house.rooms.handle(guests[1 - seat], mine), Done)


@evening
async def test_a_repeat_is_known_after_a_restart(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    command = do.Act(id="once", room=code, rev=rev, action=act.Draw(seat))
    first = await house.rooms.handle(guests[seat], command)
    again = House(house.store.copy(), house.time)
    await again.rooms.start()
    answer = await again.rooms.handle(Guest(again, "x", player=guests[seat].player), command)
    assert answer == first
    assert len(again.store.logs[code]) == len(house.store.logs[code])
    await again.rooms.close()


@evening
async def test_a_stale_command_is_refused_with_the_current_revision(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    await guests[seat].done(do.Act, code, rev=rev, action=act.Draw(seat))
    for kind, fields in (
        (do.Act, {"action": act.Draw(1 - seat)}),
        (do.Draft, {"table": ()}),
        (do.Hint, {"step": 1}),
        (do.ExtraTime, {}),
    ):
        answer = await guests[1 - seat].do(kind, code, rev=rev, **fields)
        assert isinstance(answer, Refused)
        assert (answer.error.code, answer.error.rev) == ("stale", rev + 1)


@evening
async def test_nobody_plays_from_anothers_seat(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    other, stranger = guests[1 - seat], house.guest("Eve")
    before = house.room(code)
    assert await other.refused(do.Act, code, rev=rev, action=act.Draw(seat)) == "not_your_seat"
    assert await other.refused(do.Act, code, rev=rev, action=act.Draw(1 - seat)) == "not_your_turn"
    assert await stranger.refused(do.Act, code, rev=rev, action=act.Draw(seat)) == "not_seated"
    assert await stranger.refused(do.Draft, code, rev=rev, table=()) == "not_seated"
    assert await other.refused(do.Draft, code, rev=rev, table=()) == "not_your_turn"
    assert await stranger.refused(do.Reclaim, code) == "not_seated"
    assert await stranger.refused(do.Enter, "nowhere") == "no_such_room"
    assert house.room(code) is before


@evening
async def test_a_draft_with_tiles_that_cannot_be_there_is_refused(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    state, rev = house.state(code), house.room(code).rev
    mover = guests[state.seat]
    mine, theirs, hidden = state.racks[state.seat][0], state.racks[1 - state.seat][0], state.pool[0]
    assert await mover.refused(do.Draft, code, rev=rev, table=((mine, mine),)) == "tile_twice"
    assert await mover.refused(do.Draft, code, rev=rev, table=((theirs,),)) == "tile_not_on_rack"
    assert await mover.refused(do.Draft, code, rev=rev, table=((hidden,),)) == "tile_not_on_rack"
    assert await mover.refused(do.Draft, code, rev=rev, table=((106,),)) == "unknown_tile"
    assert await mover.refused(do.Draft, code, rev=rev, table=((-1,),)) == "unknown_tile"
    assert await mover.refused(do.Draft, code, rev=rev, table=((mine,),), stated={3: (1,)}) == "no_such_place"
    assert await mover.refused(do.Draft, code, rev=rev, melds=()) == "wrong_draft"
    assert house.live(code).draft is None


@evening
async def test_an_illegal_turn_is_handed_back_with_every_fault_and_its_clause(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    state, rev = house.state(code), house.room(code).rev
    mover = Guest(house, "fr", "fr", guests[state.seat].player)
    two = state.racks[state.seat][:2]
    answer = await mover.do(do.Act, code, rev=rev, action=act.Lay(state.seat, table=(two,)))
    assert isinstance(answer, Refused)
    assert answer.error.code == "illegal_turn"
    assert {"SET_INVALID", "MELD_LT_30"} <= {fault.code for fault in answer.error.faults}
    assert all(fault.clause or fault.ruling for fault in answer.error.faults)
    assert house.room(code).rev == rev


@evening
async def test_tml_l77_a_declared_illegal_turn_is_penalised_and_says_why(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", book="tml")
    state, rev = house.state(code), house.room(code).rev
    two = state.racks[state.seat][:2]
    answer = await guests[state.seat].done(do.Act, code, rev=rev, action=act.Lay(state.seat, table=(two,)))
    assert answer.judgement is not None
    assert {fault.code for fault in answer.judgement.faults} >= {"SET_INVALID"}
    assert len(house.state(code).racks[state.seat]) == 17
    assert "wasn't legal" in guests[0].view.notice


@evening
async def test_who_was_away_gets_exactly_what_they_missed_or_a_snapshot(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    ada = guests[0]
    house.rooms.disconnected(ada)
    seq = ada.messages(Update)[-1].seq
    for text in ("one", "two", "three"):
        await guests[1].done(do.Say, code, text=text)
    ada.frames.clear()
    await ada.done(do.Enter, code, since=seq)
    update = ada.messages(Update)[0]
    assert (update.since, update.seq, update.snapshot) == (seq, seq + 3, False)
    assert [event.text for event in update.events if isinstance(event, Said)] == ["one", "two", "three"]
    for since in (None, seq + 50, -1):
        ada.frames.clear()
        await ada.done(do.Enter, code, since=since)
        snapshot = ada.messages(Update)[0]
        assert snapshot.snapshot
        assert snapshot.events == ()
        assert snapshot.view.chat[-1].text == "three"


@evening
async def test_chat_is_limited_and_clean(house: House) -> None:
    code, (ada, ben) = await house.table("Ada", "Ben", clock=OFF)
    assert await ada.refused(do.Say, code, text="   ") == "nothing_said"
    assert await ada.refused(do.Say, code) == "nothing_said"
    assert await ada.refused(do.Say, code, text="hi", phrase="hello") == "nothing_said"
    assert await ada.refused(do.Say, code, text="a\x00b") == "bad_text"
    codes = [(await ada.do(do.Say, code, text="<i>again</i>")) for _ in range(8)]
    refused = [answer.error for answer in codes if isinstance(answer, Refused)]
    assert refused
    assert all(error.code == "too_fast" and error.retry_ms for error in refused)
    await ben.done(do.Say, code, phrase="nice")
    assert ada.view.chat[-1].phrase == "nice"
    assert ada.view.chat[0].text == "<i>again</i>"
    stranger = house.guest("Eve")
    assert await stranger.refused(do.Say, code, text="hello") == "not_seated"
    house.time.now += 60_000
    await ada.done(do.Say, code, text="later")


@evening
async def test_hints_only_at_ones_turn_and_where_they_are_agreed(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    answer = await guests[seat].done(do.Hint, code, rev=rev, step=2)
    assert answer.hint is not None
    assert answer.hint.step == 2
    assert await guests[1 - seat].refused(do.Hint, code, rev=rev, step=1) == "not_your_turn"
    house.thinker.silent = True
    assert await guests[seat].refused(do.Hint, code, rev=rev, step=1) == "no_hint_found"
    house.thinker.silent = False
    searches, player = house.rooms.services.searches, guests[seat].player
    with searches.place("elsewhere", player), searches.place("elsewhere", player):
        assert await guests[seat].refused(do.Hint, code, rev=rev, step=1) == "too_fast"
    others = [replace(player, id=f"other {n}") for n in range(4)]
    with ExitStack() as held:
        for other in others:
            held.enter_context(searches.place(code, other))
        assert await guests[seat].refused(do.Hint, code, rev=rev, step=1) == "too_fast"
    await guests[seat].done(do.Hint, code, rev=rev, step=1)
    strict, people = await house.table("Cleo", "Dan", clock=OFF, hints=False)
    seat, rev = house.state(strict).seat, house.room(strict).rev
    assert await people[seat].refused(do.Hint, strict, rev=rev, step=1) == "no_hints"


@evening
async def test_wrc9_r12_where_one_must_play_if_able_passing_is_asked_of_a_worker(house: House) -> None:
    options = {"must_play_if_able": True}
    code, guests = await house.table("Ada", "Ben", book="wrc9", options=options, clock=OFF)
    for _ in range(400):
        room = house.room(code)
        if room.stage == "over":
            break
        state = house.state(code)
        mover = guests[state.seat]
        if state.pool:
            await mover.done(do.Act, code, rev=room.rev, action=act.Draw(state.seat))
            house.time.now += 1_000
            continue
        able = await house.thinker.can_lay(state.book.ref, mover.view.game)  # type: ignore[arg-type]
        answer = await mover.do(do.Act, code, rev=room.rev, action=act.Pass(state.seat))
        assert isinstance(answer, Refused) == able
        if isinstance(answer, Refused):
            assert answer.error.code == "must_play"
            return
    raise AssertionError("a rack of fifty tiles can always lay something")


@evening
async def test_a_used_id_is_recognised_after_a_restart(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    seat, rev = house.state(code).seat, house.room(code).rev
    command = do.Act(id="once", room=code, rev=rev, action=act.Draw(seat))
    first = await house.rooms.handle(guests[seat], command)
    again = House(house.store.copy(), house.time)
    guest = Guest(again, "again", player=guests[seat].player)
    assert await again.rooms.handle(guest, command) == first
    refused = await again.rooms.handle(guest, do.Say(id="once", room=code, text="something else"))
    assert isinstance(refused, Refused)
    assert refused.error.code == "id_used"
    await again.rooms.close()


FAILURES = {
    "disk_full": StorageError("disk_full", path="meldroom.db"),
    "storage": StorageError("locked", path="meldroom.db"),
    "server_error": OSError("the cable is out"),
}


@pytest.mark.parametrize("code", FAILURES)
def test_when_the_store_fails_the_reason_is_told_and_the_next_try_works(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    @evening
    async def run(house: House) -> None:
        room, guests = await house.table("Ada", "Ben", clock=OFF)
        seat, rev = house.state(room).seat, house.room(room).rev
        house.store.fail_in, house.store.failure = 1, FAILURES[code]
        answer = await guests[seat].do(do.Act, room, rev=rev, action=act.Draw(seat))
        assert isinstance(answer, Refused)
        assert answer.error.code == code
        assert answer.error.retry_ms
        assert house.room(room).rev == rev
        await guests[seat].done(do.Act, room, rev=rev, action=act.Draw(seat))

    run()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert ("is full" in caplog.text) == (code == "disk_full")


@evening
async def test_a_log_that_somebody_else_has_written_is_caught_up_with(house: House) -> None:
    code, guests = await house.table("Ada", "Ben", clock=OFF)
    twin = House(house.store, house.time)
    guest = Guest(twin, "Ada", player=guests[0].player)
    await guest.done(do.Say, code, text="from the other server")
    assert await guests[1].refused(do.Say, code, text="here") == "conflict"
    await guests[1].done(do.Say, code, text="here")
    assert [line.text for line in guests[0].view.chat] == ["from the other server", "here"]
    await twin.rooms.close()


@evening
async def test_a_bot_without_an_answer_draws_and_the_game_goes_on(house: House) -> None:
    ada = house.guest("Ada")
    house.thinker.silent = True
    code = await house.open(ada, "me", "master", begin=True, clock=OFF)
    await ada.done(do.Enter, code)
    await house.settle()
    assert house.state(code).seat == 0
    await ada.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(0))
    await house.settle()
    assert house.state(code).seat == 0
    assert len(house.state(code).racks[1]) > 14


@evening
async def test_a_bots_turn_survives_a_store_that_fails_once(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "beginner", clock=OFF)
    await ada.done(do.Enter, code)
    await ada.done(do.Begin, code)
    await house.settle()
    house.store.fail_in = 2
    await ada.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(0))
    await house.settle()
    assert house.state(code).seat == 1
    await house.advance(1_000)
    assert house.state(code).seat == 0


@evening
async def test_idle_rooms_leave_memory_and_come_back(house: House) -> None:
    ada = house.guest("Ada")
    code = await house.open(ada, "me", "open")
    await ada.done(do.Enter, code)
    await house.advance(60_000)
    await house.advance(600_000)
    assert code in house.rooms.in_memory
    house.rooms.disconnected(ada)
    await house.advance(400_000)
    assert code not in house.rooms.in_memory
    assert house.rooms.counts().rooms == 0
    await ada.done(do.Enter, code)
    assert ada.view.room == code


@evening
async def test_after_the_doors_are_closed_nothing_is_accepted(house: House) -> None:
    code, (ada, _) = await house.table("Ada", "Ben")
    await house.rooms.close()
    assert await ada.refused(do.Say, code, text="hello?") == "closing"
    assert house.thinker.closed


def test_every_sentence_is_there_in_both_languages() -> None:
    english, french = (
        {id: template(id, language) for id in message_ids(language) if id.startswith("rooms.")}
        for language in ("en", "fr")
    )
    assert english.keys() == french.keys()
    for key, text in english.items():
        assert text != french[key]


@evening
async def test_a_player_with_two_windows_is_one_person(house: House) -> None:
    ada = house.guest("Ada")
    second = Guest(house, "Ada", player=Player(ada.player.id, "Ada"))
    code = await house.open(ada, "me", "club", begin=True, clock=OFF)
    for window in (ada, second):
        await window.done(do.Enter, code)
    assert second.view.me == 0
    await house.settle()
    await second.done(do.Act, code, rev=house.room(code).rev, action=act.Draw(0))
    assert ada.view.rev == second.view.rev
    house.rooms.disconnected(second)
    assert ada.view.seats[0].present
