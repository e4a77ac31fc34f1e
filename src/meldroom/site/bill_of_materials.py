"""The bill of materials: every package an installation runs with, as CycloneDX 1.6 JSON."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

LOCK = "package-lock.json"
SHIPPED = ("svelte", "pyodide")
"""Packages that are part of the pages, with what they need; all others only build them."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_SPDX = re.compile(r"[A-Za-z0-9.+-]+(?:-only|-or-later)?$")

Component = dict[str, Any]


def bill_of_materials(own: str) -> str:
    """The bill of Meldroom in its `own` version as text, which is the same for the same installation."""
    python, web = _python_packages(own), _web_packages()
    root = f"pkg:pypi/meldroom@{own}"
    components = sorted((*python.values(), *web.values()), key=lambda one: one["bom-ref"])
    needs = dict((*_python_needs(python), *_web_needs(web)))
    shipped = [ref for ref, one in web.items() if one["name"] in SHIPPED]
    needs[root] = sorted({*needs.get(root, []), *shipped})
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "meldroom",
                "version": own,
                "purl": root,
            }
        },
        "components": [one for one in components if one["bom-ref"] != root],
        "dependencies": [{"ref": ref, "dependsOn": needs[ref]} for ref in sorted(needs)],
    }
    serial = uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return json.dumps({**body, "serialNumber": f"urn:uuid:{serial}"}, indent=2, sort_keys=True) + "\n"


# Python: what is installed in this environment.


def _python_packages(own: str) -> dict[str, Component]:
    found: dict[str, Component] = {}
    for one in distributions():
        made = _python_package(one, own)
        found.setdefault(made["bom-ref"], made)
    return found


def _python_package(one: Distribution, own: str) -> Component:
    name = _normal(one.name)
    # What runs is this source, whatever an installation in development says.
    version = own if name == "meldroom" else one.version
    purl = f"pkg:pypi/{name}@{version}"
    component: Component = {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "scope": "required",
    }
    said = dict(one.metadata.json)
    expression, text = said.get("license_expression"), str(said.get("license", "")).strip()
    if expression:
        component["licenses"] = [{"expression": expression}]
    elif text and "\n" not in text:
        component["licenses"] = [{"license": {"name": text[:200]}}]
    return component


def _python_needs(packages: Mapping[str, Component]) -> Iterable[tuple[str, list[str]]]:
    refs = {one["name"]: ref for ref, one in packages.items()}
    for one in distributions():
        ref = refs.get(_normal(one.name))
        if ref is not None:
            names = (_NAME.match(line) for line in one.requires or ())
            found = {refs.get(_normal(name.group())) for name in names if name}
            yield ref, sorted(each for each in found if each is not None and each != ref)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# The web pages: what their lock names.


def _lock() -> dict[str, dict[str, Any]]:
    """The lock of the web pages: beside this file in a wheel, in web/ in a source tree; empty without one."""
    here = Path(__file__).resolve()
    for path in (here.with_name(LOCK), here.parents[3] / "web" / LOCK):
        if path.is_file():
            packages: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))["packages"]
            return {place: one for place, one in packages.items() if place}
    return {}


def _web_packages() -> dict[str, Component]:
    lock = _lock()
    shipped = _closure(lock, SHIPPED)
    found = {}
    for place, one in lock.items():
        name, purl = _web_name(place), _web_ref(place, one)
        component: Component = {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": one["version"],
            "purl": purl,
            "scope": "required" if place in shipped else "excluded",
        }
        algorithm, _, digest = one.get("integrity", "").partition("-")
        if algorithm == "sha512":
            component["hashes"] = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
        if _SPDX.match(one.get("license", "")):
            component["licenses"] = [{"license": {"id": one["license"]}}]
        found[purl] = component
    return found


def _web_needs(packages: Mapping[str, Component]) -> Iterable[tuple[str, list[str]]]:
    lock = _lock()
    for place, one in lock.items():
        ref = _web_ref(place, one)
        needed = {_found(lock, place, name) for name in one.get("dependencies", {})}
        refs = {_web_ref(each, lock[each]) for each in needed if each}
        yield ref, sorted(refs & packages.keys())


def _web_ref(place: str, one: Mapping[str, Any]) -> str:
    return f"pkg:npm/{_web_name(place).replace('@', '%40')}@{one['version']}"


def _web_name(place: str) -> str:
    return place.rpartition("node_modules/")[2]


def _found(lock: Mapping[str, Any], place: str, name: str) -> str:
    """Where a package finds another, as node does: beside itself, then further out; empty if nowhere."""
    while True:
        inside = f"{place}/node_modules/{name}" if place else f"node_modules/{name}"
        if inside in lock:
            return inside
        if not place:
            return ""
        place = place.rpartition("/node_modules/")[0] if "/node_modules/" in place else ""


def _closure(lock: Mapping[str, Any], names: Iterable[str]) -> set[str]:
    waiting = [_found(lock, "", name) for name in names]
    seen: set[str] = set()
    while waiting:
        place = waiting.pop()
        if place and place not in seen:
            seen.add(place)
            waiting += [_found(lock, place, name) for name in lock[place].get("dependencies", {})]
    return seen
