"""The page of an analysis, turn by turn with keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.host.pages.test_analysis_page import GAME, page_of

if TYPE_CHECKING:
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")


def test_arrow_keys_step_and_move_only_what_is_wide(sit_down: Callable[..., Table]) -> None:
    # Its policy forbids scripts of others, and those of this test.
    page = sit_down("", viewport={"width": 320, "height": 700}, bypass_csp=True).page
    page.set_content(page_of(GAME))
    place, table = page.get_by_role("status"), page.locator(".list .scrolled")
    assert place.inner_text() == "1 of 10"
    page.keyboard.press("ArrowRight")
    assert place.inner_text() == "2 of 10"
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.list .scrolled').scrollLeft > 0")
    assert place.inner_text() == "2 of 10"
    # From a link in the table, and in a table that is not wide, the keys step.
    table.get_by_role("link").nth(4).click()
    page.keyboard.press("ArrowRight")
    assert place.inner_text() == "6 of 10"
    page.set_viewport_size({"width": 1200, "height": 700})
    table.focus()
    page.keyboard.press("ArrowLeft")
    assert place.inner_text() == "5 of 10"
