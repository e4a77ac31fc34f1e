"""How long a first start takes, and how much room: from nothing to the first page and a bot's first move.

    python bench/first_start.py                      # a checkout, and its wheel by pip and by uv
    python bench/first_start.py --against eff448c    # and an older revision beside it
    python bench/first_start.py --kind checkout --repeat 3

Every start has a folder of its own with a fresh clone of what is committed, an empty home and empty caches;
of the environment it keeps the search path, certificates and the settings of pip, uv and npm. The clock runs
from `python3 run.py`, or from making the virtual environment for a wheel; building the wheel is not
counted. Then somebody opens the first page, opens a table against a bot of level `club`, draws, and waits for
the bot's move. Megabytes are those of the environment (`.venv`) and of everything together, home and caches
included, when the bot has moved. `processor` is the processor time of all processes until the first page,
which says more than the clock where others use the machine too. `compiled` is when the server says that its
kernels are.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.game.actions import Draw  # noqa: E402
from meldroom.rooms.protocol import commands  # noqa: E402
from meldroom.rooms.protocol.answers import Message, RoomView, Update  # noqa: E402
from testkit.server.client import Live, Visitor, visit  # noqa: E402
from testkit.server.process import ServerProcess, free_port  # noqa: E402
from testkit.server.process_tree import processor_time as family_time  # noqa: E402

KINDS = ("checkout", "pip", "uv")
PATIENCE = 900.0
KEPT = re.compile(r"PATH|LANG|LC_ALL|TZ|TMPDIR|.*_PROXY|.*_proxy|.*_CA_.*|SSL_.*|PIP_.*|UV_.*|npm_.*")
COMPILED = "kernels are compiled"
COMPILING = "Compiling kernels"


class Start(NamedTuple):
    """One first start: seconds to the page, by the clock and of processors, to the bot's move, to compiled
    kernels; megabytes."""

    page: float
    processor: float
    move: float
    compiled: float | None
    environment: float
    everything: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Start as often as asked and print the figures."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--revision", default="HEAD", help="what is measured")
    parser.add_argument("--against", metavar="REV", help="an older revision to compare with")
    parser.add_argument("--kind", action="append", choices=KINDS, help="how it is installed; may be repeated")
    parser.add_argument("--repeat", type=int, default=1, help="starts of each; the median counts")
    parser.add_argument("--python", default=system_python(), help="the Python to start with")
    parser.add_argument("--compiled", action="store_true", help="wait for compiled kernels too")
    options = parser.parse_args(arguments)
    kinds = options.kind or KINDS
    print(f"load before: {', '.join(f'{one:.2f}' for one in os.getloadavg())}; {os.cpu_count()} processors")
    print("| revision | kind | first page | processor | bot's move | compiled | environment | everything |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    found: dict[tuple[str, str], Start] = {}
    with tempfile.TemporaryDirectory(prefix="meldroom-wheels-") as wheels:
        for revision in filter(None, (options.against, options.revision)):
            wheel = None
            if set(kinds) - {"checkout"}:
                wheel = built_wheel(revision, Path(wheels) / revision, options.python)
            for kind in kinds:
                starts = [
                    first_start(revision, kind, wheel, options.python, options.compiled)
                    for _ in range(options.repeat)
                ]
                found[revision, kind] = middle(starts)
                print(f"| {revision} | {kind} | {row(found[revision, kind])} |", flush=True)
    if options.against:
        for kind in kinds:
            old, new = found[options.against, kind], found[options.revision, kind]
            print(
                f"{kind}: first page {old.page / new.page:.1f} times as soon "
                f"({old.processor / new.processor:.1f} times less work), "
                f"bot's move {old.move / new.move:.1f} times as soon, "
                f"environment {new.environment / old.environment:.0%}"
            )
    return 0


def middle(starts: Sequence[Start]) -> Start:
    """The median of each figure."""
    compiled = [one.compiled for one in starts if one.compiled is not None]
    return Start(
        median(one.page for one in starts),
        median(one.processor for one in starts),
        median(one.move for one in starts),
        median(compiled) if compiled else None,
        median(one.environment for one in starts),
        median(one.everything for one in starts),
    )


def row(start: Start) -> str:
    """The figures of one start as cells."""
    compiled = "" if start.compiled is None else f"{start.compiled:.1f} s"
    return (
        f"{start.page:.1f} s | {start.processor:.1f} s | {start.move:.1f} s | {compiled} | "
        f"{start.environment:.0f} MB | {start.everything:.0f} MB"
    )


def first_start(revision: str, kind: str, wheel: Path | None, python: str, until_compiled: bool) -> Start:
    """One start in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="meldroom-first-start-") as name:
        place = Path(name)
        home = place / "start" / "home"
        home.mkdir(parents=True)
        environment = bare_environment(home)
        port = free_port()
        serve = ["serve", "--port", str(port), "--data", str(home / "data")]
        log = place / "log"
        if kind == "checkout" or wheel is None:
            clone = place / "start" / "clone"
            cloned(revision, clone)
            folder, steps = clone / ".venv", [[python, "run.py", *serve]]
        else:
            clone, folder = place / "start", place / "start" / "venv"
            steps = [
                *installing(kind, wheel, folder, python, place),
                [str(folder / "bin" / "meldroom"), *serve],
            ]
        began, used = time.monotonic(), processor_time()
        with log.open("wb") as out:
            for step in steps[:-1]:
                subprocess.run(step, cwd=clone, env=environment, stdout=out, stderr=out, check=True)
            server = subprocess.Popen(
                steps[-1], cwd=clone, env=environment, stdout=out, stderr=out, start_new_session=True
            )
            try:
                wait_for_page(server, port, log)
                page = time.monotonic() - began
                processor = processor_time(server.pid) - used
                asyncio.run(asyncio.wait_for(first_move(port, place), PATIENCE))
                move = time.monotonic() - began
                sizes = megabytes(folder), megabytes(place / "start")
                compiled = wait_for_compiled(server, began, log) if until_compiled else None
            finally:
                server.terminate()
                server.wait(60)
        return Start(page, processor, move, compiled, *sizes)


def processor_time(pid: int | None = None) -> float:
    """Seconds of processor time of all children that have ended, and of a process with all it has started."""
    ended = os.times()
    return (
        ended.children_user
        + ended.children_system
        + (family_time(pid, ended=True) if pid is not None else 0.0)
    )


def bare_environment(home: Path) -> dict[str, str]:
    """This environment with an empty home and empty caches."""
    kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    own = str(Path(sys.executable).parent)
    path = [folder for folder in kept.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    kept["PATH"] = os.pathsep.join(path)
    return {**kept, "HOME": str(home), "MELDROOM_LANG": "en"}


def system_python() -> str:
    """The python3 that somebody without this project's environment has."""
    found = shutil.which("python3", path=bare_environment(Path())["PATH"])
    return found or sys.executable


def cloned(revision: str, folder: Path) -> None:
    """A fresh clone of a revision."""
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], check=True)
    # A revision of a branch elsewhere is there too, by its number.
    number = subprocess.run(
        ["git", "rev-parse", revision], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    subprocess.run(["git", "checkout", "--quiet", "--detach", number], cwd=folder, check=True)


def built_wheel(revision: str, folder: Path, python: str) -> Path:
    """The wheel of a revision, built as pip builds it: in isolation."""
    clone, home = folder / "clone", folder / "home"
    home.mkdir(parents=True)
    cloned(revision, clone)
    subprocess.run(
        [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(clone)],
        env={**bare_environment(home), "MELDROOM_QUICK_BUILD": "1"},
        stderr=subprocess.DEVNULL,
        check=True,
    )
    (found,) = folder.glob("*.whl")
    return found


def installing(kind: str, wheel: Path, folder: Path, python: str, place: Path) -> list[list[str]]:
    """The steps that install a wheel with all that playing takes."""
    metadata = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], capture_output=True, text=True, check=True
    )
    assert "meldroom/server/pages/index.html" in metadata.stdout, "the pages are missing from the wheel"
    wanted = str(wheel) if brings_server(wheel) else f"{wheel}[cli,play,server]"
    if kind == "pip":
        steps = [[python, "-m", "venv", str(folder)]]
        return [*steps, [str(folder / "bin" / "pip"), "install", "--quiet", wanted]]
    tools = place / "tools"
    subprocess.run([python, "-m", "venv", str(tools)], check=True)
    subprocess.run(
        [str(tools / "bin" / "pip"), "install", "--quiet", "uv"], stderr=subprocess.DEVNULL, check=True
    )
    uv = str(tools / "bin" / "uv")
    install = [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), wanted]
    return [[uv, "venv", "--quiet", "--python", python, str(folder)], install]


def brings_server(wheel: Path) -> bool:
    """Whether the wheel requires a server without being asked to."""
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    return any(line.startswith("Requires-Dist: litestar") and "extra ==" not in line for line in lines)


def wait_for_page(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Ask for the first page until it comes."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
                if b'<div id="app"' in page.read():
                    return
        except (OSError, urllib.error.URLError):
            pass
        if server.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"there was no first page:\n{log.read_text(errors='replace')}")


def wait_for_compiled(server: subprocess.Popen[bytes], began: float, log: Path) -> float | None:
    """Seconds until the server said that its kernels are compiled; None if it never compiles any."""
    if COMPILING not in log.read_text(errors="replace"):
        return None
    while server.poll() is None and time.monotonic() - began < PATIENCE:
        if COMPILED in log.read_text(errors="replace"):
            return time.monotonic() - began
        time.sleep(0.1)
    return None


async def opened_room(server: ServerProcess, visitor: Visitor) -> str:
    """A room against a bot, asked for in words that older revisions know too; its code."""
    table = {"settings": {"book": "wrc11"}, "chairs": ["me", "club"], "begin": True}
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        answer = await http.post("/api/v1/rooms", json=table, headers={"Cookie": visitor.cookie})
        answer.raise_for_status()
        return str(answer.json()["room"])


async def first_move(port: int, folder: Path) -> None:
    """Open a table against a bot, draw, and wait until the bot has moved."""
    server = ServerProcess(folder / "unused", port=port)
    somebody = await visit(server, "Ada")
    room = await opened_room(server, somebody)
    moved = asyncio.Event()
    seen: list[RoomView] = []
    mine: asyncio.Queue[RoomView] = asyncio.Queue()

    def hear(message: Message) -> None:
        if not isinstance(message, Update) or message.view.game is None:
            return
        game, me = message.view.game, message.view.me
        if game.seat == me:
            if any(before.game is not None and before.game.seat != me for before in seen):
                moved.set()
            elif message.view.starts_at is None:
                mine.put_nowait(message.view)
        seen.append(message.view)

    async with Live(server, somebody, hear=hear) as live:
        await live.do(commands.Enter(id=live.next_id(), room=room))
        await live.do(commands.Ready(id=live.next_id(), room=room, rev=seen[-1].rev))
        waiting = asyncio.create_task(moved.wait())
        while not moved.is_set():
            turn = asyncio.create_task(mine.get())
            await asyncio.wait({turn, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                turn.cancel()
                break
            view = turn.result()
            assert view.me is not None
            await live.do(commands.Act(id=live.next_id(), room=room, rev=view.rev, action=Draw(seat=view.me)))


def megabytes(folder: Path) -> float:
    """What a folder takes on the disk; a file with two names counts once."""
    seen: dict[tuple[int, int], int] = {}
    for path in folder.rglob("*"):
        found = path.lstat()
        seen[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(seen.values()) / 2**20


if __name__ == "__main__":
    sys.exit(main())
