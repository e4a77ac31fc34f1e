"""Live rooms on asyncio: loading, locking, clocks, bots, drafts and background tasks."""
