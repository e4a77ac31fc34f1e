"""Live play: one WebSocket a client, its queue, its limits, and what is said on it beside the rooms."""
