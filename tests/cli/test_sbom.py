"""`meldroom sbom`: valid CycloneDX, everything that is installed and locked, the same every time."""

from __future__ import annotations

import json
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from typer.testing import CliRunner

import meldroom
from meldroom.cli.app import app
from meldroom.site.bill_of_materials import bill_of_materials

SCHEMAS = files("cyclonedx.schema") / "_res"
"""The schemas as CycloneDX publishes them, which its library for Python has with it."""
SITE = "http://cyclonedx.org/schema/"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.SNAPSHOT.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(bill_of_materials(meldroom.__version__))
    return made


@pytest.fixture(scope="module")
def validator() -> jsonschema_rs.Draft7Validator:
    others = [(f"{SITE}{name}.SNAPSHOT.schema.json", schema(name)) for name in ("spdx", "jsf-0.82")]
    registry = jsonschema_rs.Registry(others)
    return jsonschema_rs.Draft7Validator(schema("bom-1.6"), registry=registry, validate_formats=True)


def test_it_is_valid_by_the_published_schema(
    bill: dict[str, Any], validator: jsonschema_rs.Draft7Validator
) -> None:
    assert [str(error) for error in validator.iter_errors(bill)] == []
    bad = {**bill, "components": [*bill["components"], {"type": "spell", "name": "x"}]}
    assert not validator.is_valid(bad)


def test_it_names_what_is_installed_and_what_the_pages_are_made_of(bill: dict[str, Any]) -> None:
    found = {one["purl"]: one for one in bill["components"]}
    for name in ("msgspec", "litestar", "sqlalchemy", "cryptography", "argon2-cffi"):
        assert f"pkg:pypi/{name}@{version(name)}" in found
    scopes = {one["name"]: one["scope"] for one in bill["components"] if one["purl"].startswith("pkg:npm")}
    assert (scopes["svelte"], scopes["pyodide"], scopes["vite"]) == ("required", "required", "excluded")
    assert all(one["hashes"] for one in bill["components"] if one["purl"].startswith("pkg:npm"))


def test_every_reference_leads_somewhere(bill: dict[str, Any]) -> None:
    root = bill["metadata"]["component"]["bom-ref"]
    refs = [root, *(one["bom-ref"] for one in bill["components"])]
    assert len(refs) == len(set(refs))
    needed = {ref for one in bill["dependencies"] for ref in (one["ref"], *one["dependsOn"])}
    assert needed <= set(refs)
    by_ref = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert f"pkg:pypi/msgspec@{version('msgspec')}" in by_ref[root]
    assert any(ref.startswith("pkg:npm/svelte@") for ref in by_ref[root])


def test_the_command_writes_the_same_every_time(tmp_path: Path, bill: dict[str, Any]) -> None:
    shown = CliRunner().invoke(app(["sbom"]), ["sbom"])
    file = tmp_path / "bill.json"
    assert CliRunner().invoke(app(["sbom"]), ["sbom", "-o", str(file)]).exit_code == 0
    assert json.loads(shown.stdout) == json.loads(file.read_text("utf-8")) == bill
