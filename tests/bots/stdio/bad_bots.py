"""Bots that do everything wrong that a program can: `python bad_bots.py NAME`. Standard library only."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Act = Callable[[Message], None]

HOUR = 3600.0


def say(answer: Any) -> None:
    """One line of JSON."""
    write(json.dumps(answer).encode())


def write(line: bytes) -> None:
    """One line of anything; a pipe that is gone ends the bot as it ends most programs."""
    view = memoryview(line + b"\n")
    while view:
        view = view[os.write(1, view) :]


def listen(act: Act) -> None:
    """Shake hands politely, then do what the bot does whenever something is asked."""
    turn: Message = {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready", "id": message["id"], "protocol": 1, "name": sys.argv[1]})
        elif message["type"] == "quit":
            return
        elif message["type"] == "turn" or message.get("again"):
            turn = message if message["type"] == "turn" else turn
            act({**turn, **message})


def waits(message: Message, **other: Any) -> Message:
    """The answer that is always possible under a rearranging book."""
    kind = "pass" if "pass" in message["actions"] else "draw"
    return {"type": kind, "id": message["id"], **other}


def crashes(message: Message) -> None:
    """Every turn is one too many."""
    raise SystemExit("a bug: " + "very " * 5000 + "bad")


def hangs(message: Message) -> None:
    """Thinks for an hour."""
    time.sleep(HOUR)


def late(message: Message) -> None:
    """Answers, but only after its time, and so always to an older request."""
    if message["type"] == "turn":
        time.sleep(float(message["seconds"]) + 0.05)
    say({"type": "lay", "id": message["id"], "table": []})


def prints_garbage(message: Message) -> None:
    """Talks to itself on standard output."""
    write(b"thinking...")
    write(b"\x00\x01\x02 \x7f")
    write(b"{")


def not_utf8(message: Message) -> None:
    """Bytes that are no text, outside and inside a message."""
    write(b"\xff\xfe\xfd")
    write(b'{"type":"draw","id":%d,"note":"\xff\xff"}' % message["id"])


def no_object(message: Message) -> None:
    """JSON, but no message."""
    for text in ("null", "[]", "7", '"draw"', "NaN", "-Infinity", '{"type":null}', '{"type":"draw"}', "{}"):
        write(text.encode())


def wrong_types(message: Message) -> None:
    """Messages whose fields are of the wrong kind."""
    number = message["id"]
    for answer in (
        {"type": "draw", "id": str(number)},
        {"type": "draw", "id": None},
        {"type": "draw", "id": 1e300},
        {"type": "lay", "id": number},
        {"type": "lay", "id": number, "table": "R1 R2 R3"},
        {"type": "lay", "id": number, "table": [[1, 2, 3]]},
        {"type": "lay", "id": number, "table": [], "stated": {"x": []}},
        {"type": "play", "id": number, "melds": [{}], "discard": 5},
    ):
        say(answer)
    write(b'{"type":"draw","id":%s}' % (b"9" * 5000))


def future_ids(message: Message) -> None:
    """Answers questions that nobody asks. (A bot that guesses the next id only fools itself.)"""
    say(waits({**message, "id": message["id"] + 10**6}))
    say(waits({**message, "id": 10**30}))


def old_ids(message: Message) -> None:
    """Answers only what was asked before."""
    for number in range(-5, message["id"]):
        say(waits({**message, "id": number}))


def deep_nesting(message: Message) -> None:
    """Brackets without end."""
    write(b'{"type":"draw","id":%d,"x":' % message["id"] + b"[" * 200_000 + b"]" * 200_000 + b"}")
    write(b"[" * 400_000)
    write(b'{"a":' * 100_000)


def enormous(message: Message) -> None:
    """A good answer in a line of two megabytes."""
    say(waits(message, padding="x" * 2_000_000))


def endless_line(message: Message) -> None:
    """A line that never ends."""
    while True:
        os.write(1, b"x" * 65536)


def floods_stdout(message: Message) -> None:
    """Lines that never end: some garbage, some good for an older request."""
    while True:
        write(b'{"type":"draw","id":0}\n' * 1000)


def floods_stderr(message: Message) -> None:
    """A log that never ends."""
    while True:
        os.write(2, b"debug: still thinking \xff\n" * 2000)


def floods_between_turns(message: Message) -> None:
    """Answers, and then talks on until it must be stopped."""
    say(waits(message))
    floods_stdout(message)


def half_a_line(message: Message) -> None:
    """Begins an answer and never ends it."""
    os.write(1, b'{"type":"draw","id":%d' % message["id"])


def closes_stdout(message: Message) -> None:
    """Goes on, but without a voice."""
    os.close(1)
    time.sleep(HOUR)


def closes_stdin(message: Message) -> None:
    """Answers once, then goes on without ears."""
    say(waits(message))
    os.close(0)
    time.sleep(HOUR)


def closes_everything(message: Message) -> None:
    """Goes on without any pipe."""
    for number in (0, 1, 2):
        os.close(number)
    time.sleep(HOUR)


def leaves_a_child(message: Message) -> None:
    """Ends, but a child of its own keeps the pipes open and would live on."""
    subprocess.Popen([sys.executable, "-I", "-c", f"import time; time.sleep({HOUR})"])
    os._exit(3)


def another_seat(message: Message) -> None:
    """Plays for the other side."""
    say(waits(message, seat=1))


def referee(message: Message) -> None:
    """Asks for what only the referee and the clock may do."""
    for kind in ("abandon", "correct", "time_out", "rule_leftovers", "new_game", "quit", "hello", "ready"):
        say({"type": kind, "id": message["id"], "reason": "I win", "seat": 0, "protocol": 1})


def fouls(message: Message) -> None:
    """Breaks the rules on purpose, with one tile out of place, as long as there are tiles to draw."""
    if message["view"]["pool_size"] == 0:
        say(waits(message))
        return
    table = [*message["view"]["table"], message["view"]["rack"][:1]]
    say({"type": "time_out", "id": message["id"], "table": table})


def foreign_tiles(message: Message) -> None:
    """Lays what it does not hold."""
    table = [*message["view"]["table"], ["K10", "K11", "K12", "K13"]]
    say({"type": "lay", "id": message["id"], "table": table})


def same_tile_often(message: Message) -> None:
    """Lays one tile again and again."""
    tile = message["view"]["rack"][0]
    say({"type": "lay", "id": message["id"], "table": [[tile] * 3, [tile + "!"] * 3]})


def no_tiles(message: Message) -> None:
    """Lays words that are no tiles."""
    for words in (["Q1", "R99", "?"], [""], ["R7''''"], ["*!'"], ["R7 R8 R9"], ["R" + "7" * 100_000]):
        say({"type": "lay", "id": message["id"], "table": [words]})


def too_many_tiles(message: Message) -> None:
    """A table larger than the box, and one of empty sets."""
    say({"type": "lay", "id": message["id"], "table": [["R1"] * 5000] * 10})
    say({"type": "lay", "id": message["id"], "table": [[]] * 200_000})


def clears_the_table(message: Message) -> None:
    """Takes everything off the table."""
    say({"type": "lay", "id": message["id"], "table": []})


def illegal(message: Message) -> None:
    """Lays its first two tiles as a set and insists on it."""
    view = message["view"]
    say({"type": "lay", "id": message["id"], "table": [*view["table"], view["rack"][:2]]})


def illegal_then_silent(message: Message) -> None:
    """Leaves an illegal table behind and says no more."""
    if message["type"] == "turn":
        illegal(message)


def illegal_then_draws(message: Message) -> None:
    """Takes the refusal and draws: the one here that learns."""
    if message["type"] == "turn":
        illegal(message)
    else:
        say(waits(message))


def answers_twice(message: Message) -> None:
    """Says the same thing twice: the second is an answer to an older request by then."""
    say(waits(message))
    say(waits(message))


def letter_by_letter(message: Message) -> None:
    """A good answer, in small pieces."""
    for byte in json.dumps(waits(message)).encode() + b"\n":
        os.write(1, bytes([byte]))


def chatty(message: Message) -> None:
    """A good answer after a few words of its own, empty lines and unknown fields."""
    write(b"my rack looks fine today")
    write(b"")
    say(waits(message, mood="good", nested={"a": [1, 2, {"b": None}]}))


def withdraws(message: Message) -> None:
    """Leaves the game, which a player may."""
    say({"type": "withdraw", "id": message["id"]})


def eats_memory(message: Message) -> None:
    """Takes memory until there is none."""
    held = []
    while True:
        held.append(bytearray(50_000_000))


def burns_cpu(message: Message) -> None:
    """Thinks as hard as it can and never stops."""
    while True:
        pass


def silent() -> None:
    """Never shakes hands."""
    time.sleep(HOUR)


def crashes_at_once() -> None:
    """Does not even start."""
    raise SystemExit("no such opening book")


def wrong_version() -> None:
    """Speaks a language nobody else does."""
    hello = json.loads(sys.stdin.readline())
    say({"type": "ready", "id": hello["id"], "protocol": 99})
    time.sleep(HOUR)


def greets_with_garbage() -> None:
    """Says a thousand things before it would say that it is ready."""
    for _ in range(1000):
        write(b"Welcome to my bot!")
    time.sleep(HOUR)


def never_quits() -> None:
    """Plays well and goes on for ever."""
    listen(lambda message: say(waits(message)))
    time.sleep(HOUR)


STARTS: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (silent, crashes_at_once, wrong_version, greets_with_garbage, never_quits)
}

if __name__ == "__main__":
    if sys.argv[1] in STARTS:
        STARTS[sys.argv[1]]()
    else:
        listen(globals()[sys.argv[1]])
