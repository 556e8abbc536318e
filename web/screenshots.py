"""Takes the pictures of the page in ``docs/pictures``: on a desk's screen and on a phone's.

    python -m loopline.web.screenshots docs/pictures

needs the extra ``browser`` and Chromium. Two runs differ in what the browser makes of fonts.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loopline.tools.arguments import Parser
from loopline.web.write_page import write_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["main", "serve_folder"]

_GAME = "#standard:@0/,A2+,B2~,C2/,A0+,B4~,@2+,A3/,E3/,@4~,G3/,@3/,D0+,B6+,F3+,F2/,A7/,F0/"
_EARLIER = "#standard:@0/,A2+,B2~,C2/,A0+,B4~,@2+,A3/,E3/,@4~,G3/"
_DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
_PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "color_scheme": "dark",
}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as there)
        """Say nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder to this machine; yield the address."""
    handler = functools.partial(_Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def _desk(page: Page) -> None:
    """A turn is looked at before it is played: it forces two tiles and wins."""
    page.locator('[aria-label^="D8,"]').click()
    page.get_by_role("button", name="Tile \\", exact=True).click()
    page.locator("#board .ghost .face").nth(2).wait_for()


def _phone(page: Page) -> None:
    """The board evaluates a position, and its best turns are drawn."""
    page.locator("#evaluate").check()
    page.locator("#score:text-matches('depth [3-9]')").wait_for()


def _take(browser: Browser, address: str, options: dict[str, Any], file: Path, act: Any) -> None:
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script("localStorage.setItem('loopline.guided', 'true')")
    page.goto(address)
    page.locator("#board .space").first.wait_for()
    act(page)
    page.screenshot(path=file, animations="disabled")
    context.close()


def main(words: Sequence[str] | None = None) -> int:
    """Write ``page-desk.png`` and ``page-phone.png`` to a folder; return the exit status."""
    parser = Parser(prog="python -m loopline.web.screenshots", description=__doc__ or "")
    parser.add_argument("folder", metavar="DIR", type=Path, help="made if it does not exist")
    folder = parser.parse_args(words).folder
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        parser.error("needs the extra `browser` of loopline")
    if not (chromium := shutil.which("chromium")):
        parser.error("there is no program `chromium`")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as page, sync_playwright() as playwright:
        write_page(Path(page))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serve_folder(Path(page)) as address:
            _take(browser, address + _GAME, _DESK, folder / "page-desk.png", _desk)
            _take(browser, address + _EARLIER, _PHONE, folder / "page-phone.png", _phone)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
