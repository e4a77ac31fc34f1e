"""The JSON schema of everything that travels on the socket; run as a program it prints it."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from meldroom.rooms.protocol.answers import Message
from meldroom.rooms.protocol.commands import VERSION, Command


def schema() -> dict[str, Any]:
    """The schema, as docs/protocol.schema.json holds it."""
    (command, message), parts = msgspec.json.schema_components(
        [Command, Message], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of Meldroom's live protocol, version {VERSION}",
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Message"}],
        "$defs": {"Command": command, "Message": message, **parts},
    }


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n")
