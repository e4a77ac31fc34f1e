"""The report of an experiment: one HTML file with its plots in it, for screen, phone and paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from meldroom import __version__
from meldroom.arena.experiment import Experiment, to_json
from meldroom.arena.reporting import plots
from meldroom.arena.reporting.number_format import estimate, number, percent, share_text
from meldroom.arena.reporting.statistics import Estimate
from meldroom.arena.reporting.summary import Line, Results, lost_games
from meldroom.bots.levels import LEVELS
from meldroom.i18n import Language, Message, message


def report(results: Results, lines: Sequence[Line], language: Language = "en") -> bytes:
    """The whole page. The same results give the same bytes."""
    experiment = results.experiment
    title = experiment.title or message("arena.head.experiment", language)
    style = (resources.files("meldroom.arena.reporting") / "report.css").read_text(encoding="utf-8")
    parts = [
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
        f"<h1>{escape(title)}</h1>",
        *_opening(experiment, language),
        *(
            part
            for place in range(len(experiment.books))
            for part in _section(results, lines, place, language)
        ),
        *_closing(experiment, language),
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts).encode()


def _opening(experiment: Experiment, language: Language) -> Iterable[str]:
    lead = "arena.report.lead" if experiment.mirrored else "arena.report.lead_plain"
    yield f"<p>{escape(message(lead, language, count=experiment.games, deals=_deals(experiment)))}</p>"
    conduct = f"arena.report.conduct.{experiment.conduct}"
    for key in (conduct, "arena.report.intervals", "arena.report.ratings"):
        yield f'<p class="quiet">{escape(message(key, language))}</p>'
    if len(experiment.books) > 1:
        links = "".join(
            f'<li><a href="#book-{place}">{escape(entry.name)}</a></li>'
            for place, entry in enumerate(experiment.books, start=1)
        )
        yield f'<nav aria-label="{message("arena.report.contents", language)}"><ul>{links}</ul></nav>'


def _deals(experiment: Experiment) -> Message:
    return Message("arena.deals", {"count": sum(entry.deals for entry in experiment.books)})


def _section(results: Results, lines: Sequence[Line], place: int, language: Language) -> Iterable[str]:
    """One book: plots, everybody's results, and who did what to whom."""
    experiment = results.experiment
    entry = experiment.books[place]
    overall = [line for line in lines if line.book == entry.name and line.scope == "book"]
    tables = [line for line in lines if line.book == entry.name and line.scope == "table"]
    label = entry.book().name[language]
    heading = entry.name if label == entry.name else f"{entry.name} · {label}"
    yield f'<section id="book-{place + 1}">\n<h2>{escape(heading)}</h2>'
    yield _overall(overall, language)
    yield '<div class="plots">'
    yield from _plots(overall if experiment.format == "pairs" else tables, f"b{place + 1}", language)
    yield _openings(results, place, [line.bot for line in overall], language)
    yield "</div>"
    if experiment.format == "pairs":
        yield _against(tables, [line.bot for line in overall], language)
    yield _line_ups(tables, language)
    lost = lost_games(results, place)
    if lost:
        rows = [[escape(bot), str(count), escape(why)] for bot, (count, why) in lost.items()]
        heads = _heads(("bot", "games", "why"), language)
        yield _table(message("arena.report.caption_lost", language), heads, rows)
    yield "</section>"


def _plots(lines: Sequence[Line], key: str, language: Language) -> Iterable[str]:
    names = [f"{line.table}: {line.bot}" if line.table else line.bot for line in lines]
    wins, scores = [line.wins for line in lines], [line.score for line in lines]
    drawn = plots.intervals(
        names, wins, message("arena.report.axis_wins", language), shares=_scale(language), key=f"{key}-wins"
    )
    yield _figure(
        drawn, message("arena.report.play_wins", language), _describe(names, wins, language, share=True)
    )
    drawn = plots.intervals(names, scores, message("arena.report.axis_score", language), key=f"{key}-score")
    yield _figure(
        drawn, message("arena.report.play_scores", language), _describe(names, scores, language, share=False)
    )


def _scale(language: Language) -> list[str]:
    """Five shares for an axis."""
    return [percent(share / 4, language, digits=0) for share in range(5)]


def _describe(names: Sequence[str], found: Sequence[Estimate], language: Language, *, share: bool) -> str:
    """What a plot shows, in words."""
    texts = []
    for name, one in zip(names, found, strict=True):
        mean, low, high = (
            "–" if value is None else percent(value, language) if share else number(value, 1, language)
            for value in (one.mean, one.low, one.high)
        )
        texts.append(message("arena.report.alt_one", language, bot=name, mean=mean, low=low, high=high))
    return "; ".join(texts)


def _openings(results: Results, place: int, bots: Sequence[str], language: Language) -> str:
    """How soon each bot has opened."""
    experiment = results.experiment
    turns: dict[str, list[int | None]] = {name: [] for name in bots}
    for row in results.rows:
        if row.book == place:
            for seat in row.seats:
                turns[experiment.line_ups[row.line_up].seats[seat.place]].append(seat.opened)
    last = max((turn for each in turns.values() for turn in each if turn is not None), default=0)
    shares, texts = [], []
    for name, opened in turns.items():
        counts = [0] * (last + 1)
        for turn in opened:
            if turn is not None:
                counts[turn] += 1
        heights = [sum(counts[: turn + 1]) / len(opened) for turn in range(last + 1)]
        half = next((turn for turn, height in enumerate(heights) if height >= 0.5), None)
        code = "arena.report.alt_openings_never" if half is None else "arena.report.alt_openings"
        texts.append(message(code, language, bot=name, half=half or 0))
        shares.append(heights)
    labels = (message("arena.report.axis_turn", language), message("arena.report.axis_opened", language))
    drawn = plots.curves(list(turns), shares, labels, _scale(language), key=f"b{place + 1}-open")
    return _figure(drawn, message("arena.report.play_openings", language), "; ".join(texts))


def _figure(drawn: str, title: str, text: str) -> str:
    return (
        f"<figure>\n<figcaption>{escape(title)}</figcaption>\n"
        f'<div role="img" aria-label="{escape(title)}. {escape(text)}.">\n{drawn}\n</div>\n</figure>'
    )


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table whose first column names its rows. Cells are HTML already."""
    head = "".join(
        f'<th scope="col"{"" if place else " class=left"}>{escape(text)}</th>'
        for place, text in enumerate(heads)
    )
    body = "\n".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    label = escape(caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">\n<table class="{kind}">\n'
        f"<caption>{label}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


_COMMON = ("games", "wins", "score")
_DETAILS = ("turns", "opening", "never", "tiles", "faults")


def _cells(line: Line, language: Language) -> tuple[list[str], list[str]]:
    """The common cells of a line, and its details."""
    common = [
        str(line.games),
        _with_interval(line.wins, language, share=True),
        _with_interval(line.score, language, share=False),
    ]
    details = [
        number(line.turns, 1, language),
        number(line.opening, 2, language),
        percent(line.never, language),
        number(line.tiles, 2, language),
        number(line.faults, 2, language),
    ]
    return common, details


def _with_interval(found: Estimate, language: Language, *, share: bool) -> str:
    mean, interval = estimate(found, language) if not share else share_text(found, language)
    return f"{mean} <small>{interval}</small>" if interval else mean


def _heads(keys: Sequence[str], language: Language) -> list[str]:
    return [message(f"arena.head.{key}", language) for key in keys]


def _overall(lines: Sequence[Line], language: Language) -> str:
    rows = []
    for line in lines:
        common, details = _cells(line, language)
        rating = "–"
        if line.rating is not None:
            mu, sigma = (number(one, 2, language) for one in (line.rating.mu, line.rating.sigma))
            rating = f"{mu} <small>± {sigma}</small>"
        rows.append([escape(line.bot), *common, rating, *details])
    heads = _heads(("bot", *_COMMON, "rating", *_DETAILS), language)
    return _table(message("arena.report.caption_overall", language), heads, rows)


def _line_ups(lines: Sequence[Line], language: Language) -> str:
    rows = []
    for line in lines:
        common, details = _cells(line, language)
        rows.append([escape(line.table), escape(line.bot), *common, *details])
    heads = _heads(("table", "bot", *_COMMON, *_DETAILS), language)
    return _table(message("arena.report.caption_line_ups", language), heads, rows, "line-ups")


def _against(lines: Sequence[Line], bots: Sequence[str], language: Language) -> str:
    """Everybody against everybody: wins of the row, shaded by how many."""
    found = {}
    for line in lines:
        other = next(each.bot for each in lines if each.table == line.table and each.bot != line.bot)
        found[line.bot, other] = line.wins
    rows = []
    for bot in bots:
        cells = []
        for other in bots:
            wins = found.get((bot, other))
            if wins is None:
                cells.append("<span>–</span>")
                continue
            shade = f"background: color-mix(in srgb, var(--shade) {round(40 * wins.mean)}%, transparent)"
            cells.append(f'<span style="{shade}">{_with_interval(wins, language, share=True)}</span>')
        rows.append([escape(bot), *cells])
    heads = [message("arena.head.bot", language), *bots]
    return _table(message("arena.report.caption_against", language), heads, rows, "against")


def _closing(experiment: Experiment, language: Language) -> Iterable[str]:
    yield f"<section>\n<h2>{message('arena.report.bots', language)}</h2>\n<dl>"
    for bot in experiment.bots:
        if bot.command:
            command, seconds = " ".join(bot.command), number(bot.seconds, 1, language)
            thinks = message("arena.report.program", language, command=command, seconds=seconds)
        elif bot.python:
            settings = "".join(f", {key} = {value}" for key, value in bot.parameters.items())
            thinks = message("arena.report.python_class", language, name=bot.python) + settings
        else:
            settings = "".join(f", {key} = {value}" for key, value in bot.parameters.items())
            level = LEVELS[bot.level]
            thinks = f"{level.name(language)}{settings}. {level.thinks(language)}"
        yield f"<dt>{escape(bot.name)}</dt><dd>{escape(thinks)}</dd>"
    text = to_json(experiment, __version__).decode()
    yield "</dl>\n</section>"
    yield f"<details>\n<summary>{message('arena.report.configuration', language)}</summary>"
    yield f"<pre>{escape(text)}</pre>"
    made = message("arena.report.made", language, version=__version__)
    yield f'</details>\n<p class="quiet">{escape(made)}</p>'
