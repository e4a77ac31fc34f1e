"""`meldroom arena`: an experiment of bots against bots, or the search for what beats a bot."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from meldroom.cli.arena.experiment import play_experiment
from meldroom.cli.arena.respond import respond

_PLAY = "run"


class _ExperimentUnlessNamed(TyperGroup):
    """Plays an experiment unless another command is named, so that `run` need not be said."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in self.commands
        return super().parse_args(ctx, args if named else [_PLAY, *args])


class _Experiment(TyperCommand):
    """Shown as `meldroom arena EXPERIMENT`."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        path = ctx.parent.command_path if ctx.parent is not None else ctx.command_path
        formatter.write_usage(path, " ".join(self.collect_usage_pieces(ctx)))


arena = typer.Typer(
    name="arena",
    cls=_ExperimentUnlessNamed,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Bots against bots, many games, statistics; and the search for what beats a bot.",
)
arena.command(_PLAY, cls=_Experiment)(play_experiment)
arena.command("respond")(respond)
