"""What a worker answers: bots with their memories, hints, and functions of ours."""
