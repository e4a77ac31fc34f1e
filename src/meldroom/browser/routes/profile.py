"""The profile of whoever plays on the device, from the games that are kept here."""

from __future__ import annotations

from typing import Annotated

import msgspec

from meldroom.api.answers import Answer
from meldroom.browser.levels import LEVELS
from meldroom.browser.router import Asked, Route
from meldroom.browser.statistics import counted_games


class _Book(msgspec.Struct, frozen=True):
    book: Annotated[str, msgspec.Meta(max_length=40)]


async def my_profile(asked: Asked) -> Answer:
    """Statistics of the games finished here; a few more of them are counted each time somebody asks."""
    from meldroom.api.profiles.schemas import MyProfile, PersonCard
    from meldroom.api.profiles.statistics import statistics

    me = asked.device.player.me
    games, pending = await counted_games(asked.device.store, asked.device.workers.run, me.id)
    person = PersonCard(me.profile, me.name, me.avatar, None)
    found = MyProfile(person, 0, statistics(games, private=True), pending)
    return Answer(msgspec.json.encode(found), headers={"Cache-Control": "no-store"})


async def match_me(asked: Asked) -> Answer:
    """The level of bots closest to the results of the games finished here by a book."""
    from meldroom.api.matching import LOOKED_BACK, matched

    book, player = asked.query(_Book).book, asked.device.player.id
    games = await asked.device.store.finished_of(player, LOOKED_BACK)
    return Answer.of(matched(book, games, (player,), LEVELS), headers={"Cache-Control": "no-store"})


ROUTES = (Route("GET", "/profile", my_profile), Route("GET", "/match", match_me))
