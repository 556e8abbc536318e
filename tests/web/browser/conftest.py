"""A browser, and servers of the page. Without Chromium or Playwright the tests are skipped."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.host.program import environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.browser.table import Table

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
HAS_PLAYWRIGHT = all(map(importlib.util.find_spec, ("playwright", "axe_playwright_python")))


class Serving:
    """``loopline serve`` as a program: it can be ended, and started again at the same port."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        port = self.address.rpartition(":")[2].rstrip("/") or "0"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "loopline.host", "serve", "--port", port, *self._words],
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip().partition("#")[0]
        assert self.address.startswith("http://127.0.0.1:")

    def end(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.terminate()
        self._process.wait(60)
        self._process.stdout.close()


# Of a module: as long as Playwright runs, no other test of this process can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not (CHROMIUM and HAS_PLAYWRIGHT):
        pytest.skip("there is no Chromium, or no Playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Without a sandbox: it is not there for root, and all pages are ours.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(browser: Browser) -> Iterator[Serving]:
    """A server with an engine, and no board in the page."""
    serving = Serving("--device", "engine")
    serving.start()
    yield serving
    serving.end()


@pytest.fixture
def sit_down(browser: Browser) -> Iterator[Callable[..., Table]]:
    """Open a tab with a table: of an address, with options of a browser's context."""
    from tests.web.browser.table import Table

    contexts = []
    tables = []

    def open_tab(address: str, **options: Any) -> Table:
        contexts.append(browser.new_context(**options))
        tables.append(Table(contexts[-1].new_page(), address))
        return tables[-1]

    yield open_tab
    for context in contexts:
        context.close()
    assert [error for table in tables for error in table.errors] == []


@pytest.fixture(scope="session")
def static_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with its own board, which takes long to build the first time."""
    if not importlib.util.find_spec("ziglang"):
        pytest.skip("there is no ziglang")
    from loopline.web.write_page import write_page

    folder = tmp_path_factory.mktemp("page")
    write_page(folder)
    return folder
