"""`python -m testkit.server.fixed_deals serve …`: `meldroom`, but every shuffle has the same secret.

What a browser test sees must not depend on luck. The players' words still count: pages of tests say the
same one each time (`SAME_WORD`), and then every game of a book is dealt alike.
"""

from __future__ import annotations

from unittest.mock import patch

from meldroom.cli import main

SECRET = "5eed" * 16
SAME_WORD = """
  const random = Crypto.prototype.getRandomValues;
  Crypto.prototype.getRandomValues = function (array) {
    return array.length === 8 ? array.fill(0) : random.call(this, array);
  };
"""

if __name__ == "__main__":
    with patch("meldroom.game.shuffle.secrets") as secrets:
        secrets.token_hex.return_value = SECRET
        main()
