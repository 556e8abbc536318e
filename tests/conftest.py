"""What all tests share.

Helpers are modules next to the tests that use them, imported as ``tests.<folder>.<module>``.
"""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

from loopline.tools.cache import tool_environment

# All tests share the tools' caches, whatever they make of LOOPLINE_CACHE.
os.environ.update(tool_environment())

set_hypothesis_home_dir(Path(__file__).parents[1] / "build" / "hypothesis")
# A test that passes here passes everywhere: the same examples each time, no limit on the time of
# one example on a busy machine, and no folder of examples in the checkout.
settings.register_profile("loopline", derandomize=True, deadline=None, database=None)
settings.load_profile("loopline")

# A failed assertion of a helper shows its values, as those of tests do.
_FOLDERS = [path.name for path in Path(__file__).parent.iterdir() if path.is_dir()]
pytest.register_assert_rewrite(*(f"tests.{name}" for name in _FOLDERS))

# In a shell's background job the tests, and what they start, ignore Ctrl-C. Tests that interrupt a
# program would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Boards and engines that are started play the same games each time.
os.environ["LOOPLINE_SEED"] = "0"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let proofs and simulated boards begin first.

    Among them are those that take longest. Begun last, they would run on when all the others are
    done and only one processor has work.
    """
    items.sort(key=lambda item: not ("formal" in item.path.name or "sim" in item.path.parts))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run under CI in which a test was skipped: there, all that they need is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
