"""How far a championship has come."""
