"""A bot of the ladder as a program that speaks the bot protocol: `python -m meldroom.bots LEVEL`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, BinaryIO

import msgspec

from meldroom.bots.errors import BotError
from meldroom.bots.interface import MakeBot
from meldroom.bots.levels import LEVELS, make_bot
from meldroom.bots.stdio.messages import schema
from meldroom.bots.stdio.serve import serve
from meldroom.rules.library import book

ABOUT = """\
Serve a bot of the ladder on standard input and output, one JSON message a line (docs/bot-protocol.md).
Another program starts it, sends "hello" and asks it for its turns."""


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to quit; the exit status."""
    levels = "\n".join(f"  {name:<12}{level.thinks()}" for name, level in LEVELS.items())
    parser = argparse.ArgumentParser(
        "python -m meldroom.bots",
        description=ABOUT,
        epilog=f"levels:\n{levels}\n\nexample:\n  python -m meldroom.bots master -p aim=score",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("level", nargs="?", choices=list(LEVELS), metavar="LEVEL", help="one of those below")
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the bot, aim=score for one; may be given several times",
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of the messages")
    asked = parser.parse_args(arguments)
    if asked.schema:
        text = msgspec.json.format(msgspec.json.encode(schema()), indent=2)
        sys.stdout.buffer.write(text + b"\n")
        return 0
    if asked.level is None:
        parser.error("which level? One of " + ", ".join(LEVELS))
    try:
        make = _maker(asked.level, dict(map(_parameter, asked.parameter)))
    except BotError as error:
        parser.error(str(error))
    try:
        serve(make, asked.level, sys.stdin.buffer, _own_output())
    except BrokenPipeError:
        return 1
    return 0


def _maker(level: str, parameters: dict[str, Any]) -> MakeBot:
    """Makes bots of a level. Raises BotError at once for a parameter it does not have."""
    if "seed" in parameters:
        raise BotError("seed")
    make_bot(level, book("wrc11"), **parameters)
    return lambda rules, seed: make_bot(level, rules, seed=seed, **parameters)


def _own_output() -> BinaryIO:
    """Standard output for messages alone: whatever else prints goes to standard error."""
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sink


def _parameter(text: str) -> tuple[str, str | int | float]:
    """`effort=2` as a name and a value. Raises BotError."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise BotError("not_a_pair", text=text[:40])
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


if __name__ == "__main__":
    sys.exit(main())
