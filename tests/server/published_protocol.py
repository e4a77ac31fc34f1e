"""Real commands and messages held against the published schema of the live protocol."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "protocol.schema.json"


@cache
def _validator(name: str) -> Draft202012Validator:
    whole = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})


def _check(name: str, value: dict[str, Any]) -> None:
    fault = next(iter(_validator(name).iter_errors(value)), None)
    assert fault is None, f"{name}: {fault}"


def check_message(message: dict[str, Any]) -> None:
    """A message that a server has sent fits the schema."""
    _check("Message", message)


def check_command(command: dict[str, Any]) -> None:
    """A command that a server has carried out fits the schema."""
    _check("Command", command)
