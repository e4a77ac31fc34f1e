"""Championships played on our own tables: rooms, reserved seats, results."""
