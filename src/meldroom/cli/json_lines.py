"""JSON Lines in, JSON Lines out: one answer a line, in order, flushed; a bad line spoils only itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import typer

from meldroom.rules.requests import RequestError

LONGEST_LINE = 1_000_000

Answering = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def answer_lines(answering: Answering) -> None:
    """Answer every line of standard input. Exits with 1 if any line could not be answered."""
    failed = False
    while line := sys.stdin.buffer.readline(LONGEST_LINE + 1):
        too_long = len(line) > LONGEST_LINE
        while too_long and line and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST_LINE)
        if too_long:
            answer = RequestError("bad_json", f"a line of over {LONGEST_LINE} bytes").as_json(None)
        elif not line.strip():
            continue
        else:
            answer = answer_line(line, answering)
        failed = failed or "error" in answer
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()
    if failed:
        raise typer.Exit(1)


def answer_line(line: bytes, answering: Answering) -> dict[str, Any]:
    """The answer to one line, or an error that echoes its id."""
    try:
        request = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return RequestError("bad_json", f"not JSON: {error}").as_json(None)
    if not isinstance(request, dict):
        return RequestError("bad_request", "a JSON object is needed").as_json(None)
    try:
        return dict(answering(request))
    except RequestError as error:
        return error.as_json(request.get("id"))
