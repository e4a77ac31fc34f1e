"""The native kernel, and the engine that calls it from Python."""
