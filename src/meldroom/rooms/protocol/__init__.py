"""What travels between a client and a room: commands, answers, events, settings, and their schema."""
