"""The JSON schema of the live protocol; run as a program it prints it.

msgspec describes what a decoder accepts. A client needs to know what is sent: unions have names here, fields
that are always sent are required, and fields that only the log holds are left out.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

import msgspec
import msgspec.inspect

from meldroom.game.events import Event as GameEvent
from meldroom.game.state import Phase
from meldroom.rooms.protocol import events
from meldroom.rooms.protocol.answers import Message
from meldroom.rooms.protocol.commands import VERSION, Command, Phrase, PlayerAction, Reaction, Topic
from meldroom.rooms.protocol.settings import Aid, BotSpeed, Spectators, Stage
from meldroom.rules.laying_off import Outcome

NAMED: dict[str, Any] = {
    "Command": Command,
    "Message": Message,
    "PlayerAction": PlayerAction,
    "RoomEvent": events.RoomEvent,
    "GameEvent": GameEvent,
    "By": events.By,
    "Phase": Phase,
    "Stage": Stage,
    "Spectators": Spectators,
    "BotSpeed": BotSpeed,
    "Aid": Aid,
    "Phrase": Phrase,
    "Reaction": Reaction,
    "Topic": Topic,
    "Outcome": Outcome,
}
"""Unions and enumerations that get a definition of their own."""

NEVER_SENT: dict[str, tuple[str, ...]] = {
    "Chair": ("player", "word"),
    "Reservation": ("lock",),
    "RoomOpened": ("deals",),
    "ShuffleSealed": ("secret",),
    "SeatTaken": ("word",),
    "GameStarted": ("contributions",),
}
"""Fields of the log that `censor` empties for everybody, besides `LOG_ONLY`."""

LOG_ONLY = ("player", "request", "digest")


def schema() -> dict[str, Any]:
    """The schema, as docs/protocol.schema.json holds it."""
    tops, parts = msgspec.json.schema_components(NAMED.values(), ref_template="#/$defs/{name}")
    unions = dict(zip(NAMED, tops, strict=True))
    received = msgspec.json.schema_components([Command])[1]
    structs = _structs(msgspec.inspect.multi_type_info(NAMED.values()), {})
    for name, part in parts.items():
        part["description"] = inspect.cleandoc(part["description"])
        is_event = structs[name] in events.RoomEvent.__args__
        for field in (*NEVER_SENT.get(name, ()), *(LOG_ONLY if is_event else ())):
            del part["properties"][field]
        if name not in received and not structs[name].__struct_config__.omit_defaults:
            part["required"] = list(part["properties"])
        if is_event:
            part["required"].append("seq")  # every event in the log has its number
    definitions = {name: _with_names(part, unions) for name, part in parts.items()}
    tagged = {name: {"title": name, **_with_names(union, unions, but=name)} for name, union in unions.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of Meldroom's live protocol, version {VERSION}",
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Message"}],
        "$defs": {**tagged, **definitions},
    }


def _structs(described: object, found: dict[str, type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    """The structs in what msgspec tells of a type, by name."""
    if isinstance(described, msgspec.inspect.StructType):
        if described.cls.__name__ in found:
            return found
        found[described.cls.__name__] = described.cls
    if isinstance(described, tuple):
        for each in described:
            _structs(each, found)
    elif isinstance(described, msgspec.inspect.Type | msgspec.inspect.Field):
        for field in msgspec.structs.fields(described):
            _structs(getattr(described, field.name), found)
    return found


def _with_names(part: Any, unions: dict[str, dict[str, Any]], but: str = "") -> Any:
    """A schema in which a union is a reference to its definition, also with a default beside it."""
    if isinstance(part, list):
        return [_with_names(each, unions) for each in part]
    if not isinstance(part, dict):
        return part
    bare = {key: value for key, value in part.items() if key != "default"}
    for name, union in unions.items():
        if bare == union and name != but:
            return {"$ref": f"#/$defs/{name}", **{key: part[key] for key in part if key == "default"}}
    return {key: _with_names(value, unions) for key, value in part.items()}


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n")
