"""The game server: rooms, live games, clocks, storage, identity. Time and place; the rules stay below."""
