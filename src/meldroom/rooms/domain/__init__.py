"""A room as a value, and what each command leads to. Pure functions."""
