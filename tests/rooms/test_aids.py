"""Casual aids: who may use them, a turn taken back in every book, and exact answers from one's own view."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from meldroom.game.actions import Draw, Lay, Play, Take
from meldroom.game.events import Discarded
from meldroom.game.from_view import fill_hidden
from meldroom.game.legal.actions import legal
from meldroom.game.notation.position import parse_position
from meldroom.game.state import State, conserved
from meldroom.game.views import View, view
from meldroom.record import loads, to_text, verify
from meldroom.rooms.domain.aids import aids_allowed
from meldroom.rooms.domain.state import Room, fold
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import DrawChance, Prospect, Update
from meldroom.rooms.protocol.events import TurnTakenBack, decode
from meldroom.rooms.protocol.settings import Aids, TurnClock
from meldroom.rooms.views.cards import take_backs_of
from meldroom.rooms.worker.outlook import odds, playable
from meldroom.rules.library import BOOK_IDS, book
from meldroom.solver.odds import after_draw
from tests.rooms.evening import evening
from tests.rooms.house import MESSAGE, Guest, House
from tests.rooms.seeing import check_frame

OFF = TurnClock("off")
ALL = ("take_back", "nothing_playable", "tiles_seen", "odds")


async def _alone(house: House, *bots: str, **settings: Any) -> tuple[str, Guest]:
    """Ada alone against bots, her turn come."""
    ada = house.guest("Ada")
    code = await house.open(ada, "me", *(bots or ("beginner",)), begin=True, **{"clock": OFF, **settings})
    await ada.done(do.Enter, code)
    await house.settle()
    return code, ada


async def _plays(house: House, code: str, ada: Guest, chance: random.Random) -> None:
    """Ada plays one whole turn, and the bots theirs."""
    seat = house.state(code).seat
    begun = house.state(code).turns[seat]
    while house.room(code).stage == "playing" and house.state(code).turns[seat] == begun:
        action = legal(house.state(code)).sample(chance)
        await ada.done(do.Act, code, rev=house.room(code).rev, action=action)
        await house.settle()


def _position(room: Room) -> object:
    """All that everybody can see of a game, and all that nobody may."""
    return room.game, room.game_events, room.table, room.changed, room.stage, room.shuffle, room.results


# Who may use them


@evening
async def test_aids_are_on_alone_against_bots_and_off_with_friends(house: House) -> None:
    code, ada = await _alone(house)
    assert aids_allowed(house.room(code)) == ALL
    assert ada.view.aids == ALL
    shared, (ben, _) = await house.table("Ben", "Cleo", clock=OFF)
    assert ben.view.aids == ()
    rev = house.room(shared).rev
    assert await ben.refused(do.TakeBack, shared, rev=rev) == "no_take_back"
    assert await ben.refused(do.Playable, shared, rev=rev) == "no_playable"
    assert await ben.refused(do.AskOdds, shared, rev=rev) == "no_odds"


@evening
async def test_friends_can_choose_every_aid_but_taking_back(house: House) -> None:
    chosen = Aids(take_back=True, nothing_playable=True, tiles_seen=True, odds=True)
    code, guests = await house.table("Ada", "Ben", clock=OFF, aids=chosen)
    assert guests[1].view.aids == ALL[1:]
    mover = house.state(code).seat
    rev = house.room(code).rev
    assert (await guests[mover].done(do.Playable, code, rev=rev)).playable in (True, False)
    assert (await guests[mover].done(do.AskOdds, code, rev=rev)).odds is not None
    assert await guests[1 - mover].refused(do.AskOdds, code, rev=rev) == "not_your_turn"
    assert await guests[1 - mover].refused(do.Playable, code, rev=rev - 1) == "stale"
    assert await house.guest("Eve").refused(do.AskOdds, code, rev=rev) == "not_seated"


@evening
async def test_each_aid_can_be_switched_off_against_bots(house: House) -> None:
    code, ada = await _alone(house, aids=Aids(take_back=False, nothing_playable=False, odds=False))
    assert ada.view.aids == ("tiles_seen",)
    await _plays(house, code, ada, random.Random(1))
    rev = house.room(code).rev
    assert await ada.refused(do.TakeBack, code, rev=rev) == "no_take_back"
    assert await ada.refused(do.Playable, code, rev=rev) == "no_playable"
    assert await ada.refused(do.AskOdds, code, rev=rev) == "no_odds"
    assert not any(isinstance(decode(data), TurnTakenBack) for data in house.store.logs[code])


@evening
async def test_a_friend_who_joins_ends_what_was_for_bots_only(house: House) -> None:
    ada, ben = house.guest("Ada"), house.guest("Ben")
    code = await house.open(ada, "me", "club", clock=OFF)
    await ada.done(do.Enter, code)
    before = ada.view
    await ada.done(do.ClearSeat, code, seat=1)
    after = ada.view
    assert (before.aids, after.aids) == (ALL, ())
    await ben.done(do.Sit, code, seat=1)
    await ada.done(do.Begin, code)
    assert ada.view.aids == ()


@evening
async def test_a_question_without_an_answer_is_refused(house: House) -> None:
    code, ada = await _alone(house)
    house.thinker.silent = True
    rev = house.room(code).rev
    assert await ada.refused(do.Playable, code, rev=rev) == "no_outlook"
    assert await ada.refused(do.AskOdds, code, rev=rev) == "no_outlook"


# Taking back


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_a_game_with_turns_taken_back_is_as_it_was_and_verifies(book_id: str) -> None:
    evening(lambda house: _taken_back(house, book_id))()


async def _taken_back(house: House, book_id: str) -> None:
    """Turns are played, taken back one or two at a time, and played otherwise, to the end of the game."""
    chance = random.Random(f"back {book_id}")
    code, ada = await _alone(house, "beginner", "beginner", book=book_id, spectators="live")
    eve = house.guest("Eve")
    await eve.done(do.Enter, code)
    before: list[Room] = []
    done = 0
    while house.room(code).stage == "playing":
        room = house.room(code)
        before.append(room)
        if len(before) < 5:
            await _asks(code, ada, room)
        await _plays(house, code, ada, chance)
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            room = house.room(code)
            if room.stage != "playing" or not before:
                break
            wanted = before.pop()
            log = list(house.store.logs[code])
            await ada.done(do.TakeBack, code, rev=room.rev)
            await house.settle()
            after = house.room(code)
            assert _position(after) == _position(wanted)
            assert after.rev == after.seq > room.rev
            assert house.store.logs[code][: len(log)] == log
            assert conserved(house.state(code))
            done += 1
            _frames_tell_nothing(ada, after, 0)
            _frames_tell_nothing(eve, after, None)
    assert done > 3
    assert house.room(code).taken_back == done
    assert fold([decode(data) for data in house.store.logs[code]]) == house.room(code)
    finished = house.store.games[f"{code}-1"]
    record = loads(finished.record)
    assert (finished.take_backs, record.headers.tags["take-backs"]) == (done, str(done))
    assert take_backs_of(record) == done
    assert verify(record).ok
    assert to_text(record) == finished.record
    assert ada.view.taken_back == done


async def _asks(code: str, ada: Guest, room: Room) -> None:
    """What is answered tells no tile that lies hidden."""
    for kind in (do.Playable, do.AskOdds):
        done = await ada.done(kind, code, rev=room.rev)
        check_frame(msgspec.json.encode(done), room, 0, set())


def _frames_tell_nothing(guest: Guest, room: Room, seat: int | None) -> None:
    """The last frame, which tells of a turn taken back, has no tile that was not open before it."""
    assert isinstance(MESSAGE.decode(guest.frames[-1]).events[-1], TurnTakenBack)
    discarded: set[int] = {event.tile for event in room.game_events if isinstance(event, Discarded)}
    check_frame(guest.frames[-1], room, seat, discarded)


@evening
async def test_taking_back_while_a_bot_is_thinking(house: House) -> None:
    code, ada = await _alone(house)
    before = house.room(code)
    house.rooms.services.bot_pace = 1_000
    await ada.done(do.Act, code, rev=before.rev, action=Draw(0))
    assert house.room(code).bot_to_act == "beginner"
    await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    await house.advance(2_000)
    assert _position(house.room(code)) == _position(before)
    assert house.thinker.forgotten == [(code, 1)]


@evening
async def test_the_same_tile_is_drawn_again(house: House) -> None:
    code, ada = await _alone(house)
    drawn = []
    for _ in range(2):
        await ada.done(do.Act, code, rev=house.room(code).rev, action=Draw(0))
        drawn.append(house.state(code).drawn[0])
        await house.settle()
        await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    assert drawn[0] == drawn[1]
    assert not set(drawn[0]) & set(house.state(code).racks[0])


@evening
async def test_in_rummy_o_a_tile_that_was_taken_goes_back_first(house: House) -> None:
    code, ada = await _alone(house, book="rummyo")
    await _plays(house, code, ada, random.Random(3))
    start = house.room(code)
    assert house.state(code).phase == "take"
    await ada.done(do.Act, code, rev=start.rev, action=Take(0, source="stock"))
    assert house.state(code).phase == "play"
    await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    assert _position(house.room(code)) == _position(start)


@evening
async def test_nothing_to_take_back_and_nothing_after_the_end(house: House) -> None:
    code, ada = await _alone(house)
    rev = house.room(code).rev
    assert await ada.refused(do.TakeBack, code, rev=rev) == "nothing_to_take_back"
    assert await ada.refused(do.TakeBack, code, rev=rev - 1) == "stale"
    await ada.done(do.Act, code, rev=rev, action=Draw(0))
    await house.settle()
    await ada.done(do.Resign, code)
    assert await ada.refused(do.TakeBack, code, rev=house.room(code).rev) == "not_playing"


@evening
async def test_a_turn_that_is_taken_back_has_its_whole_time(house: House) -> None:
    code, ada = await _alone(house, clock=TurnClock("seconds", 60, 30))
    await ada.done(do.ExtraTime, code, rev=house.room(code).rev)
    house.time.now += 20_000
    await ada.done(do.Act, code, rev=house.room(code).rev, action=Draw(0))
    await house.settle()
    house.time.now += 5_000
    await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    room = house.room(code)
    assert room.deadline == house.time.now + 60_000
    assert not room.extra_used


@evening
async def test_a_repeated_command_takes_back_once(house: House) -> None:
    code, ada = await _alone(house)
    for _ in range(2):
        await _plays(house, code, ada, random.Random(5))
    command = do.TakeBack(id="once", room=code, rev=house.room(code).rev)
    first = await house.rooms.handle(ada, command)
    assert await house.rooms.handle(ada, command) == first
    assert house.room(code).taken_back == 1
    reopened = House(house.store, house.time)
    await reopened.rooms.start()
    assert await reopened.rooms.handle(ada, command) == first
    assert _position((await reopened.rooms.room(code)).room) == _position(house.room(code))
    await reopened.rooms.close()


@evening
async def test_who_was_away_learns_the_history_that_holds(house: House) -> None:
    code, ada = await _alone(house)
    seq = house.room(code).seq
    await _plays(house, code, ada, random.Random(7))
    await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    again = Guest(house, "Ada", player=ada.player)
    await again.done(do.Enter, code, since=seq)
    update = again.messages(Update)[0]
    snapshot = Guest(house, "Ada", player=ada.player)
    await snapshot.done(do.Enter, code)
    assert update.history == snapshot.messages(Update)[0].history
    assert update.events[-1].kept == len(house.room(code).game_events)


@evening
async def test_the_next_game_begins_without_a_mark(house: House) -> None:
    code, ada = await _alone(house)
    await ada.done(do.Act, code, rev=house.room(code).rev, action=Draw(0))
    await house.settle()
    await ada.done(do.TakeBack, code, rev=house.room(code).rev)
    await ada.done(do.Resign, code)
    assert ada.view.taken_back == 1
    await ada.done(do.Agree, code, to="next")
    assert ada.view.taken_back == 0


# Nothing playable, and odds


def _seen(text: str) -> View:
    """What the player to move sees of a position."""
    state = parse_position(text).state()
    return view(state, state.seat)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wrc11@1 / racks R1 B5 K9, ?x14 / pool 89 / turn 1", False),
        ("wrc11@1 / racks R10 B10 K10, ?x14 / pool 89 / turn 1", True),
        ("wrc11@1 / racks R9 B9 K9, ?x14 / pool 89 / turn 1", False),
        ("wrc11@1 / table R1 R2 R3 / racks R4 B9, ?x14 / pool 87 / turn 1 / melded 1", True),
        ("wrc11@1 / table R1 R2 R3 / racks R5 B9, ?x14 / pool 87 / turn 1 / melded 1", False),
        ("wrc11@1 / table R1 R2 R3 / racks R4 B9, ?x14 / pool 87 / turn 1", False),
    ],
)
def test_whether_anything_can_be_played_is_exact(text: str, expected: bool) -> None:
    seen = _seen(text)
    assert playable(book(seen.book.id), seen) is expected


@evening
async def test_whether_anything_can_be_played_agrees_with_the_rules(house: House) -> None:
    """In small positions of whole games, against the engine's own list of legal turns."""
    chance = random.Random(11)
    for book_id in ("tml", "rummyo"):
        code, ada = await _alone(house, book=book_id)
        asked = 0
        while house.room(code).stage == "playing" and asked < 12:
            state = house.state(code)
            if state.phase in ("turn", "play"):
                said = (await ada.done(do.Playable, code, rev=house.room(code).rev)).playable
                turns = [legal(state).sample(chance) for _ in range(30)]
                if said is False:
                    assert not any(isinstance(turn, Lay | Play) and _lays(turn, state) for turn in turns)
                asked += 1
            await ada.done(do.Act, code, rev=house.room(code).rev, action=legal(state).sample(chance))
            await house.settle()
        assert asked > 5


def _lays(turn: Lay | Play, state: State) -> bool:
    """Whether a turn puts tiles of the rack on the table."""
    sets = turn.table if isinstance(turn, Lay) else [meld.tiles for meld in turn.melds]
    return any(tile in state.racks[turn.seat] for tiles in sets for tile in tiles)


def test_in_rummy_o_the_last_discard_is_asked_as_well() -> None:
    seen = _seen("rummyo@1 / racks R5 R6 K1, ?x14 / pool 60 / turn 1 take / melded 1 / discards B9 R7")
    rules = book("rummyo")
    assert seen.phase == "take"
    assert playable(rules, seen) is True
    other = replace(seen, discards=seen.discards[::-1])
    assert playable(rules, other) is False
    found = odds(rules, other)
    assert found.open is None
    assert found.out.now is False
    assert found.out.draw is not None
    assert found.out.draw.faces == ("R4", "R7", "*")
    # One red 7 lies open under the discards: the other may still come.
    assert (found.out.draw.good, found.out.draw.unseen) == (2 + 1 + 2, 106 - 3 - 2)
    opening = odds(rules, replace(seen, phase="play"))
    assert opening.out == Prospect(False, None)


def test_odds_are_those_of_the_exact_solver() -> None:
    text = "wrc11@1 / racks R10 B10 K1 K2, ?x14 / pool 88 / turn 1"
    rules = book("wrc11")
    found = odds(rules, _seen(text))
    assert found.open is not None
    assert found.open.now is False
    assert found.open.draw is not None
    assert found.open.draw.faces == ("K10", "O10", "*")
    assert (found.open.draw.good, found.open.draw.unseen) == (6, 102)
    exact = after_draw(rules, (), rules.tiles.faces_of(_seen(text).rack), "open", melded=False)
    assert exact.chance == Fraction(6, 102)
    assert found.out == Prospect(False, DrawChance(0, 102, ()))


def test_odds_of_going_out_with_the_table() -> None:
    text = "wrc11@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 R6, ?x14 / pool 84 / turn 1 / melded 1 2"
    found = odds(book("wrc11"), _seen(text))
    assert found.open is None
    assert found.out.now is False
    assert found.out.draw is not None
    assert found.out.draw.faces == ("R5", "*")
    assert (found.out.draw.good, found.out.draw.unseen) == (4, 98)


def test_without_a_pool_nothing_is_said_of_the_next_tile() -> None:
    text = "wrc11@1 / table R1 R2 R3 / racks R4, ?x102 / pool 0 / turn 1 / melded 1 2 / exhausted"
    seen = _seen(text)
    assert odds(book("wrc11"), seen).out == Prospect(True, None)


def test_odds_depend_on_nothing_hidden() -> None:
    """The same view from two states whose hidden tiles differ gets the same answers."""
    text = "wrc11@1 / table R1 R2 R3 / racks R4 R6 B7, ?x14 / pool 86 / turn 1 / melded 1"
    state = parse_position(text).state()
    answers = set()
    for seed in range(3):
        full = fill_hidden(state, random.Random(seed))
        seen = view(full, 0)
        answers.add((playable(book("wrc11"), seen), odds(book("wrc11"), seen)))
    assert len(answers) == 1
