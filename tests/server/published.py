"""Real requests and answers held against the published OpenAPI document."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
seen: Counter[tuple[str, str]] = Counter()
"""How often an operation was answered well in this process, by path and method."""


@cache
def document() -> dict[str, Any]:
    """The document as it is published."""
    made: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    return made


@cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    """The most exact first: /rooms/mine before /rooms/{room}."""
    paths = sorted(document()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), path) for path in paths]


@cache
def _validator(*place: str) -> Draft202012Validator:
    """A validator of the schema that is at a place of the document."""
    schema = document()
    for part in place:
        schema = schema[part]
    whole = {"allOf": [schema], "components": document()["components"]}
    return Draft202012Validator(whole, validate_formats=True)


def _validate(value: Any, *place: str) -> None:
    fault = next(iter(_validator(*place).iter_errors(value)), None)
    assert fault is None, f"{'/'.join(place)}: {fault}"


def check(answer: httpx.Response) -> None:
    """One exchange: the status is declared, the answer fits, and so does a request that was accepted."""
    path, method = answer.request.url.path.rstrip("/"), answer.request.method.lower()
    template = next((one for shape, one in _paths() if shape.fullmatch(path)), None)
    operation = document()["paths"].get(template, {}).get(method)
    if template is None or operation is None:
        assert answer.status_code >= 400 or not path.startswith("/api/") or path.endswith("openapi.json"), (
            path
        )
        return
    status = str(answer.status_code)
    if status == "405":
        return
    assert status in operation["responses"], f"{method} {template} answers {status}"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    content = operation["responses"][status].get("content", {})
    assert not answer.content or kind in content, f"{method} {template} answers {kind}"
    if kind == "application/json":
        _validate(answer.json(), "paths", template, method, "responses", status, "content", kind, "schema")
    if answer.status_code < 300:
        seen[template, method] += 1
        body = answer.request.content
        if body and answer.request.headers.get("content-type") == "application/json":
            place = ("paths", template, method, "requestBody", "content", "application/json", "schema")
            _validate(json.loads(body), *place)
