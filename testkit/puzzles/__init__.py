"""What tests and measurements of puzzles share."""
