"""The profile of whoever plays on the device, from the games that are kept here."""

from __future__ import annotations

import msgspec

from meldroom.api.answers import Answer
from meldroom.browser.router import Asked, Route
from meldroom.browser.statistics import counted_games


async def my_profile(asked: Asked) -> Answer:
    """Statistics of the games finished here; a few more of them are counted each time somebody asks."""
    from meldroom.api.profiles.schemas import MyProfile, PersonCard
    from meldroom.api.profiles.statistics import statistics

    me = asked.device.player.me
    games, pending = await counted_games(asked.device.store, asked.device.workers.run, me.id)
    person = PersonCard(me.profile, me.name, me.avatar, None)
    found = MyProfile(person, 0, statistics(games, private=True), pending)
    return Answer(msgspec.json.encode(found), headers={"Cache-Control": "no-store"})


ROUTES = (Route("GET", "/profile", my_profile),)
