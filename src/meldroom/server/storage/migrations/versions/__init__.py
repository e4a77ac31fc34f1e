"""One module a step; a published step is never changed."""
