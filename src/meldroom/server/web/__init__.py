"""ASGI pieces below every route: cookies, origin, rate limits, built pages, problems, the gateway."""
