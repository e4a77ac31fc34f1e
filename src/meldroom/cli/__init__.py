"""The one command: `meldroom`."""

import sys


def main() -> None:
    """Run the command, or say in one sentence what is missing to run it."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401

        from meldroom.cli.app import run
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("meldroom"):
            raise
        print(f'meldroom: {error.name} is missing; pip install "meldroom[cli]"', file=sys.stderr)
        raise SystemExit(2) from None
    try:
        run()
    except KeyboardInterrupt:  # while a command was still being loaded
        raise SystemExit(130) from None
