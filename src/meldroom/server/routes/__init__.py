"""Everything over HTTP: the routes under /api/v1, the built pages, health and metrics, and who may ask."""
