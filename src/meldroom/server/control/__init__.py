"""What whoever runs the server decides while it runs: what is switched off, and which games end."""

from meldroom.server.control.switches import SWITCHES, Switches
from meldroom.server.control.watch import Watch

__all__ = ["SWITCHES", "Switches", "Watch"]
