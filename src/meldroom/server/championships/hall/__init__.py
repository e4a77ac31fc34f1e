"""The hall: devices, calls, clocks and notices that change no result. A pure fold of its own log."""
