"""Live tables without a network: events and state, commands, who sees what, and the runtime on asyncio."""
