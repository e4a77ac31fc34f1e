"""Several nodes on one database: who has a room, and how the others reach it."""

from meldroom.server.cluster.bus import NatsBus
from meldroom.server.cluster.remote_workers import RemoteWorkers
from meldroom.server.cluster.rooms import ClusterRooms

__all__ = ["ClusterRooms", "NatsBus", "RemoteWorkers"]
