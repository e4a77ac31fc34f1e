"""Who is here, on all nodes: each tells the others what has changed, in batches; nobody keeps asking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from meldroom.api.profiles.schemas import Presence
from meldroom.server.cluster.messages import People, WhoIsHere

SILENCE_SECONDS = 8.0
"""What a node has told holds for so long; it says something every two."""
EVERY = 2.0
_RANK: dict[Presence, int] = {"away": 0, "online": 1, "playing": 2}


def more_present(one: Presence, other: Presence) -> Presence:
    """Somebody may be on several nodes: the one where they do most counts."""
    return one if _RANK[one] >= _RANK[other] else other


def merged(*found: Mapping[str, Presence]) -> dict[str, Presence]:
    """What several know, together."""
    people: dict[str, Presence] = {}
    for each in found:
        for player, presence in each.items():
            people[player] = more_present(presence, people.get(player, "away"))
    return people


class _Node:
    """What another node has told."""

    def __init__(self) -> None:
        self.number = 0
        self.heard_at = 0.0
        self.people: dict[str, Presence] = {}


class ClusterPresence:
    """The people of the other nodes as this one knows them, and its own as it tells of them."""

    def __init__(
        self,
        node: str,
        send: Callable[[People | WhoIsHere], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.here: Callable[[], Mapping[str, Presence]] = dict
        """The people of this node."""
        self._node = node
        self._send = send
        self._clock = clock
        self._number = 0
        self._told: dict[str, Presence] = {}
        self._nodes: dict[str, _Node] = {}

    def tell(self) -> None:
        """Tell the others what has changed; also if nothing has, so that they know that it still holds."""
        now = dict(self.here())
        changed: dict[str, Presence] = {
            one: presence for one, presence in now.items() if self._told.get(one) != presence
        }
        changed.update((one, "away") for one in self._told if one not in now)
        self._told = now
        self._number += 1
        self._send(People(self._node, self._number, False, changed))

    def tell_everything(self) -> None:
        """Tell the others who is here: somebody does not know, or has missed something."""
        self._told = dict(self.here())
        self._number += 1
        self._send(People(self._node, self._number, True, self._told))

    def ask(self) -> None:
        """Ask the others for everything."""
        self._send(WhoIsHere(self._node))

    def hear(self, told: People) -> None:
        """Another node has told something. After a gap it is asked for everything."""
        known = self._nodes.setdefault(told.node, _Node())
        missed = not told.whole and told.number != known.number + 1
        known.heard_at = self._clock()
        if missed:
            self.ask()
            return
        known.number = told.number
        if told.whole:
            known.people.clear()
        for player, presence in told.people.items():
            if presence == "away":
                known.people.pop(player, None)
            else:
                known.people[player] = presence

    def gone(self, node: str) -> None:
        """A node has ended: its people come back elsewhere, if they do."""
        self._nodes.pop(node, None)

    def of(self, players: Iterable[str]) -> dict[str, Presence]:
        """Which of some players are on other nodes."""
        since = self._clock() - SILENCE_SECONDS
        for node in [node for node, known in self._nodes.items() if known.heard_at < since]:
            del self._nodes[node]
        wanted = set(players)
        return merged(
            *(
                {one: known.people[one] for one in wanted & known.people.keys()}
                for known in self._nodes.values()
            )
        )
