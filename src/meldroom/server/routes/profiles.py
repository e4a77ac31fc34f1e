"""Profiles over HTTP: one's own, others', friends, blocks, invitations, and playing again with somebody."""

from __future__ import annotations

import math

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, SkipValidation
from msgspec.structs import replace

from meldroom.api.errors import GameError, HttpError
from meldroom.api.profiles.schemas import (
    Friends,
    HowWeStand,
    Invitation,
    MyProfile,
    OnePerson,
    PersonCard,
    PlayAgain,
    Profile,
)
from meldroom.api.rooms import LONGEST_CODE, no_such_room
from meldroom.api.schemas import RoomOpened
from meldroom.rooms.domain.avatars import profile_of
from meldroom.rooms.domain.state import book_of
from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.rooms.protocol.settings import SEAT_ME, SEAT_OPEN, OpenRoom, Settings
from meldroom.rooms.rate_limit import Limiter
from meldroom.server.container import Container
from meldroom.server.identity import Known
from meldroom.server.profiles import Profiles
from meldroom.server.profiles.invitations import without_ids
from meldroom.server.profiles.people import Someone
from meldroom.server.routes.dependencies import Asked, Person, Visitor, Whole
from meldroom.server.web.problems import problems

FIRST_BOOK = "wrc11"
"""By which two people play who never have."""

People = NamedDependency[SkipValidation[Profiles]]


def _gate(request: Asked, person: Known) -> None:
    """Raises HttpError for somebody who asks too much of others."""
    gate = request.app.state.social_gate
    assert isinstance(gate, Limiter)
    wait = gate.wait(person.player.id)
    if wait:
        raise HttpError(429, "too_many", wait=wait, seconds=math.ceil(wait))


@get("/profile", opt={"token": "read"}, responses=problems(401))
async def my_profile(profiles: People, person: Person) -> MyProfile:
    """One's own page, with the statistics that nobody else sees."""
    return await profiles.mine(person.player.id)


@get("/people/{profile:str}", opt={"token": "read"}, responses=problems(404))
async def profile_page(profile: FromPath[str], profiles: People, visitor: Visitor) -> Profile:
    """Somebody's page: name, avatar, games and wins; and how one stands with them."""
    await profiles.find(profile)
    return await profiles.page(profile, None if visitor is None else visitor.player.id)


@get("/friends", opt={"token": "read"}, responses=problems(401))
async def my_friends(profiles: People, person: Person, container: Whole) -> Friends:
    """One's friends and who of them is here, requests, recent opponents, and whom one has blocked."""
    return await profiles.friends(person.player.id, container.clients.presence)


@post("/friends", opt={"token": "social"}, responses=problems(400, 401, 403, 404, 409, 503))
async def add_friend(
    request: Asked, data: JSONBody[OnePerson], profiles: People, person: Person, container: Whole
) -> HowWeStand:
    """Ask somebody to be a friend, by the name of their account or their profile; or accept their request."""
    _gate(request, person)
    other = await profiles.find(data.person)
    if other.id == person.player.id:
        raise HttpError(400, "befriend_yourself", "person")
    both = await container.relations.befriend(person.player.id, other.id)
    return HowWeStand(other.card, "friends" if both else "asked")


@delete("/friends/{profile:str}", opt={"token": "social"}, responses=problems(401, 403, 404, 503))
async def remove_friend(profile: FromPath[str], profiles: People, person: Person, container: Whole) -> None:
    """End a friendship, take a request back, or turn one down."""
    other = await profiles.find(profile)
    if not await container.relations.unfriend(person.player.id, other.id):
        raise HttpError(404, "no_such_friend", "profile")


@post("/blocks", opt={"token": "social"}, responses=problems(400, 401, 403, 404, 409, 503))
async def block(
    request: Asked, data: JSONBody[OnePerson], profiles: People, person: Person, container: Whole
) -> HowWeStand:
    """Block somebody: no invitations, no seat at one's tables, no chat to read. They are not told."""
    _gate(request, person)
    other = await profiles.find(data.person)
    if other.id == person.player.id:
        raise HttpError(400, "befriend_yourself", "person")
    await container.relations.block(person.player.id, other.id)
    await container.clients.blocks_changed(person.player.id)
    return HowWeStand(other.card, "none")


@delete("/blocks/{profile:str}", opt={"token": "social"}, responses=problems(401, 403, 404, 503))
async def unblock(profile: FromPath[str], profiles: People, person: Person, container: Whole) -> None:
    """Let somebody be who was blocked."""
    other = await profiles.find(profile)
    if not await container.relations.unblock(person.player.id, other.id):
        raise HttpError(404, "not_blocked", "profile")
    await container.clients.blocks_changed(person.player.id)


@get("/invitations", opt={"token": "read"}, responses=problems(401))
async def my_invitations(person: Person, container: Whole) -> list[Invitation]:
    """Tables to which one is invited, as long as they wait for players."""
    return [without_ids(one) for one in await container.invitations.of(person)]


@delete("/invitations/{room:str}", opt={"token": "social"}, responses=problems(401, 403, 404, 503))
async def decline(room: FromPath[str], person: Person, container: Whole) -> None:
    """Decline an invitation."""
    if not await container.invitations.decline(person, room):
        raise HttpError(404, "no_such_invitation", "room")


@get("/rooms/{room:str}/invitations", opt={"token": "read"}, responses=problems(401, 403, 404))
async def invited(room: FromPath[str], person: Person, container: Whole) -> list[PersonCard]:
    """Who is invited to a table at which one sits."""
    await _own_table(container, room, person)
    return await container.invitations.to_room(room)


@post(
    "/rooms/{room:str}/invitations", opt={"token": "social"}, responses=problems(400, 401, 403, 404, 409, 503)
)
async def invite(
    request: Asked, room: FromPath[str], data: JSONBody[OnePerson], person: Person, container: Whole
) -> list[PersonCard]:
    """Invite a friend, or somebody one has played with, to a table at which one sits; who is invited now."""
    _gate(request, person)
    card = await _own_table(container, room, person)
    await _invite(container, person, card, await container.profiles.find(data.person))
    return await container.invitations.to_room(room)


@post("/rooms/again", opt={"token": "social"}, responses=problems(400, 401, 403, 404, 409, 503))
async def play_again(
    request: Asked, data: JSONBody[PlayAgain], person: Person, container: Whole
) -> RoomOpened:
    """A new table with the settings of a finished game, and invitations for whoever played it.

    With a `person` instead, a table for two with the settings of the last game that both finished.
    """
    _gate(request, person)
    if data.person:
        return await _with_person(container, person, await container.profiles.find(data.person))
    if not data.game:
        raise HttpError(400, "nobody_to_play_with", "game")
    found = await container.store.finished(data.game)
    if found is None:
        raise GameError(404, "no_such_game", "game")
    if not set(person.ids) & set(found.people):
        raise HttpError(403, "not_your_game", "game")
    return await _with_company(container, person, found)


async def _with_company(container: Container, person: Known, found: FinishedGame) -> RoomOpened:
    """The same bots, and open seats for the people, who are invited."""
    before = await container.rooms.look_at(found.room)
    chairs: list[str] = []
    others: list[str] = []
    for seat, player in enumerate(found.people):
        if player in person.ids and SEAT_ME not in chairs:
            chairs.append(SEAT_ME)
        elif player:
            chairs.append(SEAT_OPEN)
            others.append(player)
        else:
            chairs.append(before.chairs[seat].level or before.settings.stand_in)
    settings = replace(before.settings, book_version="")  # The rules as they are today.
    request = OpenRoom(settings, tuple(chairs), begin=SEAT_OPEN not in chairs)
    return await _opened(
        container, person, request, [await container.profiles.find(profile_of(one)) for one in others]
    )


async def _with_person(container: Container, person: Known, other: Someone) -> RoomOpened:
    """A table for two, as the last one was."""
    page = await container.profiles.page(other.card.profile, person.player.id)
    if page.standing != "friends" and not page.last_game:
        raise HttpError(403, "not_a_friend", "person", name=other.card.name)
    if page.blocked:
        raise HttpError(409, "you_blocked", "person")
    settings = Settings(FIRST_BOOK)
    found = await container.store.finished(page.last_game) if page.last_game else None
    if found is not None:
        settings = replace((await container.rooms.look_at(found.room)).settings, book_version="")
    seats = book_of(settings).players.minimum
    chairs = (SEAT_ME, SEAT_OPEN, *[settings.stand_in] * (seats - 2))
    return await _opened(container, person, OpenRoom(replace(settings, seats=seats), chairs), [other])


async def _opened(
    container: Container, person: Known, request: OpenRoom, others: list[Someone]
) -> RoomOpened:
    room = await container.rooms.open(person.player, request)
    card = await container.store.card(room)
    assert card is not None
    apart = await container.relations.hidden_from(person.player.id)
    for other in others:
        if other.id not in apart:
            await _invite(container, person, card, other)
    return RoomOpened(room)


async def _invite(container: Container, person: Known, card: RoomCard, other: Someone) -> None:
    if await container.invitations.invite(person, card, other):
        container.pushes.invited(other.id, card.room, person.player.name)


async def _own_table(container: Container, room: str, person: Known) -> RoomCard:
    """The card of a table at which somebody sits. Raises HttpError."""
    card = await container.store.card(room) if len(room) <= LONGEST_CODE else None
    if card is None:
        raise no_such_room(room)
    if not set(person.ids) & set(card.players):
        raise HttpError(403, "not_at_this_table", "room")
    return card


router = Router(
    path="/",
    route_handlers=[
        my_profile,
        profile_page,
        my_friends,
        add_friend,
        remove_friend,
        block,
        unblock,
        my_invitations,
        decline,
        invited,
        invite,
        play_again,
    ],
    tags=["people"],
)
