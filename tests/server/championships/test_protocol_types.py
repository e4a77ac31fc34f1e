"""The browser's types name exactly the fields that the server sends and takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from meldroom.championship import corrections, entrants, rank_bounds, results, state
from meldroom.championship import eligibility as championship_eligibility
from meldroom.championship.actions import Penalise, SettleDispute
from meldroom.championship.log.entry import LogEntry
from meldroom.papers import KINDS
from meldroom.referee import PENALTY_KINDS
from meldroom.server.championships.commands import answers, counting
from meldroom.server.championships.commands import last_change as trail
from meldroom.server.championships.commands import paper_piles as piles
from meldroom.server.championships.commands import requests as acts
from meldroom.server.championships.hall import commands as hall_acts
from meldroom.server.championships.hall import state as hall
from meldroom.server.championships.pages import desk, next_steps
from meldroom.server.championships.pages import person as people
from meldroom.server.championships.pages import public as views
from meldroom.server.championships.pages import rulings as ruling_desk
from meldroom.server.championships.pages import schemas as event_pages
from meldroom.server.championships.pages import table as tables
from meldroom.server.championships.routes import online as routes_online
from meldroom.server.championships.routes import public as routes_public
from meldroom.server.championships.routes import staff as routes_staff
from meldroom.server.championships.routes import tables as routes_tables
from meldroom.server.championships.storage import archive

SOURCE = Path(__file__).parents[3] / "web" / "src" / "api" / "events-protocol.ts"
MODULES: tuple[Any, ...] = (
    *(acts, answers, archive, counting, desk, hall, hall_acts, next_steps, people, piles, routes_public),
    *(event_pages, routes_online, routes_staff, routes_tables, ruling_desk, tables, trail, views),
    *(corrections, entrants, rank_bounds, results, state, championship_eligibility),
)
SAME: dict[str, type[msgspec.Struct]] = {
    "Penalty": Penalise,
    "Dispute": SettleDispute,
    "Ruling": acts.Settle,
    "LogEntry": LogEntry,
}
# These have no struct of their own: evidence beside an error, parts that commands share, and what a device
# keeps in its outbox, which is put into the server's words when it is sent.
OURS = {"Conflict", "Version", "BadLine", "EventProblem", "SheetAddress", "Penalise", "ActRequest", "Outbox"}


def interfaces() -> dict[str, set[str]]:
    """The fields of every interface, with those it extends."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCE.read_text(encoding="utf-8"), flags=re.DOTALL)
    found: dict[str, set[str]] = {}
    for name, base, body in re.findall(r"interface (\w+)(?: extends (\w+))? \{(.*?)\n\}", text, re.DOTALL):
        found[name] = set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE)) | found.get(base, set())
    return found


def struct_of(name: str) -> type[msgspec.Struct]:
    if name in SAME:
        return SAME[name]
    for module in MODULES:
        kind: Any = getattr(module, name, None)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return kind
    raise AssertionError(f"no struct {name}")


@pytest.mark.parametrize("name", sorted(set(interfaces()) - OURS))
def test_an_interface_has_the_fields_of_its_struct(name: str) -> None:
    kind = struct_of(name)
    fields = set(kind.__struct_encode_fields__)
    tags = {"Done": "answer", "Preview": "answer", "Dispute": "do", "Settle": "do"}
    assert interfaces()[name] == fields | ({tags[name]} if name in tags else set())


def test_every_act_question_and_kind_is_there() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    named = set(re.findall(r"do: '(\w+)'", text))
    assert named == {
        hall_acts.name_of(kind)
        for kind in (*get_args(acts.Act), hall_acts.Opened, hall_acts.GameStopped, hall_acts.Clash)
    }
    asked = set(re.findall(r"ask: '(\w+)'", text))
    assert asked == {str(kind.__struct_config__.tag) for kind in get_args(ruling_desk.Question)}
    for kind in (*PENALTY_KINDS, *KINDS):
        assert f"| '{kind}'" in text, kind


@pytest.mark.parametrize("kind", get_args(acts.Act), ids=lambda kind: str(kind.__struct_config__.tag))
def test_an_act_in_one_line_names_its_fields(kind: type[msgspec.Struct]) -> None:
    tag = str(kind.__struct_config__.tag)
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    line = next(each for each in lines if each.startswith("  |") and f"do: '{tag}'" in each)
    fields = set(re.findall(r"(\w+)\??: ", line)) - {"do"}
    for part in re.findall(r"& (\w+)", line):
        fields |= interfaces()[part]
    computed = {"by", "why"} if tag == "cancel_penalty" else set()
    assert fields == set(kind.__struct_encode_fields__) - computed
