"""Duplicate events: the same deals at every table, scored against the field."""
