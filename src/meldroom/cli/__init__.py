"""The one command: `meldroom`."""

import sys

from meldroom.errors import MissingExtraError, needs


def main() -> None:
    """Run the command, or say in one sentence what is missing to run it."""
    try:
        with needs("cli"):
            import rich  # noqa: F401
            import typer  # noqa: F401

            from meldroom.cli.app import run
        run()
    except MissingExtraError as error:
        print(f"meldroom: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:  # while a command was still being loaded
        raise SystemExit(130) from None
