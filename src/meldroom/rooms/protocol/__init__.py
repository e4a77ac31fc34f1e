"""The shapes that travel: what a client may say, what it is told, what a room looks like to it."""
