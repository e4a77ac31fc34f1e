"""The embedded bus: listeners in this process, called at once."""

from __future__ import annotations

from collections.abc import Callable

from meldroom.rooms.ports import Receive


class LocalBus:
    """Hands messages to listeners in the order in which they are published."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[int, Receive]] = {}
        self._serial = 0

    def publish(self, topic: str, message: bytes) -> None:
        """Hand a message to every listener of a topic."""
        for receive in tuple(self._listeners.get(topic, {}).values()):
            receive(message)

    def listen(self, topic: str, receive: Receive) -> Callable[[], None]:
        """Hear a topic from now on; the answer ends it, and may be called again."""
        self._serial += 1
        serial = self._serial
        self._listeners.setdefault(topic, {})[serial] = receive

        def end() -> None:
            listeners = self._listeners.get(topic, {})
            listeners.pop(serial, None)
            if not listeners:
                self._listeners.pop(topic, None)

        return end
