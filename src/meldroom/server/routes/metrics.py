"""The server's counters in the text form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterable

from meldroom.server.cluster import ClusterRooms, RemoteWorkers
from meldroom.server.container import Container
from meldroom.server.prometheus import many, one, times


def metrics_text(container: Container) -> str:
    """Everything that is counted, one figure a line."""
    counts, counters, writer = container.rooms.counts(), container.counters, container.store.counters
    return "\n".join(
        (
            *one("rooms", "gauge", "Rooms in memory.", counts.rooms),
            *one("rooms_playing", "gauge", "Rooms with a running game.", counts.playing),
            *one("clients", "gauge", "Open sockets.", container.clients.count),
            *one("connections_total", "counter", "Sockets opened.", counters.connections),
            *many("cuts_total", "Sockets ended by the server.", "reason", counters.cuts),
            *one("messages_in_total", "counter", "Messages received.", counters.messages_in),
            *one("messages_out_total", "counter", "Messages sent.", counters.messages_out),
            *one("bytes_out_total", "counter", "Bytes of messages sent.", counters.bytes_out),
            *many("refused_total", "Requests and commands refused.", "code", counters.refusals),
            *many("http_answers_total", "HTTP responses.", "status", counters.answers),
            *many("pushes_total", "Push messages tried.", "outcome", counters.pushes),
            *one("events_total", "counter", "Room events made durable.", writer.appends),
            *one("commits_total", "counter", "Transactions.", writer.commits),
            *one("append_conflicts_total", "counter", "Appends that lost their place.", writer.conflicts),
            *one("storage_failures_total", "counter", "Transactions that failed.", writer.failures),
            *times("append_seconds", "Time waited until durable.", writer.waits),
            *times("commit_seconds", "Time of a transaction.", writer.commit_times),
            *times("play_seconds", "From a play's arrival until its answer is sent.", counters.plays),
            *one("append_seconds_max", "gauge", "The longest wait.", round(writer.slowest, 6)),
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
        *one("jobs_waiting", "gauge", "Jobs for workers without an answer yet.", figures.waiting),
        *many("jobs_total", "Jobs answered, by where they were computed.", "place", figures.answered),
        *one("jobs_failed_total", "counter", "Jobs without an answer.", figures.failed),
        *times("job_seconds", "Time of a bot's move or a hint, waiting included.", figures.times),
        *times("analysis_seconds", "Time of an analysis or a count.", figures.analysis_times),
        *(one("workers", "gauge", "Remote workers that take jobs.", there) if remote else ()),
        *(one("worker_jobs", "gauge", "Jobs that remote workers have.", busy) if remote else ()),
        *(
            one("jobs_repeated_total", "counter", "Jobs a worker lost or declined.", figures.repeated)
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
        *one("rooms_owned", "gauge", "Rooms that are this node's.", rooms.owned),
        *one("lease_changes_total", "counter", "Rooms taken over or lost.", rooms.lease_changes),
        *one("bus_connected", "gauge", "Whether other nodes can be reached.", int(rooms.bus_connected)),
    )
