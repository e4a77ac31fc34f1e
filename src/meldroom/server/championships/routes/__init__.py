"""HTTP routes of championships, one module per kind of user."""
