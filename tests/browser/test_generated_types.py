"""The types of the client say what the schemas say: fields, values, and what may be absent."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAIR = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}
PROTOCOL = {
    "title": "Messages, version 7",
    "$defs": {
        "Shape": {
            "description": "A thing.",
            "type": "object",
            "properties": {
                "do": {"enum": ["draw", "lay"]},
                "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "pairs": {"type": "array", "items": PAIR},
                "names": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["do", "seat"],
        },
        "Either": {"anyOf": [{"$ref": "#/$defs/Shape"}, {"$ref": "#/$defs/Error"}]},
        "Error": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
    },
}  # fmt: skip


@pytest.fixture
def generated(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "web").mkdir()
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "web" / "api_types.py", tmp_path / "web")
    (tmp_path / "docs" / "protocol.schema.json").write_text(json.dumps(PROTOCOL), "utf-8")
    api = {"components": {"schemas": {"Tag": {"type": ["string", "null"]}}}}
    (tmp_path / "docs" / "openapi.json").write_text(json.dumps(api), "utf-8")
    subprocess.run([sys.executable, str(tmp_path / "web" / "api_types.py")], check=True)
    folder = tmp_path / "web" / "src" / "api" / "generated"
    return {file.name: file.read_text("utf-8") for file in folder.iterdir()}


def test_fields_values_and_what_may_be_absent(generated: dict[str, str]) -> None:
    live = generated["live.ts"]
    assert "export const VERSION = 7;" in live
    assert (
        "/** A thing. */\n"
        "export interface Shape {\n"
        '  do: "draw" | "lay";\n'
        "  seat: number | null;\n"
        "  pairs?: [number, string][];\n"
        "  names?: Record<string, string>;\n"
        "}\n"
    ) in live


def test_a_name_that_javascript_has_already_is_another_one(generated: dict[str, str]) -> None:
    assert "export type Either = Shape | WireError;" in generated["live.ts"]
    assert "export interface WireError {\n  code: string;\n}" in generated["live.ts"]


def test_http_has_a_module_of_its_own(generated: dict[str, str]) -> None:
    assert "export type Tag = string | null;" in generated["http.ts"]
