"""A bot on a Meldroom server, over the same socket as every browser: it plays one game and says how it went.

    MELDROOM_TOKEN=meld_… python examples/bots/live_bot.py http://127.0.0.1:8000 --book wrc11 --against club
    MELDROOM_TOKEN=meld_… python examples/bots/live_bot.py http://127.0.0.1:8000 --room k3f9qz

With a room's code it takes a free seat there; without one it opens a room against a bot of the server. It
lays whole sets from its rack and draws otherwise; in Rummy-O it only takes and discards. It needs the package
websockets.
"""

import argparse
import itertools
import json
import os
import time
import urllib.request
from collections import defaultdict
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

Message = dict[str, Any]


def main() -> None:
    """Play one game."""
    words = argparse.ArgumentParser(description="Plays one game on a Meldroom server.")
    words.add_argument("server", help="the server's address, such as http://127.0.0.1:8000")
    words.add_argument("--room", help="the code of a room with a free seat")
    words.add_argument("--book", default="wrc11", help="the rule book of a room of its own")
    words.add_argument("--against", default="club", help="the level of the server's bot")
    asked = words.parse_args()
    bot = LiveBot(asked.server.rstrip("/"), os.environ["MELDROOM_TOKEN"])
    room = asked.room or bot.open_room(asked.book, asked.against)
    end = bot.play(room)
    result = end["game"]["result"]
    print(f"Game {end['record']} is over: scores {result['scores']}, won by seats {result['winners']}.")


class LiveBot:
    """One player of a server, known by their token."""

    def __init__(self, server: str, token: str) -> None:
        self.server = server
        self.token = token
        self.faces: dict[str, list[str]] = {}
        self.needed: dict[str, int] = {}
        for book in self.request("/catalogue")["books"]:
            self.faces[book["id"]] = book["tiles"]
            self.needed[book["id"]] = book["opening_points"]

    def request(self, path: str, body: Message | None = None) -> Message:
        """The answer to a request over HTTP; a POST if there is a body."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.server}/api/v1{path}", data, headers)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            found: Message = json.load(answer)
            return found

    def open_room(self, book: str, level: str) -> str:
        """A room of one's own against a bot; the game begins at once."""
        settings = {"book": book, "games": 1}
        opened = self.request("/rooms", {"settings": settings, "chairs": ["me", level], "begin": True})
        return str(opened["room"])

    def play(self, room: str) -> Message:
        """Play until the game is over, through broken connections too; the last view of the room."""
        game = Game(self, room)
        while True:
            try:
                with connect(self.server.replace("http", "ws", 1) + "/api/v1/live", max_size=None) as socket:
                    return game.go_on(socket)
            except (ConnectionClosed, OSError):
                time.sleep(1)  # the game waits, and the server tells what was missed


class Game:
    """What the bot remembers of its game from one connection to the next."""

    def __init__(self, bot: LiveBot, room: str) -> None:
        self.bot = bot
        self.room = room
        self.seq: int | None = None
        self.view: Message = {}
        self.asked_at = -2  # the revision at which the bot has acted last, and how often it tried there
        self.tries = 0
        self.ids = itertools.count(time.time_ns())  # never used before, not even by an earlier run

    def go_on(self, socket: Any) -> Message:
        """Say hello, enter, and act whenever it is one's turn, until the game is over."""
        self.say(socket, do="hello", version=2, token=self.bot.token)
        self.say(socket, do="enter", room=self.room, since=self.seq)
        for frame in socket:
            message = json.loads(frame)
            if message["type"] == "update":
                self.view, self.seq = message["view"], message["seq"]
                if self.view["stage"] == "over":
                    return self.view
                self.sit_or_act(socket)
            elif message["type"] == "refused":
                print("refused:", message["error"]["message"])
                if not self.view or self.tries > 1:
                    raise SystemExit("The bot does not know what else to do.")
                self.asked_at = -1
                self.sit_or_act(socket)
        raise OSError("the connection has ended")

    def sit_or_act(self, socket: Any) -> None:
        """Take a free seat, or act if it is one's turn and nothing has been done about it yet."""
        view, game = self.view, self.view["game"]
        if view["stage"] == "waiting" and view["me"] is None:
            free = [number for number, seat in enumerate(view["seats"]) if seat["kind"] == "open"]
            self.say(socket, do="sit", room=self.room, seat=free[0], word="the word of a bot")
        elif view["me"] is not None and view.get("starts_at") and view["me"] not in view["ready"]:
            self.say(socket, do="ready", room=self.room, rev=view["rev"])  # nobody has to wait for a program
        elif game and game["seat"] == view["me"] and view["rev"] != self.asked_at:
            self.tries = self.tries + 1 if self.asked_at == -1 else 0
            self.asked_at = view["rev"]
            action = self.decide(game) if self.tries == 0 else self.wait(game)
            self.say(socket, do="act", room=self.room, rev=view["rev"], action=action)

    def say(self, socket: Any, **command: Any) -> None:
        """Send a command under an id of its own."""
        socket.send(json.dumps({"id": str(next(self.ids)), **command}))

    def decide(self, game: Message) -> Message:
        """Lay all sets of the rack, if they are enough; else what can always be done."""
        faces = self.bot.faces[game["book"]["id"]]
        sets = whole_sets(game["rack"], faces) if game["phase"] == "turn" else []
        points = sum(int(faces[tile][1:]) for one in sets for tile in one)
        opened = game["melded"][game["me"]]
        if sets and (opened or points >= self.bot.needed[game["book"]["id"]]):
            return {"action": "lay", "seat": game["me"], "table": [*game["table"], *sets]}
        return self.wait(game)

    def wait(self, game: Message) -> Message:
        """Draw, or pass; in Rummy-O take a tile from the stock, and discard the first one."""
        match game["phase"]:
            case "take":
                return {"action": "take", "seat": game["me"], "source": "stock"}
            case "play" | "opening_discard":
                return {"action": "discard", "seat": game["me"], "tile": game["rack"][0]}
            case _:
                return {"action": "draw" if game["pool_size"] else "pass", "seat": game["me"]}


def whole_sets(rack: list[int], faces: list[str]) -> list[list[int]]:
    """Runs first, then groups, that lie complete on the rack; no jokers, and no tile twice."""
    left = {faces[tile]: tile for tile in rack if faces[tile] != "*"}
    sets: list[list[int]] = []
    for colour in sorted({face[0] for face in left}):
        numbers = sorted(int(face[1:]) for face in left if face[0] == colour)
        for _, run in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
            names = [f"{colour}{number}" for _, number in run]
            if len(names) >= 3:
                sets.append([left.pop(name) for name in names])
    by_number: dict[str, list[str]] = defaultdict(list)
    for name in left:
        by_number[name[1:]].append(name)
    return sets + [[left[name] for name in names] for names in by_number.values() if len(names) >= 3]


if __name__ == "__main__":
    main()
