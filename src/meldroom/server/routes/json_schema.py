"""The shapes of requests and answers as JSON schemas, from the types that decode and encode them.

A field with a default may be left out of a request, but is always there in an answer, unless its struct omits
defaults. So what travels both ways must omit them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import inspect

Schema = dict[str, Any]
REFERENCES = "#/components/schemas/"


class Shapes:
    """Schemas for all types that travel; `named` gives unions and enumerations a name of their own."""

    def __init__(self, asked: Iterable[Any], answered: Iterable[Any], named: Mapping[str, Any]) -> None:
        ins, outs = list(asked), list(answered)
        kinds = [*ins, *outs, *named.values()]
        roots, parts = msgspec.json.schema_components(kinds, ref_template=REFERENCES + "{name}")
        decoded = _reachable(roots[: len(ins)], parts)
        encoded = _reachable(roots[len(ins) : len(ins) + len(outs)], parts)
        for name, kind in _structs(kinds).items():
            if name in encoded and not kind.__struct_config__.omit_defaults:
                _require_all(parts[name], _unset(kind), also_decoded=name in decoded)
        aliases: dict[str, Schema] = dict(zip(named, roots[len(ins) + len(outs) :], strict=True))
        self._schemas = {repr(kind): _aliased(root, aliases) for kind, root in zip(kinds, roots, strict=True)}
        parts = {name: _aliased(part, aliases) for name, part in parts.items()}
        parts |= {
            name: {key: _aliased(value, aliases) for key, value in root.items()}
            for name, root in aliases.items()
        }
        wanted = _reachable(self._schemas.values(), parts)
        self.components = {name: parts[name] for name in sorted(parts) if name in wanted}

    def of(self, kind: Any) -> Any:
        """The schema of a body."""
        return self._schemas[repr(kind)]


def _aliased(part: Any, aliases: Mapping[str, Schema]) -> Any:
    """References in place of schemas that have a name, also where they may be null besides."""
    if isinstance(part, list):
        return [_aliased(each, aliases) for each in part]
    if not isinstance(part, dict):
        return part
    for name, schema in aliases.items():
        if {**part, **schema} == part:
            rest = {key: value for key, value in part.items() if key not in schema}
            return {**rest, "$ref": REFERENCES + name}
        if "enum" in schema and part.get("enum") == [*schema["enum"], None]:
            rest = {key: value for key, value in part.items() if key != "enum"}
            return {**rest, "anyOf": [{"$ref": REFERENCES + name}, {"type": "null"}]}
    return {key: _aliased(value, aliases) for key, value in part.items()}


def _references(part: Any) -> set[str]:
    """The names that a schema refers to."""
    if isinstance(part, dict):
        own = {part["$ref"].removeprefix(REFERENCES)} if isinstance(part.get("$ref"), str) else set()
        return own.union(*map(_references, part.values()))
    return set().union(*map(_references, part)) if isinstance(part, list) else set()


def _reachable(roots: Iterable[Schema], parts: Mapping[str, Schema]) -> set[str]:
    found: set[str] = set()
    waiting = set().union(*map(_references, roots))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _references(parts[name])
    return found


def _unset(kind: type[msgspec.Struct]) -> set[str]:
    """Fields that are left out where they have no value."""
    return {field.encode_name for field in msgspec.structs.fields(kind) if field.default is msgspec.UNSET}


def _require_all(part: Schema, left_out: set[str], *, also_decoded: bool) -> None:
    if also_decoded and part.get("required", []) != list(part["properties"]):
        raise TypeError(f"{part['title']} travels both ways and must omit defaults")
    part["required"] = [name for name in part["properties"] if name not in left_out]
    for field in part["properties"].values():
        field.pop("default", None)


def _structs(kinds: Iterable[Any]) -> dict[str, type[msgspec.Struct]]:
    """Every struct inside some types, by the name of its schema."""
    found: dict[str, type[msgspec.Struct]] = {}
    waiting: list[Any] = list(inspect.multi_type_info(kinds))
    seen: set[int] = set()
    while waiting:
        info = waiting.pop()
        if isinstance(info, tuple | list):
            waiting += info
        elif isinstance(info, inspect.Type | inspect.Field) and id(info) not in seen:
            seen.add(id(info))
            if (
                isinstance(info, inspect.StructType)
                and found.setdefault(info.cls.__name__, info.cls) is not info.cls
            ):
                raise TypeError(f"two structs are called {info.cls.__name__}")
            waiting += [getattr(info, name) for name in info.__struct_fields__]
    return found
