"""The ladder for the rearranging books: draw or lay, and the whole table may be laid anew."""
