"""`python -m testkit.server.second_address serve …`: `meldroom`, in whose network this machine is 127.0.0.2.

So a test has an address that is not the one a page was opened at, on a machine without a network too.
"""

from __future__ import annotations

from unittest.mock import patch

from meldroom.cli import main

ADDRESS = "127.0.0.2"

if __name__ == "__main__":
    with patch("meldroom.server.web.reachable.network_addresses", return_value=[ADDRESS]):
        main()
