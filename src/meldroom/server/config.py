"""How a server is to run: where its data and pages are, and how much it allows."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import msgspec

from meldroom.rooms.rate_limit import Allowance

PAGES_VARIABLE = "MELDROOM_PAGES"
DEFAULT_BOT_PACE = 700
DEFAULT_START_PHASE = 15
"""In seconds."""
DAY = 24 * 3600 * 1000
"""In ms."""
SESSION_DAYS = 400
IDLE_DAYS = 60
"""An account's session that is not used for so long ends before its days are over."""


class Limits(msgspec.Struct, frozen=True):
    """Every limit of the server. Generous for play; a class behind one address must fit."""

    requests_of_session: Allowance = Allowance(120, 30)
    requests_of_address: Allowance = Allowance(600, 150)
    sessions_of_address: Allowance = Allowance(60, 1)
    sign_ins_of_address: Allowance = Allowance(30, 0.2)
    sign_ins_of_account: Allowance = Allowance(10, 1 / 30)
    messages_of_client: Allowance = Allowance(120, 40)
    subscriptions_of_player: Allowance = Allowance(20, 1 / 30)
    social_of_player: Allowance = Allowance(30, 1 / 6)
    """Requests of friends, blocks and invitations, so that nobody is pestered and no names are tried out."""
    clients_of_address: int = 200
    clients: int = 10_000
    pages_of_address: Allowance = Allowance(3000, 300)
    computing_of_address: Allowance = Allowance(3000, 200)
    """In milliseconds of processor time."""
    misses_of_address: Allowance = Allowance(30, 0.5)
    """Rooms, games and championships that were asked for and are not there: guessing takes long."""
    handshakes_of_address: Allowance = Allowance(200, 5)
    """Sockets that are opened: a hall comes back at once after a restart, and nobody again and again."""
    connections_of_address: int = 400
    connections: int = 12_000


_ENDLESS = Allowance(1e9, 1e9)
UNLIMITED = Limits(
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    _ENDLESS,
    clients_of_address=1_000_000,
    clients=1_000_000,
    pages_of_address=_ENDLESS,
    computing_of_address=_ENDLESS,
    misses_of_address=_ENDLESS,
    handshakes_of_address=_ENDLESS,
    connections_of_address=1_000_000,
    connections=1_000_000,
)
"""For benches and tests, whose hundreds of clients share an address."""


class PushPolicy(msgspec.Struct, frozen=True):
    """Which push services are called: https on public addresses. No option changes it; tests do.

    `certificate` is trusted in place of the system's authorities.
    """

    plain_http: bool = False
    private_addresses: bool = False
    certificate: Path | None = None


class Config(msgspec.Struct, frozen=True):
    """What can be chosen when a server starts.

    `start_phase` is how many seconds a deal waits for everybody to be ready, under a book with a new deal for
    doubles; `listening` the address and port it listens on. `origins` are further addresses the site is
    reached under, where a proxy changes the Host header.
    `trusted_load` switches all limits off; `usual` are those that hold without it. With a `certificate` and
    its `key` the server speaks https itself; at `hall_port` devices learn to trust a hall's certificate.
    Without a `database` (the URL of a PostgreSQL) everything is in SQLite in the data folder; several nodes
    on one database find each other over a `bus` (the URL of a NATS server). `championships` are kept in
    files of the data folder, or in the database with everything else. With `remote_workers`, what is
    costly is computed by `meldroom worker` processes on that bus, as long as there are any. An account's
    session ends after `idle_days` without use (0: only when its days are over). With `require_https` nobody
    beyond this machine is answered over plain http; with `hsts_subdomains` browsers are told that all names
    below this one have https too.
    """

    data: Path
    pages: Path
    bot_pace: int = DEFAULT_BOT_PACE
    start_phase: int = DEFAULT_START_PHASE
    listening: tuple[str, int] | None = None
    origins: tuple[str, ...] = ()
    trusted_load: bool = False
    usual: Limits = Limits()
    certificate: Path | None = None
    key: Path | None = None
    push: PushPolicy = PushPolicy()
    hall_port: int | None = None
    database: str = ""
    bus: str = ""
    championships: Literal["folder", "database"] = "folder"
    drain: float = 0.0
    """Seconds between a signal to end and the end, for load balancers to notice /readyz."""
    remote_workers: bool = False
    idle_days: int = IDLE_DAYS
    require_https: bool = False
    hsts_subdomains: bool = False

    @property
    def limits(self) -> Limits:
        """How much clients may ask for."""
        return UNLIMITED if self.trusted_load else self.usual


def default_data() -> Path:
    """The data folder where none was named: where the system keeps such things."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "meldroom"


def default_pages() -> Path:
    """The built pages: those of the package, or of the folder in MELDROOM_PAGES."""
    named = os.environ.get(PAGES_VARIABLE)
    return Path(named) if named else Path(__file__).parent / "pages"
