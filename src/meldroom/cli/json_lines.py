"""JSON Lines in, JSON Lines out: one answer a line, in order, flushed; a bad line spoils only itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import typer

from meldroom.cli.error_handling import FAILED
from meldroom.decode import DecodeError
from meldroom.i18n import DEFAULT, Language
from meldroom.rules.requests import RequestError

LONGEST_LINE = 1_000_000

Answering = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def answer_lines(answering: Answering, language: Language = DEFAULT) -> None:
    """Answer every line of standard input. Exits with 1 if any line could not be answered."""
    failed = False
    while line := sys.stdin.buffer.readline(LONGEST_LINE + 1):
        too_long = len(line) > LONGEST_LINE
        while too_long and line and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST_LINE)
        if too_long:
            answer = RequestError("bad_json", count=LONGEST_LINE).as_json(None, language)
        elif not line.strip():
            continue
        else:
            answer = answer_line(line, answering, language)
        failed = failed or "error" in answer
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()
    if failed:
        raise typer.Exit(FAILED)


def answer_line(line: bytes, answering: Answering, language: Language = DEFAULT) -> dict[str, Any]:
    """The answer to one line, or an error that echoes its id."""
    try:
        request = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return RequestError.of(DecodeError.of(error), "bad_json").as_json(None, language)
    if not isinstance(request, dict):
        return RequestError("bad_request.object").as_json(None, language)
    try:
        return dict(answering(request))
    except RequestError as error:
        return error.as_json(request.get("id"), language)
