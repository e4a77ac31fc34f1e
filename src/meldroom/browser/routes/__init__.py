"""What a device answers, one module a resource; the addresses are those of the server under /api/v1."""
