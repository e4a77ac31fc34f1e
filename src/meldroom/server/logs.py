"""Logs: one line for each event, with the request and the room it belongs to, and never a secret or a rack.

What is logged are events and ids. Nobody's tiles, messages, passwords, cookies or keys are ever handed to a
logger; what looks like a secret all the same is blotted out here, as a second line.
"""

from __future__ import annotations

import json
import logging
import random
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

from meldroom.rooms.rate_limit import Allowance, Limiter

Form = Literal["text", "json"]
VARIABLE = "MELDROOM_LOG"
"""In the environment: `text`, or `json` for whatever collects logs."""
SECURITY = "meldroom.security"
"""The logger of what an operator may want to be woken for: sign-ins, refusals, bans."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
room_id: ContextVar[str] = ContextVar("room_id", default="")

_SECRET = re.compile(r"meld_[\w-]{8,}|(?<![\w-])[\w-]{40,}(?![\w-])")
_often = Limiter(Allowance(50, 5))
_security = logging.getLogger(SECURITY)


def new_request() -> str:
    """Give whatever is done next an id of its own."""
    made = f"{random.getrandbits(48):012x}"
    request_id.set(made)
    return made


def note(event: str, **details: str | int) -> None:
    """A security event, with details that are no secrets; of very many of a kind only some are written."""
    if _often.wait(event):
        return
    _security.info("%s %s", event, " ".join(f"{name}={value}" for name, value in sorted(details.items())))


class Scrub(logging.Filter):
    """Adds the ids to a record, and blots out what looks like a secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; all are let through."""
        record.request, record.room = request_id.get(), room_id.get()
        record.msg, record.args = scrubbed(record.getMessage()), ()
        return True


def scrubbed(text: str) -> str:
    """A text on one line, without secrets."""
    return _SECRET.sub("[secret]", text).replace("\r", "\\r").replace("\n", "\\n")


class TextLines(logging.Formatter):
    """For people: time, level, where, what, and the ids at the end."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback follows where there is one."""
        ids = {"request": getattr(record, "request", ""), "room": getattr(record, "room", "")}
        end = "".join(f" [{name} {value}]" for name, value in ids.items() if value)
        line = f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{end}"
        return f"{line}\n{_trace(self, record)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """For machines: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        said = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request", ""),
            "room": getattr(record, "room", ""),
        }
        if record.exc_info:
            said["trace"] = _trace(self, record)
        return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """A traceback shows code, not values; what an exception says is scrubbed."""
    assert record.exc_info is not None
    return _SECRET.sub("[secret]", formatter.formatException(record.exc_info))


def set_up(form: str, stream: TextIO | None = None) -> None:
    """Log warnings of everything, and security events, to a stream."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(Scrub())
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    _security.setLevel(logging.INFO)
