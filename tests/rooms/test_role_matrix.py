"""Every role at every command of a room, before, during and after a game: who may, and why others may not."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from meldroom.game.actions import Draw
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Refused
from meldroom.rooms.protocol.settings import TurnClock
from tests.rooms.evening import evening
from tests.rooms.house import Guest, House

OFF = TurnClock("off")
ROLES = ("host", "mover", "other", "spectator")
STAGES = ("waiting", "playing", "over")

SENT: dict[type[Any], dict[str, Any]] = {
    do.Enter: {},
    do.Leave: {},
    do.Sit: {"seat": 3},
    do.Claim: {"key": "nobody's"},
    do.StandUp: {},
    do.SeatBot: {"seat": 3, "level": "beginner"},
    do.ClearSeat: {"seat": 2},
    do.Begin: {},
    do.Ready: {"rev": 0},
    do.Act: {"rev": 0, "action": None},
    do.Draft: {"rev": 0},
    do.Plan: {"rev": 0},
    do.SetBotSpeed: {"speed": "fast"},
    do.ExtraTime: {"rev": 0},
    do.Hint: {"rev": 0, "step": 1},
    do.Playable: {"rev": 0},
    do.AskOdds: {"rev": 0},
    do.TakeBack: {"rev": 0},
    do.Resign: {},
    do.Agree: {"to": "next"},
    do.StandIn: {"seat": 1},
    do.Reclaim: {},
    do.Say: {"text": "hello"},
    do.React: {"reaction": "clap"},
}
"""Every command, and what is sent with it; revisions and actions are those of the moment."""


class Table:
    """A room with a host who may move first or not, two others, and somebody who watches."""

    def __init__(self, house: House, code: str, people: dict[str, Guest]) -> None:
        self.house, self.code, self.people = house, code, people

    @classmethod
    async def at(cls, house: House, stage: str) -> Table:
        ada, ben, cleo, dora = (house.guest(name) for name in ("Ada", "Ben", "Cleo", "Dora"))
        settings: dict[str, Any] = {"clock": OFF, "hints": True, "spectators": "live"}
        chairs = ("me", "open", "open", *(("open",) if stage == "waiting" else ("beginner",)))
        code = await house.open(ada, *chairs, **settings)
        for seat, guest in enumerate((ada, ben, cleo)):
            await guest.done(do.Enter, code)
            if seat:
                await guest.done(do.Sit, code, seat=seat)
        await dora.done(do.Enter, code)
        people = {"host": ada, "mover": ben, "other": cleo, "spectator": dora}
        if stage != "waiting":
            await ada.done(do.Begin, code)
            await house.settle()
            await cls._wait_for_ben_or_cleo(house, code, ada)
            turn = house.room(code).to_act
            people |= {"mover": ben, "other": cleo} if turn == 1 else {"mover": cleo, "other": ben}
        if stage == "over":
            for guest in (ada, ben, cleo):
                await guest.done(do.Agree, code, to="end")
        return cls(house, code, people)

    @staticmethod
    async def _wait_for_ben_or_cleo(house: House, code: str, ada: Guest) -> None:
        while house.room(code).to_act not in (1, 2):
            room = house.room(code)
            if room.to_act == 0:
                await ada.done(do.Act, code, rev=room.rev, action=Draw(seat=0))
            await house.settle()

    async def tries(self, role: str, kind: type[Any]) -> str:
        """Why a role is refused; empty if it is not."""
        guest, room, fields = self.people[role], self.house.room(self.code), dict(SENT[kind])
        if "rev" in fields:
            fields["rev"] = room.rev
        if kind is do.Act:
            fields["action"] = Draw(seat=room.to_act or 0)
        command = kind(id=f"{role}-{kind.__name__}", room=self.code, **fields)
        answer = await self.house.rooms.handle(guest, command)
        await self.house.settle()
        return answer.error.code if isinstance(answer, Refused) else ""


def tag(kind: type[Any]) -> str:
    return str(msgspec.inspect.type_info(kind).tag)  # type: ignore[attr-defined]


EXPECTED = """
waiting  enter       yes yes yes yes
waiting  leave       yes yes yes yes
waiting  sit         already_seated already_seated already_seated yes
waiting  claim       wrong_key wrong_key wrong_key wrong_key
waiting  stand_up    yes yes yes not_seated
waiting  seat_bot    yes not_host not_host not_host
waiting  clear_seat  yes not_host not_host not_host
waiting  begin       seats_open not_host not_host not_host
waiting  ready       not_playing not_playing not_playing not_playing
waiting  act         not_playing not_playing not_playing not_playing
waiting  draft       not_playing not_playing not_playing not_playing
waiting  plan        not_playing not_playing not_playing not_playing
waiting  bot_speed   yes not_host not_host not_host
waiting  extra_time  not_playing not_playing not_playing not_playing
waiting  hint        not_playing not_playing not_playing not_playing
waiting  playable    not_playing not_playing not_playing not_playing
waiting  odds        not_playing not_playing not_playing not_playing
waiting  take_back   not_playing not_playing not_playing not_playing
waiting  resign      not_playing not_playing not_playing not_playing
waiting  agree       game_not_over game_not_over game_not_over not_seated
waiting  stand_in    not_playing not_playing not_playing not_playing
waiting  reclaim     nobody_stands_in nobody_stands_in nobody_stands_in not_seated
waiting  say         yes yes yes yes
waiting  react       yes yes yes yes
playing  enter       yes yes yes yes
playing  leave       yes yes yes yes
playing  sit         game_running game_running game_running game_running
playing  claim       wrong_key wrong_key wrong_key wrong_key
playing  stand_up    game_running game_running game_running game_running
playing  seat_bot    game_running game_running game_running game_running
playing  clear_seat  game_running game_running game_running game_running
playing  begin       begun_already begun_already begun_already begun_already
playing  ready       yes yes yes not_seated
playing  act         not_your_seat yes not_your_seat not_seated
playing  draft       not_your_turn yes not_your_turn not_seated
playing  plan        yes yes yes not_seated
playing  bot_speed   yes not_host not_host not_host
playing  extra_time  not_your_turn no_extra_time not_your_turn not_seated
playing  hint        not_your_turn yes not_your_turn not_seated
playing  playable    no_playable no_playable no_playable not_seated
playing  odds        no_odds no_odds no_odds not_seated
playing  take_back   no_take_back no_take_back no_take_back not_seated
playing  resign      yes yes yes not_seated
playing  agree       game_not_over game_not_over game_not_over not_seated
playing  stand_in    is_there no_stand_in_for is_there not_seated
playing  reclaim     nobody_stands_in nobody_stands_in nobody_stands_in not_seated
playing  say         yes yes yes yes
playing  react       yes yes yes yes
over     enter       yes yes yes yes
over     leave       yes yes yes yes
over     sit         already_seated already_seated already_seated seat_taken
over     claim       wrong_key wrong_key wrong_key wrong_key
over     stand_up    yes yes yes not_seated
over     seat_bot    yes not_host not_host not_host
over     clear_seat  yes not_host not_host not_host
over     begin       begun_already begun_already begun_already begun_already
over     ready       not_playing not_playing not_playing not_playing
over     act         not_playing not_playing not_playing not_playing
over     draft       not_playing not_playing not_playing not_playing
over     plan        not_playing not_playing not_playing not_playing
over     bot_speed   yes not_host not_host not_host
over     extra_time  not_playing not_playing not_playing not_playing
over     hint        not_playing not_playing not_playing not_playing
over     playable    not_playing not_playing not_playing not_playing
over     odds        not_playing not_playing not_playing not_playing
over     take_back   not_playing not_playing not_playing not_playing
over     resign      not_playing not_playing not_playing not_playing
over     agree       yes yes yes not_seated
over     stand_in    not_playing not_playing not_playing not_playing
over     reclaim     nobody_stands_in nobody_stands_in nobody_stands_in not_seated
over     say         yes yes yes yes
over     react       yes yes yes yes
"""
"""Stage, command, and for each role of ROLES in turn: `yes`, or the code of the refusal."""


def expected() -> dict[tuple[str, str], list[str]]:
    lines = [line.split() for line in EXPECTED.strip().splitlines()]
    return {(stage, command): outcomes for stage, command, *outcomes in lines}


def test_the_matrix_has_every_command_at_every_stage() -> None:
    """A new command is not let through unseen: somebody must say who may send it.

    Lists that pages follow belong to no room: `tests/server/live/test_topics.py` has their matrix.
    """
    commands = {tag(kind) for kind in get_args(do.Command)} - {"hello", "ping", "follow", "unfollow"}
    assert {tag(kind) for kind in SENT} == commands
    assert set(expected()) == {(stage, command) for stage in STAGES for command in commands}


@evening
async def test_every_role_at_every_command(house: House) -> None:
    table: Table | None = None
    found: dict[tuple[str, str], list[str]] = {}
    for stage in STAGES:
        table = None
        for kind in SENT:
            outcomes = found[stage, tag(kind)] = []
            for role in ROLES:
                table = table or await Table.at(House(), stage)
                refused = await table.tries(role, kind)
                outcomes.append(refused or "yes")
                table = table if refused else None  # what was done would change what comes next
    assert found == expected()
