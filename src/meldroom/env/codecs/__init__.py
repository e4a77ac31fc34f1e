"""Action numbers and what they mean: candidates, or tile by tile, for both families of books."""
