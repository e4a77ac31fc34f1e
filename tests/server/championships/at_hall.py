"""People at a championship over HTTP: each with a key, every request with an id of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.testing import TestClient

from meldroom.rooms.rate_limit import Allowance
from meldroom.server.background.printing import Printing
from meldroom.server.championships.routes import router
from meldroom.server.championships.runtime.archive import FolderArchive
from meldroom.server.championships.runtime.live import Championships
from meldroom.server.championships.runtime.stored_archive import StoredArchive
from meldroom.server.championships.runtime.transfer import import_events
from meldroom.server.championships.storage.stored import read_contents
from meldroom.server.storage import SqlStore
from meldroom.server.web.problems import HANDLERS
from meldroom.server.web.strict_body import StrictRequest
from testkit.server.clerks import CLUB as CLUB
from testkit.server.clerks import ROOT as ROOT
from testkit.server.clerks import scores as scores
from tests.server import published

_ids = count(1)
NAMES = ("Ada Lovelace", "Ben", "Chi", "Dev", "Eve", "Fay", "Gus", "Hal")
MINOR = "Eve"
LIST = "name,country,born\n" + "".join(
    f"{name},C{place},{'2015-06-01' if name == MINOR else '1990-01-01'}\n" for place, name in enumerate(NAMES)
)


@contextmanager
def serving(folder: Path, *, run: Path | None = None, stored: bool = False) -> Iterator[TestClient[Any]]:
    """A server with nothing but championships; leaving it closes every file, as a stop of the server does.

    `run` is the run.py that fetches what it lacks. `stored` keeps championships in a database in the folder.
    """
    printing = Printing(run)
    made: list[Championships] = []

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        store = app.state["store"] = await SqlStore.open(folder) if stored else None
        archive = FolderArchive(folder) if store is None else StoredArchive(store)
        made.append(Championships(archive, opening=Allowance(1000, 1000)))
        yield
        await made[0].close()
        await printing.close()
        if store is not None:
            await store.close()

    app = Litestar(
        [Router("/api/v1", route_handlers=[router])],
        dependencies={
            "championships": Provide(lambda: made[0], sync_to_thread=False),
            "container": Provide(
                lambda: SimpleNamespace(config=SimpleNamespace(hall_port=None)), sync_to_thread=False
            ),
            "printing": Provide(lambda: printing, sync_to_thread=False),
            "hall_port": Provide(lambda: None, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        request_class=StrictRequest,
        lifespan=[life],
    )
    with TestClient(app, raise_server_exceptions=True) as client:
        yield client


def bring_in(client: TestClient[Any], folder: Path) -> None:
    """Championships of a folder into the database of a server."""
    store: SqlStore = client.app.state["store"]
    with client.portal() as portal:
        portal.call(store.write, lambda connection: import_events(connection, folder))


class Person:
    """Somebody with a key, or without one."""

    def __init__(self, client: TestClient[Any], code: str, key: str = "", device: str = "") -> None:
        self.client, self.code, self.key, self.device = client, code, key, device

    def ask(self, method: str, path: str = "", status: int = 200, **more: Any) -> Any:
        """A request that must have this status; JSON if it is."""
        headers = {"X-Championship-Key": self.key} if self.key else {}
        answer = self.client.request(method, f"{ROOT}/{self.code}{path}", headers=headers, **more)
        assert answer.status_code == status, (answer.status_code, answer.text[:600])
        published.check(answer)
        kind = answer.headers.get("content-type", "").partition(";")[0]
        return answer.json() if kind == "application/json" else answer

    def get(self, path: str = "", status: int = 200, **more: Any) -> Any:
        """What a page says."""
        return self.ask("GET", path, status, **more)

    def request_of(self, do: str, *, id: str = "", **command: Any) -> dict[str, Any]:
        """A command with an id; what is about the request itself begins with an underscore."""
        own = {name[1:]: command.pop(name) for name in list(command) if name.startswith("_")}
        made = {"id": id or f"command-{next(_ids):05d}", "command": {"do": do, **command}, **own}
        return {**made, "device": self.device} if self.device else made

    def command(self, do: str, status: int = 200, *, id: str = "", **command: Any) -> Any:
        """Do something."""
        return self.ask("POST", "/commands", status, json=self.request_of(do, id=id, **command))

    def outbox(self, commands: list[dict[str, Any]]) -> list[Any]:
        """The answers to a list of commands."""
        answers: list[Any] = self.ask("POST", "/outbox", json={"commands": commands})["answers"]
        return answers

    def with_key(self, role: str, label: str, table: int | None = None, device: str = "") -> Person:
        """Somebody else, with a key that this one makes."""
        asked = {"role": role, "label": label, "table": table}
        made = self.ask("POST", "/keys", 201, json=asked)
        return Person(self.client, self.code, made["key"], device)

    def again(self, client: TestClient[Any]) -> Person:
        """The same person after a restart of the server."""
        return Person(client, self.code, self.key, self.device)


class Hall:
    """A championship that is being played, and its people by role."""

    def __init__(
        self, folder: Path, client: TestClient[Any], people: dict[str, Person], public: Person
    ) -> None:
        self.folder, self.client, self.people, self.public = folder, client, people, public
        self.organiser, self.director = people["organiser"], people["director"]
        self.referee, self.scorer = people["referee"], people["scorer"]
        self.door, self.display = people["check_in"], people["display"]

    @property
    def files(self) -> Path:
        """The championship's own folder."""
        return self.folder / self.public.code

    def lines(self, name: str) -> list[bytes]:
        """The lines of one of its files, wherever they are kept."""
        store: SqlStore | None = self.client.app.state["store"]
        if store is None:
            return (self.files / name).read_bytes().splitlines()
        with self.client.portal() as portal:
            found = portal.call(store.read, lambda one: read_contents(one, self.public.code))
        assert found is not None
        return found.lines[name]

    def sheets(self, sitting: int, tables: tuple[int, ...] = (1, 2), *, sign: bool = True) -> None:
        """Results of some tables of the evening, signed or not."""
        for table in tables:
            sheet(self.scorer, "evening", sitting, table)
            if sign:
                self.referee.command("sign_sheet", stage="evening", sitting=sitting, table=table)


def opened(client: TestClient[Any], **more: Any) -> Person:
    """The organiser of a new championship, which is played by WRC 11 unless another book is asked for."""
    day = {"name": "Club Open", "by": "Olga", "date": "2026-11-15"}
    asked = {**day, "format_toml": CLUB, "book": "wrc11", **more}
    answer = client.post(ROOT, json=asked)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Person(client, made["code"], made["key"])


def seated(organiser: Person) -> Person:
    """The director of a championship whose players are in the hall and have drawn their seats."""
    director = organiser.with_key("director", "Dana")
    organiser.command("import_entrants", csv=LIST)
    for number in range(1, len(NAMES) + 1):
        organiser.command("check_in", number=number)
    director.command("announce_draw", seed="an example")
    director.command("reveal")
    return director


def sheet(scorer: Person, stage: str, sitting: int, table: int, games: int = 2) -> None:
    """All results of a table's sitting."""
    for game in range(1, games + 1):
        place: dict[str, Any] = {"stage": stage, "sitting": sitting, "table": table, "game": game}
        scorer.command("enter_result", **place, scores=scores(10 * table + game + 100 * sitting, table - 1))
