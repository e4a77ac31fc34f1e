"""The app's icons and the picture of a link's preview, drawn anew from `icon.svg` and the landing page.

    python bench/icons.py                       # into web/public; what it writes is in the repository

Run it after the drawing has changed. A real server and a real Chromium are started for the preview.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import zlib
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.game.notation.png import LETTERS, NUMERALS, TILE_WIDTHS, Size  # noqa: E402
from testkit.browser import chromium  # noqa: E402
from testkit.server.process import serving  # noqa: E402

PUBLIC = ROOT / "web" / "public"
GROUND = "#1f3a33"
SAFE = 0.8
"""The part of a maskable icon that every mask shows."""
PREVIEW = (1200, 630)
COLOURS = 128
GLYPHS = ROOT / "src" / "meldroom" / "game" / "notation" / "glyphs.bin"
FONT = "Optima,Candara,'Segoe UI','Noto Sans','Liberation Sans',sans-serif"
STAR = (
    '<path transform="translate({x} {y}) scale({scale})" d="M0,-15 L4.2,-5.4 L14.3,-4.6 L6.6,2.2 L8.9,12.1 '
    'L0,6.8 L-8.9,12.1 L-6.6,2.2 L-14.3,-4.6 L-4.2,-5.4 Z"/>'
)
LAYOUT = """() => {
  const picture = document.querySelector('.picture svg');
  const name = document.createElement('h1');
  name.textContent = 'Meldroom';
  document.body.replaceChildren(name, picture);
  Object.assign(document.body.style, {
    display: 'grid', alignContent: 'center', justifyItems: 'center', gap: '1.5rem', height: '630px',
    minHeight: '0', overflow: 'hidden', background: 'var(--cloth)', color: 'var(--cloth-body)',
  });
  name.style.font = '600 5.5rem/1 var(--display)';
  picture.style.width = '880px';
}"""


def icon(browser: Browser, size: int, *, whole: bool, part: float = 1.0) -> Image.Image:
    """The icon as pixels: round corners, or `whole` to the edges with the drawing on a part of it."""
    page = browser.new_page(viewport={"width": size, "height": size})
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    ground = GROUND if whole else "transparent"
    inner = size * part
    page.set_content(
        f"<style>*{{margin:0}}body{{background:{ground};display:grid;place-content:center;height:{size}px}}"
        f"svg{{display:block;width:{inner}px;height:{inner}px}}</style>{drawing}"
    )
    taken = page.screenshot(omit_background=not whole)
    page.close()
    return Image.open(io.BytesIO(taken))


def preview(browser: Browser) -> Image.Image:
    """The tiles of the landing page under the name, in the size that previews of links have."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as server:
        width, height = PREVIEW
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto(server.url)
        page.locator(".picture svg").wait_for()
        page.evaluate(LAYOUT)
        taken = page.screenshot()
        page.close()
    return Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS)


def masks(browser: Browser) -> bytes:
    """The numerals and letters of tiles as shares of ink, in the order in which `to_png` reads them."""
    page = browser.new_page(viewport={"width": 200, "height": 200})
    drawn = bytearray()
    for width in TILE_WIDTHS:
        for glyph in NUMERALS + LETTERS:
            wide, high = Size(width).cell(glyph)
            ink = STAR if glyph == "*" else f'<text x="50%" y="50%" dy=".36em">{glyph}</text>'
            size = high * (1.28 if glyph in NUMERALS else 1.15)
            page.set_content(
                "<style>*{margin:0}svg{display:block;background:#000;fill:#fff}"
                f"text{{font:700 {size}px {FONT};text-anchor:middle}}</style>"
                f'<svg width="{wide}" height="{high}" overflow="hidden">'
                f"{ink.format(x=wide / 2, y=high / 2, scale=wide / 28)}</svg>"
            )
            taken = page.screenshot(clip={"x": 0, "y": 0, "width": wide, "height": high})
            drawn += Image.open(io.BytesIO(taken)).convert("L").tobytes()
    page.close()
    return zlib.compress(bytes(drawn), 9)


def main() -> None:
    """Write them all."""
    parser = argparse.ArgumentParser(description="Draw the icons anew.")
    parser.add_argument("--folder", type=Path, default=PUBLIC)
    folder: Path = parser.parse_args().folder
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        pictures = {
            "icon-192.png": icon(browser, 192, whole=False),
            "icon-512.png": icon(browser, 512, whole=False),
            "icon-maskable-512.png": icon(browser, 512, whole=True, part=SAFE),
            "apple-touch-icon.png": icon(browser, 180, whole=True),
            "preview.png": preview(browser),
        }
        for name, picture in pictures.items():
            picture.save(folder / name, optimize=True)
            sys.stdout.write(f"{name}: {(folder / name).stat().st_size / 1000:.1f} KB\n")
        icon(browser, 32, whole=False).save(folder / "favicon.ico", sizes=[(32, 32)])
        GLYPHS.write_bytes(masks(browser))
        sys.stdout.write(f"{GLYPHS.name}: {GLYPHS.stat().st_size / 1000:.1f} KB\n")
        browser.close()


if __name__ == "__main__":
    main()
