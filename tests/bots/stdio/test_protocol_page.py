"""The page a newcomer writes a bot from says what really happens: transcripts, programs, tables, schema."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from meldroom.bots import play_game
from meldroom.bots.stdio import StdioBot
from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.failure import ErrorCode
from meldroom.game import Shuffle
from meldroom.rules.library import book
from tests.bots.stdio.tables import GREEDY, MATCHBOX, ROOT, Waits, bad_bot, verified_game

PAGE = (ROOT / "docs/bot-protocol.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The page's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


TRANSCRIPTS = [block for block in blocks("text") if "→" in block]


def as_shown(line: bytes) -> dict[str, Any]:
    """A message as the page shows it: without the book's fields, and the clock not yet begun."""
    message: dict[str, Any] = json.loads(line)
    if message["type"] == "new_game":
        message["rules"] = {}
    if "seconds" in message:
        assert 30 < message["seconds"] <= 40
        message["seconds"] = 40.0
    return message


def conversation(command: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """The page's game, line by line."""
    heard: list[tuple[str, dict[str, Any]]] = []

    def hear(way: str, line: bytes) -> None:
        heard.append(("→" if way == "to" else "←", as_shown(line)))

    with StdioBot(command, MATCHBOX, seconds=40, trace=hear) as bot:
        play_game(MATCHBOX, [bot, Waits()], Shuffle("game 260"), players=["Ada", "Bo"], starter=0)
    return heard


def told(transcript: str) -> list[tuple[str, dict[str, Any]]]:
    """A transcript of the page."""
    return [(line[0], json.loads(line[1:])) for line in transcript.splitlines()]


def test_the_whole_game_of_the_page_is_played_as_shown() -> None:
    assert conversation(GREEDY) == told(TRANSCRIPTS[0])


def test_the_refusal_of_the_page_happens_as_shown() -> None:
    assert conversation(bad_bot("illegal_then_draws"))[3:7] == told(TRANSCRIPTS[1])


def test_every_message_of_the_page_is_a_message() -> None:
    shown = [json.loads(line) for block in blocks("json") for line in block.splitlines()]
    shown += [message for block in TRANSCRIPTS for _, message in told(block)]
    assert len(shown) > 20
    for message in shown:
        if message["type"] == "new_game":
            message["rules"] = msgspec.to_builtins(wire.Rules.of(MATCHBOX))
        msgspec.convert(message, wire.FromHost | wire.FromBot)


def test_real_messages_are_of_the_types() -> None:
    host, bot = msgspec.json.Decoder(wire.FromHost), msgspec.json.Decoder(wire.FromBot)
    kinds: set[str] = set()

    def hear(way: str, line: bytes) -> None:
        message = host.decode(line) if way == "to" else bot.decode(line)
        kinds.add(str(message.__struct_config__.tag))
        if way == "to":
            assert msgspec.json.encode(message) == line

    for name in ("wrc11", "rummyo"):
        with StdioBot(GREEDY, book(name), trace=hear) as player, StdioBot(GREEDY, book(name)) as other:
            verified_game(book(name), [player, other])
    with StdioBot(bad_bot("illegal_then_draws"), MATCHBOX, trace=hear) as player:
        verified_game(MATCHBOX, [player, Waits()])
    assert kinds >= {"hello", "ready", "new_game", "turn", "refused", "game_over", "quit"}
    assert kinds >= {"draw", "lay", "take", "discard"}


def test_the_schema_beside_the_page_is_current() -> None:
    kept = json.loads((ROOT / "docs/bot-protocol.schema.json").read_text(encoding="utf-8"))
    assert kept == json.loads(msgspec.json.encode(wire.schema())), (
        "write it anew: python -m meldroom.bots --schema > docs/bot-protocol.schema.json"
    )
    printed = subprocess.run(
        [sys.executable, "-m", "meldroom.bots", "--schema"], capture_output=True, timeout=120, check=True
    )
    assert json.loads(printed.stdout) == kept


def test_the_page_names_every_message_field_limit_and_error() -> None:
    for kind in (*wire.FromHost.__args__, *wire.FromBot.__args__, wire.TableView, wire.Limits):
        tag = kind.__struct_config__.tag
        assert tag is None or re.search(rf"`{tag}`|### .*\b{tag}\b", PAGE), tag
        for field in msgspec.structs.fields(kind):
            assert re.search(rf'[`".]{field.name}[`"]', PAGE), (kind.__name__, field.name)
    for code in get_args(ErrorCode):
        assert f"`{code}`" in PAGE
    for name, value in msgspec.to_builtins(wire.Limits()).items():
        assert f'"{name}": {value}' in PAGE


def test_the_shortest_bot_plays_every_book(tmp_path: Path) -> None:
    shortest = tmp_path / "shortest.py"
    shortest.write_text(blocks("python")[0], encoding="utf-8")
    for name in ("wrc11", "tml", "rummyo"):
        rules = book(name)
        command = [sys.executable, "-I", str(shortest)]
        with StdioBot(command, rules) as one, StdioBot(command, rules) as other:
            state, _ = verified_game(rules, [one, other])
            assert one.name == "Shortest"
        assert state.over
        assert not one.failures


def test_the_pages_program_runs_as_written() -> None:
    done = subprocess.run(
        [sys.executable, "-c", blocks("python")[1]], cwd=ROOT, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.startswith(b"(")
    assert done.stdout.endswith(b" {}\n")


def test_a_bot_of_the_ladder_can_be_asked_by_hand() -> None:
    """What another program sends on a pipe, without Meldroom on its side."""
    rules = {"type": "new_game", **json.loads(msgspec.json.encode(_begun()))}
    lines = [
        {"type": "hello", "id": 1, "versions": [1], "host": "mine", "limits": {}},
        rules,
        {"type": "dance"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "meldroom.bots", "beginner"],
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout) == {
        "type": "ready",
        "id": 1,
        "protocol": 1,
        "name": "beginner",
        "tiles": "exact",
    }


def _begun() -> wire.NewGame:
    rules = book("wrc11")
    return wire.NewGame(
        game=1,
        book=rules.ref,
        family=rules.family,
        rules=wire.Rules.of(rules),
        players=("Ada", "Bo"),
        seat=0,
        seconds=40,
        seed="",
        commitment="",
        stand_ins=(),
    )
