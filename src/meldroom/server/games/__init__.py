"""Finished games: their steps, records, verification and analysis; and positions on their own."""
