"""A play as a person makes it: the movements from one table to the next, in order."""
