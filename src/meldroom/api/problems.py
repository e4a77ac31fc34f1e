"""What a request that fails is answered with: the status, the public shape, and when to ask again."""

from __future__ import annotations

import logging
import math

import msgspec

from meldroom.api.answers import Answer
from meldroom.api.errors import HttpError, Problem, Trouble
from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError
from meldroom.i18n import Language
from meldroom.rooms.errors import Refusal, StorageError

LARGEST_BODY = 65_536
"""Bytes that a request may have, unless its route says otherwise."""
STORAGE_PATIENCE = 5.0
"""Seconds after which a store that failed may work again."""

_LOG = logging.getLogger("meldroom.api")


class Failure(msgspec.Struct, frozen=True):
    """A request that was refused; `wait` is how many seconds to wait before asking again."""

    status: int
    problem: Problem
    wait: float = 0.0

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        return {"Retry-After": str(max(1, math.ceil(self.wait)))} if self.wait else {}

    @property
    def answer(self) -> Answer:
        """The answer, encoded."""
        return Answer(msgspec.json.encode(self.problem), headers=self.headers, status=self.status)


def failure_of(error: MeldroomError, language: Language) -> Failure:
    """What an error of ours is answered with; a fault on our side is logged."""
    match error:
        case DecodeError():
            return failure_of(undecodable(error), language)
        case Refusal():
            told = error.error(language)
            status = 429 if error.retry_ms else 404 if error.code == "no_such_room" else 400
            trouble = Trouble(told.code, told.message, told.place)
            return Failure(status, Problem(trouble), (error.retry_ms or 0) / 1000)
        case StorageError():
            _LOG.error("%s", error)
            trouble = Trouble(error.public_code, error.refusal().reason(language))
            return Failure(503, Problem(trouble), STORAGE_PATIENCE)
        case HttpError():
            return _logged(error, Failure(error.status, error.problem(language), _wait(error)))
        case _:
            status = 400 if isinstance(error, ValueError) else 500
            trouble = Trouble(error.code, error.reason(language), error.where)
            return _logged(error, Failure(status, Problem(trouble)))


def undecodable(error: DecodeError) -> HttpError:
    """A request of the wrong shape."""
    return HttpError(400, "bad_request", error.where, reason=error.as_message())


def _wait(error: HttpError) -> float:
    return error.wait or (STORAGE_PATIENCE if error.status == 503 else 0.0)


def _logged(error: MeldroomError, failure: Failure) -> Failure:
    if failure.status >= 500:
        _LOG.error("%s", error)
    return failure
