"""Championships on the server: logs, halls, keys, pages, and the routes to them."""
