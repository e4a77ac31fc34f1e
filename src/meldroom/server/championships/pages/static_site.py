"""The results as a small static site: one page a language, nothing to load, to be put anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from meldroom.i18n import Language, languages, locale, message
from meldroom.server.championships.pages.schemas import (
    ChampionshipPage,
    GameLine,
    PersonLine,
    SittingPage,
    StagePage,
    StandingsPage,
    StandingsRow,
    VoidLine,
)

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2421; --paper: #faf8f3; --line: #d8d3c6; --soft: #5d665f;
  --mark: #1f6b4f; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece8dc; --paper: #161c19; --line: #37413b;
  --soft: #a3ada5; --mark: #7fd1ae; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
h1 { margin: 0; font-size: 1.8rem; } header p { margin: 0; color: var(--soft); }
header .languages { margin-left: auto; } a { color: var(--mark); }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.35rem; border-bottom: 2px solid var(--mark); }
h3 { margin: 1.5rem 0 .25rem; font-size: 1.05rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td.number, th.number { text-align: right; width: 1%; white-space: nowrap; }
td:not(.number) { min-width: 7rem; } small strong { color: var(--mark); }
small { color: var(--soft); white-space: nowrap; }
nav ul { margin: .75rem 0 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0;
  list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.note { color: var(--soft); }
@media print { body { max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
"""


def site(page: ChampionshipPage, head: str) -> dict[str, bytes]:
    """The files of the site, by name. `head` is the hash of the log's last line."""
    files = {f"{language}.html": _Page(page, language, head).html().encode() for language in languages()}
    return {**files, "index.html": files[f"{page.language}.html"]}


def _score(game: GameLine, seat: int) -> str:
    """A seat's score in a game; a won one stands out."""
    score = game.scores[seat]
    text = "–" if score is None else f"{score:+d}"
    return f"<strong>{text}</strong>" if seat in game.winners else text


class _Page:
    """The page in one language."""

    def __init__(self, page: ChampionshipPage, language: Language, head: str) -> None:
        self.page, self.language, self.head = page, language, head
        self.names = {one.number: one.name for one in page.people}

    def text(self, key: str, **details: str | int) -> str:
        """A message of the page, escaped."""
        return escape(message(f"championships.site.{key}", self.language, **details))

    def html(self) -> str:
        """The whole document."""
        page = self.page
        others = " ".join(
            f'<a href="{other}.html" lang="{other}" hreflang="{other}">{escape(locale(other).name)}</a>'
            for other in languages()
            if other != self.language
        )
        sections = [self._ranking(), *(part for stage in page.stages for part in self._stage(stage))]
        sections.append(self._players())
        links = [("ranking", self.text("ranking"))] if page.ranking else []
        links += [(stage.id, escape(stage.name[self.language])) for stage in page.stages]
        links += [("players", self.text("players"))] if page.people else []
        way = "".join(f'<li><a href="#{escape(name)}">{title}</a></li>' for name, title in links)
        made = self.text("made", version=str(page.version), head=self.head)
        subtitle = f"{self.text('edition', number=str(page.edition))} · {page.date.isoformat()} · "
        subtitle += escape(page.format_name[self.language])
        body = "\n".join(part for part in sections if part)
        return f"""<!doctype html>
<html lang="{self.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.name)}</title>
<style>{_STYLE}</style>
</head>
<body>
<header><h1>{escape(page.name)}</h1><p>{subtitle}</p>
<nav class="languages">{others}</nav></header>
<nav><ul>{way}</ul></nav>
<main>
{body}
</main>
<footer><p>{made}</p></footer>
</body>
</html>
"""

    def _ranking(self) -> str:
        rows = [
            [str(line.place), self._name(line.number), self._country(line.number)]
            for line in self.page.ranking
        ]
        if not rows:
            return ""
        table = self._table(("place", "player", "country"), rows, (0,))
        return self._section("ranking", self.text("ranking"), table)

    def _stage(self, stage: StagePage) -> Iterable[str]:
        parts = []
        if stage.standings is not None:
            parts.append(f"<h3>{self.text('standings')}</h3>{self._standings(stage.standings)}")
        if stage.ended is not None:
            parts.append(f'<p class="note">{self.text("ended", why=stage.ended)}</p>')
        parts += [self._sitting(stage, sitting) for sitting in stage.seated]
        if stage.draw is not None:
            parts.append(f"<h3>{self.text('draw')}</h3>{self._draw(stage)}")
        if not parts:
            parts = [f'<p class="note">{self.text("nothing")}</p>']
        yield self._section(stage.id, escape(stage.name[self.language]), "\n".join(parts))

    def _standings(self, found: StandingsPage) -> str:
        points = any(row.points for row in found.rows)
        titles = ["place", "player", "country", "wins", "score", "games", "decided"]
        if points:
            titles.insert(4, "points")
        if not found.final:
            titles.append("reach")
        rows = []
        for row in found.rows:
            cells = [
                str(row.place) if row.placed else "–",
                self._with_status(row),
                self._country(row.number),
                str(row.wins),
            ]
            cells += [str(row.points)] if points else []
            cells += [f"{row.score:+d}", str(row.games)]
            cells.append(
                escape(message(f"championship.decided_by.{row.decided_by or 'none'}", self.language))
            )
            if not found.final:
                cells.append(f"{row.best}–{row.worst}" if row.best is not None else "")
            rows.append(cells)
        right = [place for place, title in enumerate(titles) if title not in ("player", "country", "decided")]
        return self._table(titles, rows, right)

    def _sitting(self, stage: StagePage, sitting: SittingPage) -> str:
        """The tables of a sitting: who sat there, and what of it is out."""
        title = self.text("sitting", number=sitting.sitting)
        seats = max((len(table.players) for table in sitting.tables), default=0)
        head = [self.text("table"), *(self.text("seat", number=seat + 1) for seat in range(seats))]
        rows = []
        for table in sitting.tables:
            cells = [f'<td class="number">{table.table}</td>']
            for seat, number in enumerate(table.players):
                scores = " ".join(_score(game, seat) for game in table.games)
                scored = f"<br><small>{scores}</small>" if scores else ""
                cells.append(f"<td>{self._name(number)}{scored}</td>")
            cells += ["<td></td>"] * (seats - len(table.players))
            rows.append(f"<tr>{''.join(cells)}</tr>")
        note = ""
        if not any(table.games for table in sitting.tables):
            note = f'<p class="note">{self.text("held")}</p>' if self.page.standings_mode == "held" else ""
        titles = "".join(f'<th scope="col">{title}</th>' for title in head)
        body = f"<thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody>"
        note += "".join(
            f'<p class="note">{self._void(table.table, void)}</p>'
            for table in sitting.tables
            for void in table.void
            if void.signed or not void.early
        )
        return f'<h3>{title}</h3>{note}<div class="scroll"><table>{body}</table></div>'

    def _void(self, table: int, void: VoidLine) -> str:
        key = "void_signed" if void.signed else "void"
        return self.text(key, table=table, game=void.game, why=void.why)

    def _draw(self, stage: StagePage) -> str:
        draw = stage.draw
        assert draw is not None
        lines = [("commitment", draw.commitment), ("digest", draw.digest)]
        if draw.words:
            lines.append(("words", " · ".join(draw.words)))
        if draw.seed is not None:
            lines.append(("seed", draw.seed))
        terms = "".join(f"<dt>{self.text(key)}</dt><dd>{escape(value)}</dd>" for key, value in lines)
        return f"<dl>{terms}</dl>"

    def _players(self) -> str:
        rows = [
            [str(one.number), escape(one.name), self._land(one), escape(self._about(one))]
            for one in self.page.people
        ]
        table = self._table(("", "player", "country", ""), rows, (0,))
        return self._section("players", self.text("players"), table) if rows else ""

    def _land(self, one: PersonLine) -> str:
        """A country, or that somebody represents none."""
        return escape(
            message("championship.command.no_country", self.language) if one.no_country else one.country
        )

    def _about(self, one: PersonLine) -> str:
        """A status, and what the director admitted somebody against."""
        admitted = (
            message(
                f"championship.command.admitted_{'known' if each.known else 'unknown'}",
                self.language,
                what=message(f"championship.verdict.{each.condition}", self.language),
                clause=each.clause or "–",
            )
            for each in one.admitted
        )
        return "; ".join((self._status(one.status), *admitted))

    def _status(self, status: str) -> str:
        return message(f"championship.status.{status}", self.language)

    def _with_status(self, row: StandingsRow) -> str:
        """A name, marked if the player is out."""
        return self.text("out", name=self.names[row.number]) if row.out else self._name(row.number)

    def _country(self, number: int) -> str:
        return escape(self.page.people[number - 1].country)

    def _name(self, number: int) -> str:
        return escape(self.names[number])

    def _section(self, name: str, title: str, body: str) -> str:
        return f'<section id="{escape(name)}"><h2>{title}</h2>\n{body}</section>'

    def _table(self, titles: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int]) -> str:
        """A table; the cells are escaped already."""

        def cell(tag: str, place: int, text: str) -> str:
            mark = ' class="number"' if place in right else ""
            scope = ' scope="col"' if tag == "th" else ""
            return f"<{tag}{scope}{mark}>{text}</{tag}>"

        head = "".join(
            cell("th", place, self.text(title) if title else "") for place, title in enumerate(titles)
        )
        body = "".join(
            f"<tr>{''.join(cell('td', place, text) for place, text in enumerate(row))}</tr>" for row in rows
        )
        return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
