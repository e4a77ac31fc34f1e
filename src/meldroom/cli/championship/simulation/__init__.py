"""A championship that never was: entrants, staff, games and everything that goes wrong in a hall."""
