"""PINs with which referees sign at a table's device: kept beside the log as slow hashes, never in it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from itertools import pairwise
from typing import Annotated

import msgspec

from meldroom.championship.errors import ChampionshipError

SHORTEST, LONGEST = 4, 12
FREE_TRIES = 5
"""Wrong PINs at one place before it has to wait: half a minute, twice as long after each one more."""
FIRST_WAIT, LONGEST_WAIT = 30, 900

PinText = Annotated[str, msgspec.Meta(max_length=40)]


class Pin(msgspec.Struct, frozen=True):
    """A referee's PIN as it is kept."""

    referee: str
    salt: str
    hash: str


class Wrong(msgspec.Struct, frozen=True):
    """Wrong PINs in a row at one place, and when the last one was."""

    count: int
    at: datetime


class Pins(msgspec.Struct, frozen=True, omit_defaults=True):
    """The PINs of a championship, and where wrong ones were tried."""

    pins: tuple[Pin, ...] = ()
    wrong: dict[str, Wrong] = {}
    """By place: a table's key, or the command line."""

    def with_pin(self, referee: str, pin: str) -> Pins:
        """A PIN in place of the one that the referee may have had. Raises ChampionshipError."""
        check_pin(pin)
        salt = secrets.token_bytes(16)
        made = Pin(referee, base64.b64encode(salt).decode(), _hashed(pin, salt))
        return msgspec.structs.replace(self, pins=(*self.without(referee).pins, made))

    def without(self, referee: str) -> Pins:
        """The same without a referee's PIN."""
        return msgspec.structs.replace(self, pins=tuple(pin for pin in self.pins if pin.referee != referee))

    def wait(self, place: str, now: datetime) -> int:
        """The seconds until a place may try again; a clock that was put back makes it no longer."""
        wrong = self.wrong.get(place)
        if wrong is None or wrong.count < FREE_TRIES:
            return 0
        rest = min(LONGEST_WAIT, FIRST_WAIT << min(wrong.count - FREE_TRIES, 10))
        return max(0, min(rest, rest - int((now - wrong.at).total_seconds())))

    def knows(self, referee: str) -> bool:
        """Whether there is a PIN of this referee."""
        return any(pin.referee == referee for pin in self.pins)

    def tried(self, referee: str, pin: str, place: str, now: datetime) -> tuple[bool, Pins]:
        """Whether it is the referee's PIN, and what is known after this try.

        Raises ChampionshipError if the place has to wait: then nothing is tried.
        """
        if seconds := self.wait(place, now):
            raise ChampionshipError("pin_wait", seconds=seconds)
        right = any(
            hmac.compare_digest(known.hash, _hashed(pin, base64.b64decode(known.salt)))
            for known in self.pins
            if known.referee == referee
        )
        others = {where: wrong for where, wrong in self.wrong.items() if where != place}
        if not right:
            before = self.wrong.get(place)
            others[place] = Wrong((before.count if before is not None else 0) + 1, now)
        return right, msgspec.structs.replace(self, wrong=others)


def check_pin(pin: str) -> None:
    """Refuse what is no PIN, or one that anybody would try first. Raises ChampionshipError."""
    digits = SHORTEST <= len(pin) <= LONGEST and pin.isascii() and pin.isdigit()
    steps = {(int(two) - int(one)) % 10 for one, two in pairwise(pin)} if digits else set()
    if not digits or steps in ({0}, {1}, {9}):
        raise ChampionshipError("bad_pin", least=SHORTEST, most=LONGEST)


def _hashed(pin: str, salt: bytes) -> str:
    """A PIN has few values: each try is made to cost tens of milliseconds and 16 MiB."""
    made = hashlib.scrypt(pin.encode("utf-8", "surrogatepass"), salt=salt, n=2**14, r=8, p=1, dklen=32)
    return base64.b64encode(made).decode()
