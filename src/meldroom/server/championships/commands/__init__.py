"""Commands from desks and devices: requests, roles, conflicts, and what they write to the log."""
