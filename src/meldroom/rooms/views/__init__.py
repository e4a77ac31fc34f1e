"""What each audience of a room may see."""
