"""The language of an answer: the one the address asks for, else the browser's."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation

from meldroom.i18n import Language, is_language, languages, negotiate

PARAMETER = "language"
ARGUMENT = "asked"
"""What the parameter is called in `_language`, and by the framework when its value is wrong."""
PATTERN = f"^({'|'.join(languages())})$"
DESCRIPTION = "The language of texts for people; without it, the one that Accept-Language asks for."

Asked = Annotated[
    str | None,
    QueryParameter(name=PARAMETER, pattern=PATTERN, description=DESCRIPTION),
]
Spoken = NamedDependency[SkipValidation[Language]]
"""What a route declares as `language`."""


def language_of(request: Request[Any, Any, Any]) -> Language:
    """The language of a refusal, whatever else is wrong with the request."""
    asked = request.query_params.get(PARAMETER, "")
    return asked if is_language(asked) else negotiate(request.headers.get("accept-language", ""))


def _language(request: Request[Any, Any, Any], asked: Asked = None) -> Language:
    return asked or negotiate(request.headers.get("accept-language", ""))


DEPENDENCIES = {"language": Provide(_language, sync_to_thread=False)}
