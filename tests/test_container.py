"""The Dockerfile: it copies what there is, waits on the route there is, and runs as nobody special."""

from __future__ import annotations

import re
from pathlib import Path

from meldroom.server.routes import health

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")


def test_what_is_copied_and_let_in_exists() -> None:
    lines = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
    copied = [word for line in lines for word in line.split()[:-1]]
    allowed = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"src", "web", "pyproject.toml", "hatch_build.py", "requirements"} <= set(allowed)
    for pattern in (*copied, *allowed):
        assert (ROOT / pattern).exists() or list(ROOT.glob(pattern)), pattern


def test_it_installs_what_pdfs_and_several_nodes_need() -> None:
    copied = re.findall(r"requirements/(\w+)\.txt(?=.* /tmp/requirements/$)", DOCKERFILE, re.MULTILINE)
    installed = re.findall(r"--requirement /tmp/requirements/(\w+)\.txt", DOCKERFILE)
    assert set(copied) == set(installed) == {"papers", "cluster"}
    locks = [(ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8") for name in installed]
    packages = {package for text in locks for package in re.findall(r"^(\S+)==", text, re.MULTILINE)}
    assert {"typst", "asyncpg", "greenlet", "nats-py"} <= packages


def test_health_is_asked_at_the_port_and_route_that_are_served() -> None:
    ports = set(re.findall(r"\b(8\d{3})\b", DOCKERFILE + COMPOSE))
    assert ports == {"8000"}
    (asked,) = re.findall(r"127\.0\.0\.1:8000(/\w+)", DOCKERFILE)
    assert asked in health.readyz.paths


def test_it_runs_as_a_user_and_keeps_its_data_in_a_volume() -> None:
    user = DOCKERFILE.index("\nUSER meldroom")
    assert user < DOCKERFILE.index("\nCMD ")
    assert "\nVOLUME /data" in DOCKERFILE
    assert "MELDROOM_DATA=/data" in DOCKERFILE
    assert "data:/data" in COMPOSE
