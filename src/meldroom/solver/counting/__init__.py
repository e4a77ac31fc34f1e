"""Exact counts of racks: chances to open, expected draws, racks that go out at once."""
