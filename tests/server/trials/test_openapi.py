"""The whole HTTP interface against its own OpenAPI document: never a 500, and every answer as it says."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import adapter as adapter  # loaded here, not in the middle of a test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from testkit.server.client import visit
from testkit.server.process import ServerProcess

pytestmark = pytest.mark.xdist_group("server trials")

DOCUMENT = "/api/v1/openapi.json"
EXAMPLES = 10
LEAST_OPERATIONS = 25
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_every_operation_answers_as_the_document_says(server: ServerProcess) -> None:
    """Requests that fit the document and some that do not: each gets an answer that the document knows."""
    document = httpx.get(f"{server.url}{DOCUMENT}").raise_for_status().json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=server.url)
    operations: list[Any] = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) >= LEAST_OPERATIONS
    faults: list[str] = []
    for operation in operations:
        faults += faults_of(operation, server)
    assert not faults, "\n\n".join(faults)
    assert "Traceback" not in server.read_log()


def faults_of(operation: Any, server: ServerProcess) -> list[str]:
    """What is wrong with the answers of one operation, asked rightly and wrongly by a guest."""
    cookie = asyncio.run(visit(server, "Schemathesis")).cookie
    modes = [GenerationMode.POSITIVE]
    if operation.body or list(operation.iter_parameters()):
        modes.append(GenerationMode.NEGATIVE)
    faults: list[str] = []
    for mode in modes:
        try:
            ask(operation, mode, cookie)
        except Unsatisfiable:
            # Where any text will do, nothing is wrong; but something must be right.
            assert mode is GenerationMode.NEGATIVE, operation.label
        except (AssertionError, BaseExceptionGroup) as error:
            faults.append(f"{operation.label}, {mode.value}: {error}")
    return faults


def ask(operation: Any, mode: GenerationMode, cookie: str) -> None:
    """Send so many requests; the first answer that is wrong is raised."""

    @settings(
        max_examples=EXAMPLES, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case: Any) -> None:
        case.call_and_validate(headers={"Cookie": cookie}, checks=CHECKS, timeout=60)

    one()
