"""The package as its users see it."""

from __future__ import annotations

import doctest

import loopline.game


def test_the_example_in_the_docstring() -> None:
    outcome = doctest.testmod(loopline.game)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_all_public_names_exist() -> None:
    names = loopline.game.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(loopline.game, name) for name in names)
