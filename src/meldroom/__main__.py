"""`python -m meldroom` is the command `meldroom`."""

from meldroom.cli import main

if __name__ == "__main__":
    main()
