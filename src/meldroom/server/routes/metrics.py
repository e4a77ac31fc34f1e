"""The server's counters in the text form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from meldroom.server.cluster import ClusterRooms, RemoteWorkers
from meldroom.server.container import Container
from meldroom.server.histogram import Histogram


def metrics_text(container: Container) -> str:
    """Everything that is counted, one figure a line."""
    counts, counters, writer = container.rooms.counts(), container.counters, container.store.counters
    return "\n".join(
        (
            *_one("rooms", "gauge", "Rooms in memory.", counts.rooms),
            *_one("rooms_playing", "gauge", "Rooms with a running game.", counts.playing),
            *_one("clients", "gauge", "Open sockets.", container.clients.count),
            *_one("connections_total", "counter", "Sockets opened.", counters.connections),
            *_many("cuts_total", "Sockets ended by the server.", "reason", counters.cuts),
            *_one("messages_in_total", "counter", "Messages received.", counters.messages_in),
            *_one("messages_out_total", "counter", "Messages sent.", counters.messages_out),
            *_one("bytes_out_total", "counter", "Bytes of messages sent.", counters.bytes_out),
            *_many("refused_total", "Requests and commands refused.", "code", counters.refusals),
            *_many("http_answers_total", "HTTP responses.", "status", counters.answers),
            *_many("pushes_total", "Push messages tried.", "outcome", counters.pushes),
            *_one("events_total", "counter", "Room events made durable.", writer.appends),
            *_one("commits_total", "counter", "Transactions.", writer.commits),
            *_one("append_conflicts_total", "counter", "Appends that lost their place.", writer.conflicts),
            *_one("storage_failures_total", "counter", "Transactions that failed.", writer.failures),
            *_times("append_seconds", "Time waited until durable.", writer.waits),
            *_times("commit_seconds", "Time of a transaction.", writer.commit_times),
            *_times("play_seconds", "From a play's arrival until its answer is sent.", counters.plays),
            *_one("append_seconds_max", "gauge", "The longest wait.", round(writer.slowest, 6)),
            *_jobs(container),
            *_cluster(container),
            "",
        )
    )


def _jobs(container: Container) -> Iterable[str]:
    """Figures of what workers do for this server."""
    workers, figures = container.workers, container.workers.figures
    remote = isinstance(workers, RemoteWorkers)
    there, busy = (workers.there, workers.busy_there) if isinstance(workers, RemoteWorkers) else (0, 0)
    return (
        *_one("jobs_waiting", "gauge", "Jobs for workers without an answer yet.", figures.waiting),
        *_many("jobs_total", "Jobs answered, by where they were computed.", "place", figures.answered),
        *_one("jobs_failed_total", "counter", "Jobs without an answer.", figures.failed),
        *_times("job_seconds", "Time of a bot's move or a hint, waiting included.", figures.times),
        *_times("analysis_seconds", "Time of an analysis or a count.", figures.analysis_times),
        *(_one("workers", "gauge", "Remote workers that take jobs.", there) if remote else ()),
        *(_one("worker_jobs", "gauge", "Jobs that remote workers have.", busy) if remote else ()),
        *(
            _one("jobs_repeated_total", "counter", "Jobs a worker lost or declined.", figures.repeated)
            if remote
            else ()
        ),
    )


def _cluster(container: Container) -> Iterable[str]:
    """Figures of a node; none where there is one server."""
    rooms = container.rooms
    if not isinstance(rooms, ClusterRooms):
        return ()
    return (
        *_one("rooms_owned", "gauge", "Rooms that are this node's.", rooms.owned),
        *_one("lease_changes_total", "counter", "Rooms taken over or lost.", rooms.lease_changes),
        *_one("bus_connected", "gauge", "Whether other nodes can be reached.", int(rooms.bus_connected)),
    )


def _one(name: str, kind: str, about: str, value: float) -> Iterable[str]:
    return (*_head(name, kind, about), f"meldroom_{name} {value}")


def _many(name: str, about: str, label: str, values: Mapping[str, int] | Mapping[int, int]) -> Iterable[str]:
    lines = (f'meldroom_{name}{{{label}="{key}"}} {value}' for key, value in sorted(values.items()))
    return (*_head(name, "counter", about), *lines)


def _times(name: str, about: str, histogram: Histogram) -> Iterable[str]:
    return (*_head(name, "histogram", about), *histogram.lines(f"meldroom_{name}"))


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP meldroom_{name} {about}", f"# TYPE meldroom_{name} {kind}"
