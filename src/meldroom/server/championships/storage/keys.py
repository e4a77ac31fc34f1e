"""Keys to a championship and what their roles may do or see.

Whoever holds a key acts in its role, a table's device at that table only. An entrant's personal key opens
their chair at an online table and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from meldroom.championship.log.pins import Pins
from meldroom.championship.roles import HOST, MAY, ROLES, Role, with_host
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.storage.files import ACCESS, ADDED, PERSONAL, EventFiles

KEY_BYTES = 32
LONGEST_KEY = 100
MOST_KEYS = 2_000
OUTSIDE = "meldroom admin"
"""Who made a key that was made from outside."""

_DESK: tuple[Role, ...] = ("organiser", "director")
_TABLE: tuple[Role, ...] = ("director", "referee", "scorer")
_STAFF: tuple[Role, ...] = ("organiser", "director", "referee", "scorer", "check_in")

HALL_MAY = with_host(
    {
        "opened": (),
        "set_options": _DESK,
        "bind_table": _TABLE,
        "release_table": ("director", "referee"),
        "call_referee": _TABLE,
        "answer_call": ("director", "referee"),
        "pause_clock": _TABLE,
        "resume_clock": _TABLE,
        "extra_time": ("director", "referee"),
        "note_expiry": _TABLE,
        "record_position": _TABLE,
        "note_photo": _TABLE,
        "set_countdown": _DESK,
        "plan_sitting": _DESK,
        "set_notice": _DESK,
        "show_name": ("organiser", "director", "check_in"),
        "open_rooms": ("director",),
        "begin_game": ("director",),
        "game_stopped": (),
        "clash": (),
        "settle_clash": ("director",),
        "settle_own_clash": _TABLE,
        "make_keys": _DESK,
        "make_organiser_keys": ("organiser",),
        "see_hall": ("organiser", "director", "referee", "scorer"),
        "see_calls": ("organiser", "director", "referee", "scorer", "display"),
        "see_full_names": _STAFF,
        "see_clashes": ("director", "referee"),
        "see_photos": ("director", "referee"),
        "see_table": _TABLE,
        "see_papers": _STAFF,
        "see_public": ROLES,
    }
)
"""Commands and readings of the hall, each with the roles that may; the server alone writes some."""


def may(role: Role, what: str) -> bool:
    """Whether a role may do or see something; nobody may what is in neither table."""
    return role in HALL_MAY.get(what, MAY.get(what, ()))


def all_may(role: Role) -> tuple[str, ...]:
    """Everything that a role may, for a page that shows only buttons that work."""
    return tuple(sorted(what for what in {**MAY, **HALL_MAY} if may(role, what)))


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key as it is kept: never itself, only its hash."""

    id: str
    hash: str
    role: Role
    label: str
    created: datetime
    table: int | None = None
    by: str = ""
    """Who made it."""
    revoked: datetime | None = None

    @property
    def sees_as(self) -> Role:
        """The role whose view of the whole it has: a table's device sees no more of it than the public."""
        return self.role if self.table is None else "public"


NOBODY = Key("", "", "public", "", datetime.min.replace(tzinfo=UTC))
"""Who comes without a key."""


class Access(msgspec.Struct, frozen=True):
    """All keys of a championship, in the order they were made, and the PINs of its referees."""

    keys: tuple[Key, ...] = ()
    pins: Pins = Pins()

    def holder(self, secret: str) -> Key:
        """The key that a secret is; nobody's without one. Raises HallError."""
        if not secret:
            return NOBODY
        wanted = hashed(secret[:LONGEST_KEY])
        for key in self.keys:
            if key.hash == wanted:
                if key.revoked is not None:
                    raise HallError(401, "key_revoked")
                return key
        raise HallError(401, "wrong_key")

    def key(self, number: str) -> Key:
        """A key by its id. Raises HallError."""
        for key in self.keys:
            if key.id == number:
                return key
        raise HallError(404, "no_such_key", "id")

    def with_key(self, key: Key) -> Access:
        """One key more. Raises HallError if there are too many."""
        if len(self.keys) >= MOST_KEYS:
            raise HallError(409, "too_many_keys", most=MOST_KEYS)
        return replace(self, keys=(*self.keys, key))

    def without(self, number: str, at: datetime) -> Access:
        """With one key revoked; the last key of an organiser or host stays. Raises HallError."""
        gone = self.key(number)
        if gone.revoked is not None:
            return self
        organisers = [key for key in self.keys if key.role in ("organiser", HOST) and key.revoked is None]
        if organisers == [gone]:
            raise HallError(409, "last_key")
        return replace(
            self, keys=tuple(replace(key, revoked=at) if key is gone else key for key in self.keys)
        )


def hashed(secret: str) -> str:
    """What is kept of a key. 256 random bits need no slow hash: nobody can try them all."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_key(
    role: Role, label: str, table: int | None, by: str, at: datetime, taken: Iterable[Key] = ()
) -> tuple[str, Key]:
    """A new secret, which is shown once, and the key that is kept of it."""
    secret = secrets.token_urlsafe(KEY_BYTES)
    ids = {key.id for key in taken}
    number = secrets.token_hex(4)
    while number in ids:
        number = secrets.token_hex(4)
    return secret, Key(number, hashed(secret), role, label, at, table, by)


def read_access(files: EventFiles) -> Access:
    """The keys of a championship, with those that were made from outside; none if there are no such files."""
    data = files.get(ACCESS)
    return with_added(files, Access() if data is None else msgspec.json.decode(data, type=Access))


def with_added(files: EventFiles, access: Access) -> Access:
    """The keys with those that were made from outside since; the very same if there are none."""
    known = {key.id for key in access.keys}
    new = tuple(key for key in _added(files) if key.id not in known)
    return replace(access, keys=(*access.keys, *new)) if new else access


def key_from_outside(files: EventFiles, at: datetime) -> tuple[str, Key]:
    """A new key like the first organiser's or host's, for `add_from_outside`."""
    access = read_access(files)
    first = next((key for key in access.keys if key.role in ("organiser", HOST)), None)
    role: Role = "organiser" if first is None else first.role
    return new_key(role, role if first is None else first.label, None, OUTSIDE, at, access.keys)


def add_from_outside(files: EventFiles, key: Key) -> None:
    """Add a key beside the championship's own writer, which may be running. Raises ChampionshipError."""
    files.put(ADDED, msgspec.json.encode((*_added(files), key)))


def _added(files: EventFiles) -> tuple[Key, ...]:
    data = files.get(ADDED)
    return () if data is None else msgspec.json.decode(data, type=tuple[Key, ...])


def write_access(files: EventFiles, access: Access) -> None:
    """All keys, replaced at once. Raises ChampionshipError."""
    files.put(ACCESS, msgspec.json.encode(access))


class PersonalKeys(msgspec.Struct, frozen=True):
    """The secret that all personal keys follow from, and how often each entrant got a new one.

    Since they follow from it, a link that was lost can be sent again.
    """

    secret: str
    renewed: dict[int, int] = {}

    def key_of(self, number: int) -> str:
        """The key of an entrant: 256 bits that nobody finds without the secret."""
        text = f"entrant {number} key {self.renewed.get(number, 0)}"
        made = hmac.digest(self.secret.encode(), text.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(made).decode().rstrip("=")

    def with_new_key(self, number: int) -> PersonalKeys:
        """The same with another key for one entrant."""
        return PersonalKeys(self.secret, {**self.renewed, number: self.renewed.get(number, 0) + 1})


def read_personal(files: EventFiles) -> PersonalKeys:
    """The personal keys of a championship; a new secret where there is none yet. Raises ChampionshipError."""
    data = files.get(PERSONAL)
    if data is not None:
        return msgspec.json.decode(data, type=PersonalKeys)
    made = PersonalKeys(secrets.token_urlsafe(32))
    write_personal(files, made)
    return made


def write_personal(files: EventFiles, keys: PersonalKeys) -> None:
    """All of them, replaced at once. Raises ChampionshipError."""
    files.put(PERSONAL, msgspec.json.encode(keys))
