"""`meldroom championship draw` and `seat`: the raffle, and later sittings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship import (
    AddWord,
    AnnounceDraw,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    Reveal,
    SeatSitting,
    read_state,
)
from meldroom.championship.actions import DrawnLot, How
from meldroom.championship.input import current, parse_tables, to_seat, to_set_by_hand
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.sittings import (
    apart_where_possible,
    groups_before,
    groups_by,
    prepare_draw,
    seeded,
)
from meldroom.championship.text import (
    format_sitting,
    line,
)
from meldroom.cli.championship.options import (
    As,
    By,
    HallWord,
    Log,
    Reason,
    SittingOption,
    StageOption,
    bytes_of,
    championship,
    show,
)
from meldroom.cli.options import Lang
from meldroom.game import new_secret
from meldroom.league.ratings import read_ratings


@championship.command()
def draw(
    file: Log,
    stage: StageOption = None,
    announce: Annotated[
        bool, typer.Option("--announce", help="Close the list and commit to a seed.")
    ] = False,
    seed: Annotated[str | None, typer.Option("--seed", help="A seed of your own, with --announce.")] = None,
    apart_by: Annotated[
        str | None,
        typer.Option(
            "--apart-by", metavar="country|team", help="Keep apart who share this; teams if they count."
        ),
    ] = None,
    apart: Annotated[
        list[str] | None, typer.Option("--apart", metavar="PLAYERS", help="A family to keep apart: “3 17”.")
    ] = None,
    as_before: Annotated[
        bool, typer.Option("--apart-as-before", help="Keep apart who was kept apart in the draws before.")
    ] = False,
    apart_in: Annotated[ApartIn, typer.Option("--apart-in", help="In the first sitting or in all.")] = "all",
    seeds: Annotated[
        Path | None,
        typer.Option("--seeds", help="A rating list: its best players here get a table each."),
    ] = None,
    new_opponents: Annotated[
        bool,
        typer.Option("--new-opponents", help="Avoid opponents of the stages before, as far as possible."),
    ] = False,
    one_short: Annotated[
        bool, typer.Option("--one-short", help="Avoid a second short table, as far as possible.")
    ] = False,
    word: Annotated[str | None, typer.Option("--word", help="A word or dice from the hall.")] = None,
    reveal: Annotated[str | None, typer.Option("--reveal", metavar="SEED", help="Show the seed.")] = None,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Draw table and seat by lot: announce, let the hall add words, reveal.

    To announce a draw again takes a --reason, which everybody can read afterwards.

    \b
    Examples:
      meldroom championship draw open.jsonl --announce --apart-by country --apart-in first --by Dana
      meldroom championship draw open.jsonl --announce --seeds ratings.json --apart-in first --by Dana
      meldroom championship draw open.jsonl --announce --new-opponents --one-short --by Dana
      meldroom championship draw open.jsonl --word "dice 4 2 6" --by Dana
      meldroom championship draw open.jsonl --reveal SEED --by Dana
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        name = log.state.format.stage(named).name[lang]
        if announce:
            groups = _groups(log.state, named, apart_by)
            groups += [list(parse_tables(log.state, text.replace("/", " "))[0]) for text in apart or []]
            groups += groups_before(log.state, named) if as_before else []
            if seeds is not None:
                rated = [one.name for one in read_ratings(bytes_of(seeds)).players]
                group = seeded(log.state, named, rated)
                groups += [group] if len(group) > 1 else []
            if apart_by is None and not groups and log.state.arrangements.teams is not None:
                teams = groups_by(log.state, named, "team")
                kept_apart, apart_in = apart_where_possible(log.state, named, teams)
                groups = [list(group) for group in kept_apart]
                if teams:
                    how = apart_in if groups else "none"
                    typer.echo(line(f"teams_apart_{how}", lang))
            numbers, entry = prepare_draw(
                log.state, named, groups, apart_in, new_opponents=new_opponents, one_short=one_short
            )
            kept = new_secret() if seed is None else seed
            action = AnnounceDraw(named, numbers, entry, entry.commitment(kept))
            log.append(action, author=by, role=role, reason=reason)
            announced = line(
                "announced",
                lang,
                stage=name,
                count=len(numbers),
                commitment=action.commitment,
                seed=kept,
            )
            typer.echo(announced)
        if word is not None:
            log.append(AddWord(named, word), author=by, role=role)
            typer.echo(line("word", lang, stage=name, word=word))
        if reveal is not None:
            log.append(Reveal(named, reveal), author=by, role=role)
            typer.echo(line("drawn", lang, stage=name))
            show(format_sitting(log.state, (named, 1), lang))
        if not announce and word is None and reveal is None:
            raise ChampionshipError("say_what", options="--announce, --word, --reveal")


def _groups(state: ChampionshipState, stage: str, apart_by: str | None) -> list[list[int]]:
    """Who is kept apart. Raises ChampionshipError."""
    if apart_by is None:
        return []
    if apart_by not in ("country", "team"):
        raise ChampionshipError("say_what", options="--apart-by country, --apart-by team")
    return groups_by(state, stage, apart_by)


@championship.command()
def seat(
    file: Log,
    stage: StageOption = None,
    sitting: SittingOption = None,
    by_standings: Annotated[bool, typer.Option("--by-standings", help="Seat neighbours in rank.")] = False,
    change: Annotated[bool, typer.Option("--change", help="Change a plan for who has left or come.")] = False,
    late: Annotated[
        bool, typer.Option("--late", help="Draw an open place for who came late; nobody else moves.")
    ] = False,
    by_hand: Annotated[
        str | None, typer.Option("--by-hand", metavar="TABLES", help="Your own: “1 2 3 4 / 5 6 7”.")
    ] = None,
    hall_word: HallWord = "",
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Show a sitting, or seat it by the standings, as a change of the plan, or by hand.

    \b
    Examples:
      meldroom championship seat open.jsonl
      meldroom championship seat open.jsonl --sitting 2 --by-standings --by Dana
      meldroom championship seat open.jsonl --late --reason "came late" --by Dana
      meldroom championship seat open.jsonl --sitting 3 --change --reason "5 and 12 left" --by Dana
    """
    how: How = "standings" if by_standings else "change" if change else "late" if late else "hand"
    if not (by_standings or change or late or by_hand is not None):
        state = read_state(file)
        key = current(state, stage, sitting)
        if key not in state.seatings:
            raise ChampionshipError("not_seated", stage=key[0], sitting=key[1])
        show(format_sitting(state, key, lang))
        return
    with ChampionshipLog.open(file) as log:
        wanted = {"standings": to_seat, "hand": to_set_by_hand}.get(how, current)
        named, place = wanted(log.state, stage, sitting)
        tables = parse_tables(log.state, by_hand) if by_hand is not None else ()
        wanted_seats = SeatSitting(named, place, how, tables, lot=DrawnLot(word=hall_word))
        done = log.append(wanted_seats, author=by, role=role, reason=reason).action
        show(format_sitting(log.state, (named, place), lang))
        if isinstance(done, SeatSitting) and how != "hand":
            typer.echo(line("seated", lang, repeats=done.repeats))
            if done.sitting_out:
                typer.echo(line("sitting_out", lang, names=log.state.names(done.sitting_out)))
