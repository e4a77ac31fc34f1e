"""Push subscriptions over HTTP: the browsers that are told of a turn at a slow table."""

from __future__ import annotations

import math

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, SkipValidation

from meldroom.api.errors import HttpError
from meldroom.rooms.rate_limit import Limiter
from meldroom.server.push import Subscriptions
from meldroom.server.push.schemas import NewSubscription, PushKey, SubscriptionCard
from meldroom.server.routes.dependencies import Asked, Person, scope_of
from meldroom.server.web.asgi import headers_of
from meldroom.server.web.problems import problems

LONGEST_SITE = 200

Subscribed = NamedDependency[SkipValidation[Subscriptions]]


@get("/push/key", responses=problems(404))
async def push_key(subscriptions: Subscribed) -> PushKey:
    """The server's public key, with which a browser subscribes."""
    return PushKey(subscriptions.key.public)


@post("/push/subscriptions", responses=problems(400, 401, 403, 404, 503))
async def subscribe(
    request: Asked, data: JSONBody[NewSubscription], subscriptions: Subscribed, person: Person
) -> SubscriptionCard:
    """Have this browser told when it is one's turn at a table with hours for a move.

    It lasts as long as the session. A browser that subscribes again keeps one subscription.
    """
    gate = request.app.state.subscription_gate
    assert isinstance(gate, Limiter)
    wait = gate.wait(person.player.id)
    if wait:
        raise HttpError(429, "too_many", wait=wait, seconds=math.ceil(wait))
    site = headers_of(scope_of(request)).get("origin", "")[:LONGEST_SITE]
    return await subscriptions.add(person, data, site)


@get("/push/subscriptions", responses=problems(401))
async def my_subscriptions(subscriptions: Subscribed, person: Person) -> list[SubscriptionCard]:
    """The browsers in which one is told."""
    return await subscriptions.of(person)


@delete("/push/subscriptions/{subscription:str}", responses=problems(401, 403, 404, 503))
async def unsubscribe(subscription: FromPath[str], subscriptions: Subscribed, person: Person) -> None:
    """End a subscription of one's own."""
    if not await subscriptions.remove(person, subscription):
        raise HttpError(404, "no_such_subscription", "subscription")


router = Router(
    path="/",
    route_handlers=[push_key, subscribe, my_subscriptions, unsubscribe],
    tags=["people"],
)
