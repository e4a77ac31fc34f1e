"""Which source files a browser turn and a championship result pass through, counted on a real server.

    python bench/flow_files.py                       # this checkout
    python bench/flow_files.py --source ../old/src   # another one, to compare
    python bench/flow_files.py --list                # with the names of the files

The server runs with a profiler that notes every function called, in every thread, between two signals. The
client is an ordinary one: it lays an opening over the socket, and enters a result over HTTP.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.server.clerks import CLUB  # noqa: E402

HOOK = """
import json, os, signal, sys, threading
import meldroom
HOME = os.path.dirname(meldroom.__file__)
noting, files = [False], set()
def note(frame, event, argument):
    if noting[0] and event == "call" and frame.f_code.co_filename.startswith(HOME):
        files.add(frame.f_code.co_filename[len(HOME) + 1:])
def begin(*_):
    files.clear()
    noting[0] = True
def end(*_):
    noting[0] = False
    out = os.environ["FLOW_FILES"]
    with open(out + ".part", "w") as handle:
        json.dump(sorted(files), handle)
    os.replace(out + ".part", out)
signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, end)
threading.setprofile(note)
sys.setprofile(note)
from meldroom.cli import main
main()
"""


class TracedServer:
    """A server in a process of its own whose calls can be noted."""

    def __init__(self, source: Path, folder: Path, port: int) -> None:
        self.out = folder / "files.json"
        self.address = f"http://127.0.0.1:{port}"
        environment = {**os.environ, "PYTHONPATH": str(source), "FLOW_FILES": str(self.out)}
        command = [sys.executable, "-c", HOOK, "serve", "--port", str(port), "--data", str(folder / "data")]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.address}/readyz", timeout=2)
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def begin(self) -> None:
        """Note calls from here on."""
        self.process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)

    def end(self) -> list[str]:
        """The files in which functions were called since `begin`."""
        time.sleep(0.5)
        self.out.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR2)
        while not self.out.exists():
            time.sleep(0.05)
        found: list[str] = json.loads(self.out.read_text())
        return found


class Client:
    """HTTP with a session cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        """The JSON answer to a POST."""
        asked = urllib.request.Request(
            f"{self.address}/api/v1{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": self.address, **headers},
        )
        with self.opener.open(asked, timeout=30) as answer:
            return json.load(answer)


def browser_turn(server: TracedServer) -> list[str]:
    """The files that an opening laid over the socket passes through."""
    from examples.bots.live_bot import Game, LiveBot

    client = Client(server.address)
    client.post("/session", {"name": "Ada"})
    token = client.post("/tokens", {"label": "flow"})["secret"]
    bot = LiveBot(server.address, token)
    room = bot.open_room("wrc11", "beginner")
    game = Game(bot, room)
    with connect(server.address.replace("http", "ws", 1) + "/api/v1/live", max_size=None) as socket:
        game.say(socket, do="hello", version=game_version(), token=token)
        game.say(socket, do="enter", room=room)
        for frame in socket:
            message = json.loads(frame)
            if message["type"] != "update":
                continue
            game.view = message["view"]
            state = game.view["game"]
            if not state or state["seat"] != game.view["me"]:
                continue
            action = game.decide(state)
            traced = action["action"] == "lay"
            if traced:
                server.begin()
            game.say(socket, do="act", room=room, rev=game.view["rev"], action=action)
            if traced:
                for answer in socket:
                    if json.loads(answer)["type"] == "update":
                        return server.end()
    raise SystemExit("no turn was laid")


def game_version() -> int:
    """The protocol version that the example bot speaks."""
    return int(os.environ.get("FLOW_PROTOCOL", "2"))


def championship_result(server: TracedServer, prefix: str, key_header: str) -> list[str]:
    """The files that a result entered over HTTP passes through."""
    client, ids = Client(server.address), count(1)
    client.post("/session", {"name": "Olga"})
    made = client.post(prefix, {"name": "Club Open", "by": "Olga", "date": "2026-11-15", "format_toml": CLUB})
    home, key = f"{prefix}/{made['code']}", made["key"]

    def do(key: str, name: str, **what: Any) -> Any:
        path, field = ("/acts", "act") if prefix == "/events" else ("/commands", "command")
        body = {"id": f"flow-{next(ids):05d}", field: {"do": name, **what}}
        return client.post(home + path, body, **{key_header: key})

    def key_for(role: str) -> str:
        asked = {"role": role, "label": role, "table": None}
        return str(client.post(f"{home}/keys", asked, **{key_header: key})["key"])

    director, scorer = key_for("director"), key_for("scorer")
    names = ("Ada", "Ben", "Chi", "Dev", "Eve", "Fay", "Gus", "Hal")
    do(key, "import_entrants", csv="name\n" + "\n".join(names) + "\n")
    for number in range(1, len(names) + 1):
        do(key, "check_in", number=number)
    do(director, "announce_draw", seed="an example")
    do(director, "reveal")
    server.begin()
    do(scorer, "enter_result", stage="evening", sitting=1, table=1, game=1, scores=[60, -10, -20, -30])
    return server.end()


def main() -> None:
    """Trace both flows and print how many files each passes through."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--source", type=Path, default=ROOT / "src", help="the src folder to trace")
    options.add_argument("--port", type=int, default=8765)
    options.add_argument("--prefix", default="/championships", help="the path of championships in the API")
    options.add_argument("--key-header", default="X-Championship-Key")
    options.add_argument("--list", action="store_true", help="print the names of the files too")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = TracedServer(asked.source.resolve(), Path(folder), asked.port)
        try:
            # The result first: no table is playing yet that would add files of its own.
            flows = {
                "a championship result": championship_result(server, asked.prefix, asked.key_header),
                "a browser turn": browser_turn(server),
            }
        finally:
            server.process.terminate()
            server.process.wait()
    for name, files in flows.items():
        print(f"{name}: {len(files)} files")
        if asked.list:
            print("\n".join(f"  {file}" for file in files))


if __name__ == "__main__":
    main()
