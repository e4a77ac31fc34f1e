"""What tests and benchmarks share: servers, players, a browser, the laws of the game."""
