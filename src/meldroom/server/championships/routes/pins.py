"""Routes for referees' PINs: with one a referee signs at a table's device. Nobody is ever shown one."""

from __future__ import annotations

import secrets

import msgspec
from litestar import delete, post
from litestar.params import FromPath, JSONBody

from meldroom.championship.actions import SetPin
from meldroom.championship.log.pins import PinText, check_pin
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import Said
from meldroom.server.championships.routes.request_context import All, Code, StaffKey
from meldroom.server.championships.storage.keys import Key, may
from meldroom.server.championships.storage.running import Origin, RunningChampionship, digest_of
from meldroom.server.web.problems import problems


class NewPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A referee's PIN; any that they had before stops working."""

    referee: Said
    pin: PinText


@post("/{code:str}/pins", status_code=204, responses=problems(400, 401, 403, 503))
async def set_pin(code: Code, data: JSONBody[NewPin], championships: All, staff_key: StaffKey = "") -> None:
    """Give a referee a PIN: themselves, or organiser and director anybody. The log says who did it."""
    championship, key = await championships.entrusted(code, staff_key, "set_pin", whole=True)
    _check_own(key, data.referee)
    await championship.change(lambda running: _set(running, key, data))


@delete("/{code:str}/pins/{referee:str}", status_code=204, responses=problems(400, 401, 403, 503))
async def remove_pin(
    code: Code, referee: FromPath[str], championships: All, staff_key: StaffKey = ""
) -> None:
    """Take a referee's PIN away."""
    championship, key = await championships.entrusted(code, staff_key, "set_pin", whole=True)
    _check_own(key, referee)
    await championship.change(lambda running: _remove(running, key, referee))


def _check_own(key: Key, referee: str) -> None:
    """A referee sets their own PIN, the desk anybody's. Raises HallError."""
    if referee != key.label and not may(key.role, "make_keys"):
        raise HallError(403, "pin_of_other", "referee")


def _set(running: RunningChampionship, key: Key, asked: NewPin) -> None:
    check_pin(asked.pin)
    action = SetPin(asked.referee)
    # On the disk before the log says so: a PIN that the log knows must be there.
    running.keep_pins(running.now.access.pins.with_pin(asked.referee, asked.pin))
    running.write(action, _origin(key, action))


def _remove(running: RunningChampionship, key: Key, referee: str) -> None:
    action = SetPin(referee, removed=True)
    running.write(action, _origin(key, action))
    running.keep_pins(running.now.access.pins.without(referee))


def _origin(key: Key, action: SetPin) -> Origin:
    return Origin(f"pin-{secrets.token_hex(8)}", digest_of(action), key, key.label)


ROUTES = [set_pin, remove_pin]
