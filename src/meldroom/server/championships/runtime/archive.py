"""All championships of a data folder: opened, found by their code, listed, closed."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import tomllib
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from meldroom.championship.actions import Adopt, Found
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format, preset, read_format
from meldroom.championship.log.entry import decode_entry, replay
from meldroom.championship.log.file import ChampionshipLog, now
from meldroom.championship.log.restore import adopted
from meldroom.i18n import Language, Text
from meldroom.rooms.rate_limit import Allowance, Limiter
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import HallEntry, Opened, Said, StandingsMode
from meldroom.server.championships.hall.state import Hall, fold
from meldroom.server.championships.runtime.live import LiveChampionship
from meldroom.server.championships.storage.jsonl import LinesFile, keep_name
from meldroom.server.championships.storage.keys import Access, new_key, write_access
from meldroom.server.championships.storage.running import ACCESS, HALL, LOG, RunningChampionship
from meldroom.server.msgspec_warmup import prepare_msgspec

CODE = re.compile(r"[a-z2-9]{6}\Z")
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_OPENING = Allowance(20, 1 / 60)
_ROOMS = b'"open_rooms"'
_OPTIONS = (b'"opened"', b'"set_options"')
LONGEST_FORMAT = 50_000


class NewChampionship(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A championship to open; `format` is a preset's name, `format_toml` one of your own."""

    name: Said
    by: Said
    """The organiser's name."""
    edition: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    date: date
    format: str = "wrc"
    format_toml: Annotated[str, msgspec.Meta(max_length=LONGEST_FORMAT)] = ""
    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True


class AdoptedChampionship(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exported championship that goes on here, since its log is lost or lies elsewhere."""

    by: Said
    reason: Said
    document: dict[str, Any]
    """What `export` gives."""
    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True


class ChampionshipOpened(msgspec.Struct, frozen=True):
    """A new championship's code and its organiser's key, which is never shown again."""

    code: str
    key: str
    key_id: str


class ChampionshipCard(msgspec.Struct, frozen=True):
    """A championship in the list of all."""

    code: str
    name: str
    edition: int
    date: date
    format_name: Text
    language: Language


class Championships:
    """The championships under a folder, each loaded when somebody asks for it."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], datetime] = now,
        opening: Allowance = _OPENING,
    ) -> None:
        prepare_msgspec()  # championships are read and written by threads
        self._folder = folder
        self._clock = clock
        self._championships: dict[str, LiveChampionship] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._openings = Limiter(opening)
        self.follow: Callable[[LiveChampionship], Awaitable[None]] | None = None
        """What is to be seen to after a change of a championship, if anything is."""

    async def open(
        self, asked: NewChampionship | AdoptedChampionship, address: str = ""
    ) -> ChampionshipOpened:
        """A new championship, or one from elsewhere. Raises HallError."""
        wait = self._openings.wait(address)
        if wait:
            raise HallError(429, "too_many_championships", seconds=round(wait + 0.5))
        try:
            return await asyncio.to_thread(self._found, asked)
        except ChampionshipError as error:
            raise HallError.from_below(error) from None
        except OSError as error:
            reason = ChampionshipError("not_written", why=error.strerror or str(error))
            raise HallError.from_below(reason) from None

    def _found(self, asked: NewChampionship | AdoptedChampionship) -> ChampionshipOpened:
        """Write all files of a new championship, then give it its name: it exists whole, or not at all."""
        first, reason = _first_action(asked)
        self._folder.mkdir(parents=True, exist_ok=True)
        code = self._new_code()
        beside = self._folder / f".{code}"
        beside.mkdir(mode=0o700)
        try:
            ChampionshipLog.create(
                beside / LOG, first, author=asked.by, reason=reason, clock=self._clock
            ).close()
            hall = LinesFile(beside / HALL)
            opened = Opened(asked.language, asked.standings, asked.listed)
            entry = HallEntry(1, 1, self._clock(), asked.by, "organiser", "", "opened", "", opened)
            hall.append(msgspec.json.encode(entry))
            hall.close()
            secret, key = new_key("organiser", asked.by, None, asked.by, self._clock())
            write_access(beside / ACCESS, Access((key,)))
            beside.rename(self._folder / code)
            keep_name(self._folder)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        return ChampionshipOpened(code, secret, key.id)

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_SIGNS) for _ in range(6))
            if not (self._folder / code).exists():
                return code

    async def championship(self, code: str) -> LiveChampionship:
        """A championship by its code. Raises HallError."""
        found = self._championships.get(code)
        if found is not None:
            return found
        if not CODE.match(code):
            raise HallError(404, "no_such_championship", "code", championship=code[:12])
        async with self._loading.setdefault(code, asyncio.Lock()):
            if code not in self._championships:
                try:
                    loaded = await asyncio.to_thread(self._load, code)
                finally:
                    self._loading.pop(code, None)
                live = self._championships[code] = LiveChampionship(loaded)
                if self.follow is not None:
                    live.follow = self.follow
        return self._championships[code]

    def _load(self, code: str) -> RunningChampionship:
        folder = self._folder / code
        if not (folder / LOG).is_file():
            raise HallError(404, "no_such_championship", "code", championship=code)
        try:
            return RunningChampionship(folder, self._clock)
        except ChampionshipError as error:
            raise HallError.from_below(error) from None
        except (msgspec.DecodeError, OSError):
            raise HallError(503, "unreadable") from None

    async def listed(self) -> tuple[ChampionshipCard, ...]:
        """Championships that want to be listed, the latest first."""
        return await asyncio.to_thread(self._cards)

    def _cards(self) -> tuple[ChampionshipCard, ...]:
        if not self._folder.is_dir():
            return ()
        codes = [path.name for path in self._folder.iterdir() if CODE.match(path.name)]
        cards = [card for code in codes if (card := _card(self._folder / code)) is not None]
        return tuple(sorted(cards, key=lambda card: (card.date, card.name, card.code), reverse=True))

    async def with_rooms(self) -> tuple[str, ...]:
        """The codes of championships that have had tables played online."""
        return await asyncio.to_thread(self._with_rooms)

    def _with_rooms(self) -> tuple[str, ...]:
        if not self._folder.is_dir():
            return ()
        paths = sorted(path for path in self._folder.iterdir() if CODE.match(path.name))
        halls = [path / HALL for path in paths if (path / HALL).is_file()]
        return tuple(path.parent.name for path in halls if _ROOMS in path.read_bytes())

    def let_go(self) -> None:
        """Answer everybody who waits for news, so that a stop need not wait for them."""
        for championship in self._championships.values():
            championship.let_go()

    async def close(self) -> None:
        """Close every championship; what was acknowledged is on the disk."""
        for championship in self._championships.values():
            await championship.close()
        self._championships.clear()


def _first_action(asked: NewChampionship | AdoptedChampionship) -> tuple[Found | Adopt, str]:
    """The first entry of a championship's log, and its reason. Raises HallError and ChampionshipError."""
    if isinstance(asked, AdoptedChampionship):
        adopted(asked.document)
        return Adopt(asked.document), asked.reason
    return Found(asked.name, asked.edition, asked.date, _format(asked)), ""


def _format(asked: NewChampionship) -> Format:
    if not asked.format_toml:
        return preset(asked.format)
    try:
        return read_format(tomllib.loads(asked.format_toml))
    except tomllib.TOMLDecodeError as error:
        raise HallError(400, "bad_toml", "format_toml", why=str(error)[:200]) from None


def _card(folder: Path) -> ChampionshipCard | None:
    """A championship's card from the beginnings of its files; None if it is not listed or cannot be read."""
    try:
        with (folder / LOG).open("rb") as file:
            first = decode_entry(file.readline())
        hall = Hall()
        with (folder / HALL).open("rb") as file:
            for line in file:
                if line.endswith(b"\n") and any(mark in line for mark in _OPTIONS):
                    hall = fold(hall, msgspec.json.decode(line, type=HallEntry))
        state = replay((first,))
    except (OSError, msgspec.DecodeError, ChampionshipError):
        return None
    if not hall.listed:
        return None
    name = state.format.name
    return ChampionshipCard(folder.name, state.name, state.edition, state.date, name, hall.language)
