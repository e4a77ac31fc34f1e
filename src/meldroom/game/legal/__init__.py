"""Which actions are legal: asked one by one, counted, listed or sampled."""
