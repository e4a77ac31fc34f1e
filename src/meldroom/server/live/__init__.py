"""Live play: one WebSocket per client, with its queue and its limits."""
