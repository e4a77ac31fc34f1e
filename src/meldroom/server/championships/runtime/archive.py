"""Championships created, loaded by their code, listed: the interface, and the data folder."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeAlias

import msgspec

from meldroom.championship.actions import CHECKS, Adopt, Found
from meldroom.championship.club_night import begin, club_format, names_in
from meldroom.championship.errors import ChampionshipError, because
from meldroom.championship.formats.format import Format, preset, read_format
from meldroom.championship.log.entry import decode_entry, replay
from meldroom.championship.log.file import ChampionshipLog, now
from meldroom.championship.log.lines import keep_name
from meldroom.championship.log.restore import adopted
from meldroom.championship.roles import HOST, Role
from meldroom.decode import LONGEST_TOML, DecodeError, parse_toml
from meldroom.game.shuffle import new_secret
from meldroom.i18n import Language, Text
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookError, book
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import HallEntry, Opened, Said, StandingsMode
from meldroom.server.championships.hall.state import Hall, fold
from meldroom.server.championships.leagues.store import LeagueFolder, Leagues
from meldroom.server.championships.storage.files import HALL, LOG, EventFiles, FolderFiles
from meldroom.server.championships.storage.keys import Access, Key, new_key, write_access
from meldroom.server.championships.storage.running import KeptSecrets, RunningChampionship
from meldroom.server.championships.storage.stored import Committer

CODE = re.compile(r"[a-z2-9]{6}\Z")
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
_ROOMS = b'"open_rooms"'
_OPTIONS = (b'"opened"', b'"set_options"')
LONGEST_LIST = 20_000


class NewChampionship(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A championship to open; `format` is a preset's name, `format_toml` one of your own."""

    name: Said
    by: Said
    """The organiser's name."""
    edition: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    date: date
    format: str = "wrc"
    format_toml: Annotated[str, msgspec.Meta(max_length=LONGEST_TOML)] = ""
    book: str = ""
    """A rule book; the format's own if it is empty."""
    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True


class NewClubNight(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A club night to begin at once: everybody is entered and checked in, and all tables are drawn."""

    name: Said
    by: Said
    """The host's name."""
    names: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_LIST)]
    """The players, one a line or with commas between."""
    date: date
    book: str = ""
    """A rule book; the usual one of the format if it is empty."""
    sittings: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    games: Annotated[int, msgspec.Meta(ge=1, le=12)] = 2
    language: Language = "en"
    listed: bool = False
    """Whether everybody finds it in the list; whoever has its code sees its page either way."""


class AdoptedChampionship(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exported championship that goes on here, since its log is lost or lies elsewhere."""

    by: Said
    reason: Said
    document: dict[str, Any]
    """What `export` gives."""
    language: Language = "en"
    standings: StandingsMode = "held"
    listed: bool = True


Asked: TypeAlias = NewChampionship | NewClubNight | AdoptedChampionship


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


class Archive(Protocol):
    """Where championships and leagues are kept."""

    leagues: Leagues

    async def create(self, asked: Asked, first: tuple[Found | Adopt, str]) -> ChampionshipOpened:
        """Write everything of a new championship: it exists whole, or not at all.

        Raises HallError, ChampionshipError and OSError.
        """
        ...

    async def load(self, code: str) -> tuple[RunningChampionship, Committer | None]:
        """A championship by its code, and what makes its changes durable where files do not do that.

        Raises HallError.
        """
        ...

    async def listed(self) -> tuple[ChampionshipCard, ...]:
        """Championships that want to be listed, the latest first."""
        ...

    async def with_rooms(self) -> tuple[str, ...]:
        """The codes of championships that have had tables played online."""
        ...

    async def is_any(self) -> bool:
        """Whether there is a championship at all."""
        ...


class FolderArchive:
    """The championships under a folder, on the disk."""

    def __init__(self, folder: Path, clock: Callable[[], datetime] = now) -> None:
        self._folder = folder
        self._clock = clock
        self._cards: dict[Path, tuple[tuple[int, ...], ChampionshipCard | None]] = {}
        self.leagues = Leagues(LeagueFolder(folder))

    async def create(self, asked: Asked, first: tuple[Found | Adopt, str]) -> ChampionshipOpened:
        """See Archive."""
        return await asyncio.to_thread(self._create, asked, first)

    def _create(self, asked: Asked, first: tuple[Found | Adopt, str]) -> ChampionshipOpened:
        """Write all files of a new championship, then give it its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        code = self._new_code()
        beside = self._folder / f".{code}"
        beside.mkdir(mode=0o700)
        files = FolderFiles(beside)
        try:
            secret, key = found(files, asked, first, self._clock)
            files.close()
            beside.rename(self._folder / code)
            keep_name(self._folder)
        except BaseException:
            files.close()
            shutil.rmtree(beside, ignore_errors=True)
            raise
        return ChampionshipOpened(code, secret, key.id)

    def _new_code(self) -> str:
        while True:
            code = new_code()
            if not (self._folder / code).exists():
                return code

    async def load(self, code: str) -> tuple[RunningChampionship, None]:
        """See Archive."""
        return await asyncio.to_thread(self._load, code), None

    def _load(self, code: str) -> RunningChampionship:
        folder = self._folder / code
        if not CODE.match(code) or not (folder / LOG).is_file():
            raise no_such_championship(code)
        return opened(FolderFiles(folder), self._clock)

    async def listed(self) -> tuple[ChampionshipCard, ...]:
        """See Archive."""
        return await asyncio.to_thread(self._listed)

    def _listed(self) -> tuple[ChampionshipCard, ...]:
        kept = {folder: self._kept_card(folder) for folder in self._folders()}
        self._cards = kept
        return in_order(card for _, card in kept.values() if card is not None)

    def _kept_card(self, folder: Path) -> tuple[tuple[int, ...], ChampionshipCard | None]:
        """A card, read again only where the files have changed."""
        mark = tuple(number for name in (LOG, HALL) for number in _mark(folder / name))
        kept = self._cards.get(folder)
        return kept if kept is not None and kept[0] == mark else (mark, _card(folder))

    async def with_rooms(self) -> tuple[str, ...]:
        """See Archive."""
        return await asyncio.to_thread(self._with_rooms)

    def _with_rooms(self) -> tuple[str, ...]:
        halls = [folder / HALL for folder in self._folders() if (folder / HALL).is_file()]
        return tuple(path.parent.name for path in halls if opens_rooms(path.read_bytes()))

    async def is_any(self) -> bool:
        """See Archive."""
        return await asyncio.to_thread(lambda: any(self._folder.glob("*")))

    def _folders(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.iterdir() if CODE.match(path.name))


def new_code() -> str:
    """A code that nobody guesses."""
    return "".join(secrets.choice(_SIGNS) for _ in range(6))


def no_such_championship(code: str) -> HallError:
    """What is said of a code that nothing has."""
    return HallError(404, "no_such_championship", "code", championship=code[:12])


def opened(files: EventFiles, clock: Callable[[], datetime]) -> RunningChampionship:
    """A championship from its files. Raises HallError."""
    try:
        return RunningChampionship(files, clock)
    except ChampionshipError as error:
        raise HallError.from_below(error) from None
    except (msgspec.DecodeError, OSError):
        raise HallError(503, "unreadable") from None


def found(
    files: EventFiles, asked: Asked, first: tuple[Found | Adopt, str], clock: Callable[[], datetime]
) -> tuple[str, Key]:
    """Write everything of a new championship; its organiser's key. Raises ChampionshipError."""
    action, reason = first
    role: Role = HOST if isinstance(asked, NewClubNight) else "organiser"
    standings: StandingsMode = "live" if isinstance(asked, NewClubNight) else asked.standings
    log = ChampionshipLog(files.lines(LOG), clock, KeptSecrets(files))
    log.append(action, author=asked.by, role=role, reason=reason)
    if isinstance(asked, NewClubNight):
        begin(log, names_in(asked.names), author=asked.by, seed=new_secret())
    said = Opened(asked.language, standings, asked.listed)
    entry = HallEntry(1, 1, clock(), asked.by, role, "", "opened", "", said)
    hall = files.lines(HALL)
    hall.read()
    hall.append(msgspec.json.encode(entry))
    secret, key = new_key(role, asked.by, None, asked.by, clock())
    write_access(files, Access((key,)))
    return secret, key


def first_action(asked: Asked) -> tuple[Found | Adopt, str]:
    """The first entry of a championship's log, and its reason. Raises HallError and ChampionshipError."""
    if isinstance(asked, AdoptedChampionship):
        adopted(asked.document)
        return Adopt(asked.document), asked.reason
    if isinstance(asked, NewClubNight):
        made = club_format(_book(asked.book), asked.sittings, asked.games)
        return Found(asked.name, 1, asked.date, made, CHECKS), ""
    return Found(asked.name, asked.edition, asked.date, _format(asked), CHECKS), ""


def _book(name: str) -> RuleBook | None:
    try:
        return book(name) if name else None
    except BookError as error:
        raise ChampionshipError("bad_format", "book", why=because(error)) from None


def _format(asked: NewChampionship) -> Format:
    return asked_format(asked.format, asked.format_toml, asked.book)


def asked_format(name: str, toml: str, played: str = "") -> Format:
    """A preset by its name, or a format of one's own, by a rule book if one is named.

    Raises ChampionshipError and HallError.
    """
    rules = _book(played)
    if not toml:
        return preset(name, rules)
    try:
        return read_format(parse_toml(toml), rules)
    except DecodeError as error:
        why = error.details["reason"] if error.code == "toml" else error.as_message()
        raise HallError(400, "bad_toml", "format_toml", why=why) from None


def _mark(path: Path) -> tuple[int, ...]:
    """What changes with a file; nothing where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _card(folder: Path) -> ChampionshipCard | None:
    """A championship's card from the beginnings of its files; None if it is not listed or cannot be read."""
    try:
        with (folder / LOG).open("rb") as file:
            first = file.readline()
        with (folder / HALL).open("rb") as file:
            hall = [line for line in file if line.endswith(b"\n")]
    except OSError:
        return None
    return card_of(folder.name, first, hall)


def card_of(code: str, first: bytes, hall_lines: Iterable[bytes]) -> ChampionshipCard | None:
    """A championship's card; None if it is not listed or cannot be read."""
    hall = Hall()
    try:
        for line in hall_lines:
            if changes_card(line):
                hall = fold(hall, msgspec.json.decode(line, type=HallEntry))
        state = replay((decode_entry(first),))
    except (msgspec.DecodeError, ChampionshipError):
        return None
    if not hall.listed:
        return None
    name = state.format.name
    return ChampionshipCard(code, state.name, state.edition, state.date, name, hall.language)


def changes_card(line: bytes) -> bool:
    """Whether a line of the hall may say how a championship is listed."""
    return any(mark in line for mark in _OPTIONS)


def opens_rooms(lines: bytes) -> bool:
    """Whether lines of the hall open tables that are played online."""
    return _ROOMS in lines


def in_order(cards: Iterable[ChampionshipCard]) -> tuple[ChampionshipCard, ...]:
    """Cards as the list has them, the latest first."""
    return tuple(sorted(cards, key=lambda card: (card.date, card.name, card.code), reverse=True))
