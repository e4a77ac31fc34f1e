"""Profiles: people as others see them, their friends, and their games in numbers."""
