"""What servers and `meldroom worker` processes say to each other about work. None of it lasts.

A server sends a job to the queue group of all workers, where one of them gets it, or to the one that has the
bots of a room already. The worker takes or declines it at once and sends the answer later. What a worker had
that is not heard of any more, somebody else computes again.
"""

from __future__ import annotations

from typing import Literal

import msgspec

import meldroom
from meldroom.server.cluster.messages import BusMessage

VERSION = meldroom.__version__
"""The same position and seed give the same move in the same version only."""
Kind = Literal["play", "analysis"]
KINDS: tuple[Kind, ...] = ("play", "analysis")
"""What somebody at a table waits for, and what takes longer."""
Reason = Literal["busy", "draining", "version"]
WORKERS = "workers"
"""The subject of what workers tell every server, and the name of their queue groups."""
SERVERS = "servers"
"""The subject of what a server tells every worker."""
BEAT_SECONDS = 1.0
SILENCE_SECONDS = 3.0
"""A worker that says nothing for so long is gone."""


def queue_of(kind: Kind, version: str = VERSION) -> str:
    """The subject of the jobs that any worker of a version may take."""
    return f"jobs.{version.replace('.', '_')}.{kind}"


def worker_subject(worker: str) -> str:
    """The subject of one worker."""
    return f"worker.{worker}"


def answers_subject(server: str) -> str:
    """The subject under which a server hears of its jobs."""
    return f"{server}.jobs"


class Job(BusMessage, frozen=True, tag=1):
    """A task for a worker, encoded as all tasks are. `patience` is in seconds; number 0 wants no answer."""

    version: str
    server: str
    number: int
    kind: Kind
    home: str
    patience: float
    task: bytes


class Asking(BusMessage, frozen=True, tag=2):
    """A server wants to know who is there."""

    version: str
    server: str


class Unfit(BusMessage, frozen=True, tag=3):
    """A server tells a worker that its version is another one."""

    version: str
    server: str


class Taken(BusMessage, frozen=True, tag=4):
    """A worker has begun a job, or has it in its queue."""

    worker: str
    number: int


class Declined(BusMessage, frozen=True, tag=5):
    """A worker does not do a job: it is `busy`, about to end, or of another version."""

    worker: str
    number: int
    reason: Reason
    version: str


class Finished(BusMessage, frozen=True, tag=6):
    """The encoded reply to a task; empty if it took too long."""

    worker: str
    number: int
    reply: bytes


class Here(BusMessage, frozen=True, tag=7):
    """A worker is there, with so many processes and so many jobs that wait or are under way.

    One that is about to end has no processes for others any more.
    """

    worker: str
    version: str
    play: int
    analysis: int
    waiting: int


class Gone(BusMessage, frozen=True, tag=8):
    """A worker has ended."""

    worker: str


ToWorker = Job | Asking | Unfit
ToServer = Taken | Declined | Finished | Here | Gone

encode = msgspec.msgpack.Encoder().encode
decode_for_worker = msgspec.msgpack.Decoder(ToWorker).decode
decode_for_server = msgspec.msgpack.Decoder(ToServer).decode
