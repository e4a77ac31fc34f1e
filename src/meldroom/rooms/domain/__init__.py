"""A room as a value: its events, their fold, and what each command leads to. Pure functions."""
