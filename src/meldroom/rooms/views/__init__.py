"""What each audience of a room may see, and how it is told."""
