"""What all tests share.

Helpers are modules next to the tests that use them, imported as ``tests.<folder>.<module>``.
"""

import gc
import os
import re
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


def pytest_configure(config: pytest.Config) -> None:
    """Let property tests have all their examples where slow tests run."""
    # Imported here: its assertions are to be rewritten.
    from tests.game import strategies

    strategies.THOROUGH = "not slow" not in config.option.markexpr


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let proofs, simulated boards and bitstreams begin first; let most faults in proofs be slow.

    Among the first are those that take longest. Begun last, they would run on when all the others
    are done and only one processor has work.

    A fault that a proof has to find shows that the proof can fail. The first one of each file is
    quick; the others change with the proof only, and ``make formal`` runs them.
    """
    seen = set()
    for item in items:
        if "formal" in item.path.name and "finds_a" in item.name:
            if item.path in seen:
                item.add_marker(pytest.mark.slow)
            seen.add(item.path)
    first = re.compile(r"tests/sim/|formal[^/]*$|decoded[^/]*$")
    items.sort(key=lambda item: not first.search(item.path.as_posix()))


def pytest_collection_finish() -> None:
    """Let the garbage collector leave the thousands of tests alone, and come less often.

    With its usual thresholds it takes a fifth of the time of a test in Amaranth's simulator.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run under CI in which a test was skipped: there, all that they need is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
