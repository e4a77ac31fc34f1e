"""https in a hall: our own certificate authority, and the page on which tablets learn to trust it."""
