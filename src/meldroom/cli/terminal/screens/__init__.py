"""Textual screens of a terminal game, and how they draw tiles."""
