"""Open championships, their files, and the keys that grant a role."""
