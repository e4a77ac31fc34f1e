"""Championships that are open on this server, on the event loop."""
