"""`python -m meldroom.solver compile`: compiles the kernels and keeps them, so that answers come sooner."""

from __future__ import annotations

import sys

from meldroom.errors import MissingExtraError
from meldroom.solver.kernel.mode import compile_all


def main(arguments: list[str]) -> int:
    """The command; returns its exit status."""
    if arguments != ["compile"]:
        sys.stderr.write("usage: python -m meldroom.solver compile\n")
        return 2
    try:
        seconds = compile_all(_tell)
    except MissingExtraError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"the kernels are compiled and kept ({seconds:.1f} s)\n")
    return 0


def _tell(name: str) -> None:
    sys.stderr.write(f"compiling {name}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
