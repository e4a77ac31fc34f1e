"""The one command: `meldroom`."""

import sys


def main() -> None:
    """Run the command, or say in one sentence what is missing to run it."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ModuleNotFoundError:
        print('meldroom: the command line needs its extra: pip install "meldroom[cli]"', file=sys.stderr)
        raise SystemExit(2) from None
    from meldroom.cli.app import run

    run()
