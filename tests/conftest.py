"""What all tests share.

Helpers are modules next to the tests that use them, imported as ``tests.<folder>.<module>``.
"""

from hypothesis import settings

# A test that passes here passes everywhere: the same examples each time, no limit on the time of
# one example on a busy machine, and no folder of examples in the checkout.
settings.register_profile("loopline", derandomize=True, deadline=None, database=None)
settings.load_profile("loopline")
