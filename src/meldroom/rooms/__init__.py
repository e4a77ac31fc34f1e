"""Rooms: their events, their fold, what may be done in them, who sees what, and the live part on asyncio."""
