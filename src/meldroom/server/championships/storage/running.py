"""One championship that is open on this server: its log, its hall and its keys, with one writer."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from meldroom.championship.actions import (
    Action,
    Adopt,
    AnnounceDeals,
    AnnounceDraw,
    CancelPenalty,
    CorrectResult,
    CorrectSeats,
    DecideTie,
    Disqualify,
    EndStage,
    EnterResult,
    Penalise,
    SignSheet,
    UndoStatus,
    UndoVoid,
    VoidGame,
    Withdraw,
)
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.entry import LogEntry
from meldroom.championship.log.erase import erased_lines
from meldroom.championship.log.file import ChampionshipLog, now
from meldroom.championship.log.pins import Pins
from meldroom.championship.log.restore import adopted
from meldroom.championship.roles import Role
from meldroom.championship.state import ChampionshipState, GameKey, SheetKey
from meldroom.server.championships.hall.commands import HallAction, HallEntry
from meldroom.server.championships.hall.state import Hall, fold
from meldroom.server.championships.storage.files import HALL, IDS, LOG, PHOTOS, SEEDS, EventFiles
from meldroom.server.championships.storage.keys import (
    Access,
    Key,
    PersonalKeys,
    new_key,
    read_access,
    read_personal,
    with_added,
    write_access,
    write_personal,
)


class Intent(msgspec.Struct, frozen=True):
    """A command's id and the entry of the log that it is about to become.

    It is on the disk before that entry. After a crash it counts only if the entry is there: the same number,
    chained to the same line, written at the same time.
    """

    id: str
    key: str
    digest: str
    number: int
    previous: str
    time: datetime


class Origin(msgspec.Struct, frozen=True):
    """Where an entry comes from: a command's id and digest, and whose command it was."""

    id: str
    digest: str
    key: Key
    author: str
    reason: str = ""
    confirmed: str = ""
    """The referee whose PIN confirmed it."""


class Remembered(msgspec.Struct, frozen=True):
    """What a command's id became: an entry of the log, or of the hall."""

    digest: str
    key: str
    log: int | None = None
    hall: int | None = None


class LastChange(msgspec.Struct, frozen=True):
    """An entry of the log that changed something, and the championship's version after it."""

    number: int
    version: int
    time: datetime
    author: str
    role: Role
    key: str
    """The id of the key it was done with; empty if it was done with the command line."""


class LastChanges:
    """The last change of everything that two people may change at once: what conflicts are judged by."""

    def __init__(self) -> None:
        self.results: dict[GameKey, LastChange] = {}
        self.sheets: dict[SheetKey, LastChange] = {}
        self.stages: dict[str, LastChange] = {}
        """Whatever changes a stage's standings."""

    def note(self, entry: LogEntry, version: int, key: str) -> None:
        """One more entry of the log."""
        change = LastChange(entry.number, version, entry.time, entry.author, entry.role, key)
        match entry.action:
            case EnterResult() | CorrectResult() as action:
                sheet = (action.stage, action.sitting, action.table)
                self.results[(*sheet, action.game)] = change
                self.stages[action.stage] = change
            case SignSheet() as action:
                self.sheets[action.stage, action.sitting, action.table] = change
            case DecideTie() | VoidGame() | EndStage() | UndoVoid() as action:
                self.stages[action.stage] = change
            case Adopt() as action:
                state = adopted(action.document)
                self.results = dict.fromkeys(state.results, change)
                self.sheets = dict.fromkeys(state.sheets, change)
                self.stages = {sheet[0]: change for sheet in state.sheets}
            case Penalise(stage=str() as stage, deduct=deduct) if deduct:
                self.stages[stage] = change
            case CorrectSeats() as action:
                self.stages[action.stage] = change
            case Withdraw() | Disqualify() | UndoStatus() | CancelPenalty():
                self.stages = dict.fromkeys(self.stages, change)
            case _:
                pass


class Snapshot(msgspec.Struct, frozen=True):
    """A championship at one moment; nothing in it changes."""

    code: str
    state: ChampionshipState
    hall: Hall
    access: Access

    @property
    def version(self) -> int:
        """Grows by one with every entry of the log or the hall."""
        return self.state.entries + self.hall.entries


class KeptSecrets:
    """Seeds of raffles and deals and secrets of lots, kept with a championship until they are shown."""

    def __init__(self, files: EventFiles) -> None:
        self._files = files

    def secret_of(self, commitment: str) -> str:
        """See LotSecrets."""
        return self._known().get(commitment, "")

    def keep(self, commitment: str, secret: str) -> None:
        """See LotSecrets."""
        self._files.put(SEEDS, msgspec.json.encode({**self._known(), commitment: secret}))

    def _known(self) -> dict[str, str]:
        data = self._files.get(SEEDS)
        return {} if data is None else msgspec.json.decode(data, type=dict[str, str])


class RunningChampionship:
    """The files of a championship and what they say. Not safe for threads: its callers take turns."""

    def __init__(self, files: EventFiles, clock: Callable[[], datetime] = now) -> None:
        self.files = files
        self._clock = clock
        self._time = clock()
        try:
            self._log = ChampionshipLog(files.lines(LOG), lambda: self._time, KeptSecrets(files))
            if not self._log.state.entries:
                raise ChampionshipError("not_founded")
            self._load()
            files.ready()
        except BaseException:
            self.close()
            raise

    def _load(self) -> None:
        self.hall_entries: list[HallEntry] = []
        self.afters: list[int] = []
        self.known: dict[str, Remembered] = {}
        self.last_changes = LastChanges()
        self._hall = self.files.lines(HALL)
        self._ids = self.files.lines(IDS)
        self.now = Snapshot(self.files.code, self._log.state, Hall(), Access())
        self._take(self._log.entries, self._hall.read(), self._ids.read())

    def _take(self, logged: Sequence[LogEntry], hall_lines: Sequence[bytes], ids: Sequence[bytes]) -> None:
        """What is new in the files, in the order in which versions are counted."""
        hall = self.now.hall
        for line in hall_lines:
            entry = msgspec.json.decode(line, type=HallEntry)
            hall = fold(hall, entry)
            self._keep(entry)
        intents = {
            intent.number: intent for line in ids for intent in [msgspec.json.decode(line, type=Intent)]
        }
        for each in logged:
            self._keep_log(each, intents)
        self.now = Snapshot(self.files.code, self._log.state, hall, read_access(self.files))

    def follow(self, log: Sequence[bytes], hall: Sequence[bytes], ids: Sequence[bytes]) -> None:
        """Take in lines that another writer has appended. Raises ChampionshipError."""
        self._take(self._log.follow(log), hall, ids)

    def _keep(self, entry: HallEntry) -> None:
        self.hall_entries.append(entry)
        self.afters.append(entry.after)
        self.known[entry.id] = Remembered(entry.digest, entry.key, hall=entry.number)

    def _keep_log(self, entry: LogEntry, intents: dict[int, Intent]) -> None:
        intent = intents.get(entry.number)
        if intent is not None and (intent.previous, intent.time) != (entry.previous, entry.time):
            intent = None
        if intent is not None:
            self.known[intent.id] = Remembered(intent.digest, intent.key, log=entry.number)
        version = version_of(entry.number, self.afters)
        self.last_changes.note(entry, version, intent.key if intent is not None else "")

    @property
    def entries(self) -> list[LogEntry]:
        """The entries of the log, in order."""
        return self._log.entries

    def time(self) -> datetime:
        """The time now, never before an entry that is there."""
        latest = [self.entries[-1].time, *(entry.time for entry in self.hall_entries[-1:])]
        return max(self._clock(), *latest)

    def write(self, action: Action, origin: Origin) -> LogEntry:
        """One action into the log, and the id that asked for it. Raises ChampionshipError."""
        intent = self._intend(origin)
        entry = self._log.append(
            action,
            author=origin.author,
            role=origin.key.role,
            reason=origin.reason,
            confirmed=origin.confirmed,
        )
        self._keep_log(entry, {intent.number: intent})
        self.now = replace(self.now, state=self._log.state)
        return entry

    def _intend(self, origin: Origin) -> Intent:
        """A command's id on the disk, before the entry that it becomes. Raises ChampionshipError."""
        self._time = self.time()
        number = len(self.entries) + 1
        intent = Intent(origin.id, origin.key.id, origin.digest, number, self._log.head, self._time)
        self._ids.append(msgspec.json.encode(intent))
        return intent

    def erase(self, number: int, origin: Origin) -> LogEntry:
        """A person's data out of the hall's file and of the log, and the entry that says so.

        Raises ChampionshipError.
        """
        name = self.now.state.name_of(number)
        author, role, reason = origin.author, origin.key.role, origin.reason
        # Tried first: what is refused must change nothing, the hall's file neither.
        erased_lines(self.lines(), number, author=author, role=role, time=self.time(), reason=reason)
        self._intend(origin)
        before = self._hall.read()
        after = without_name(before, name, f"Entrant {number}")
        if after != before:
            self._hall.replace(after)
        try:
            return self._log.erase(number, author=author, role=role, reason=reason)
        finally:
            self._load()

    def write_hall(self, command: HallAction, origin: Origin) -> HallEntry:
        """One command into the hall's file. Raises ChampionshipError."""
        entry = HallEntry(
            len(self.hall_entries) + 1,
            len(self.entries),
            self.time(),
            origin.author,
            origin.key.role,
            origin.key.id,
            origin.id,
            origin.digest,
            command,
        )
        self._hall.append(msgspec.json.encode(entry))
        self._keep(entry)
        self.now = replace(self.now, hall=fold(self.now.hall, entry))
        return entry

    def make_key(self, role: Role, label: str, table: int | None, by: str) -> tuple[str, Key]:
        """A new key: the secret, which is kept nowhere, and the key. Raises HallError."""
        secret, key = new_key(role, label, table, by, self.time(), self.now.access.keys)
        self._write_access(self.now.access.with_key(key))
        return secret, key

    def revoke(self, number: str) -> None:
        """A key opens nothing any more. Raises HallError."""
        self._write_access(self.now.access.without(number, self.time()))

    def take_added_keys(self) -> None:
        """Take over the keys that were made from outside meanwhile. Raises ChampionshipError."""
        access = with_added(self.files, self.now.access)
        if access is not self.now.access:
            self._write_access(access)

    def keep_pins(self, pins: Pins) -> None:
        """The PINs of referees, and what was tried. Raises ChampionshipError."""
        self._write_access(replace(self.now.access, pins=pins))

    def try_pin(self, referee: str, pin: str, place: str) -> bool:
        """Whether this is a referee's PIN; wrong ones make the place wait. Raises ChampionshipError."""
        before = self.now.access.pins
        right, pins = before.tried(referee, pin, place, self.time())
        if pins != before:
            self.keep_pins(pins)
        return right

    def _write_access(self, access: Access) -> None:
        write_access(self.files, access)
        self.now = replace(self.now, access=access)

    def personal_keys(self) -> PersonalKeys:
        """The personal keys of all entrants. Raises ChampionshipError."""
        return read_personal(self.files)

    def renew_personal_key(self, number: int) -> None:
        """An entrant gets another personal key; the old one opens nothing. Raises ChampionshipError."""
        self.now.state.participant(number)
        write_personal(self.files, self.personal_keys().with_new_key(number))
        self.now = replace(self.now)

    def seed_of(self, commitment: str) -> str:
        """The seed that was kept for a commitment; empty if none was."""
        return KeptSecrets(self.files).secret_of(commitment)

    def keep_seed(self, action: AnnounceDraw | AnnounceDeals, seed: str) -> None:
        """A seed that the server made, on the disk before draw or deals are announced."""
        KeptSecrets(self.files).keep(action.commitment, seed)

    def has_photo(self, photo: str) -> bool:
        """Whether a photo was sent."""
        return self.files.has(f"{PHOTOS}/{photo}")

    def keep_photo(self, data: bytes) -> str:
        """A photo under the hash of its bytes: sent twice, it is there once. Raises ChampionshipError."""
        name = hashlib.sha256(data).hexdigest()
        if not self.has_photo(name):
            self.files.put(f"{PHOTOS}/{name}", data)
        return name

    def photo(self, name: str) -> bytes | None:
        """A photo's bytes; None if there is none of this name."""
        return self.files.get(f"{PHOTOS}/{name}")

    def lines(self) -> list[bytes]:
        """The log's lines as they are kept."""
        return self.files.lines(LOG).read()

    def close(self) -> None:
        """Let others write."""
        self.files.close()


def without_name(lines: Sequence[bytes], name: str, alias: str) -> list[bytes]:
    """Lines of JSON with a name replaced wherever it stands as a whole."""
    pattern = re.compile(r"(?<!\w)" + re.escape(name) + r"(?!\w)")

    def changed(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda _: alias, value)
        if isinstance(value, dict):
            return {key: changed(each) for key, each in value.items()}
        return [changed(each) for each in value] if isinstance(value, list) else value

    return [
        msgspec.json.encode(changed(msgspec.json.decode(line))) if pattern.search(line.decode()) else line
        for line in lines
    ]


def digest_of(value: Any) -> str:
    """What a command is recognised by when its id comes again."""
    try:
        text = msgspec.json.encode(value, order="deterministic")
    except TypeError:  # Numbers as keys cannot be put in order; as text they can.
        text = msgspec.json.encode(msgspec.to_builtins(value, str_keys=True), order="deterministic")
    return hashlib.sha256(text).hexdigest()[:32]


def version_of(number: int, afters: Sequence[int]) -> int:
    """The version after an entry of the log; `afters` says for each hall entry how long the log was then.

    Every entry of either file makes one version, in the order they were written.
    """
    return number + bisect_left(afters, number)
