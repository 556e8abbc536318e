"""Starts a program as ``python -m`` does, but that Ctrl-C while it loads is no traceback.

Run it with ``python -m loopline.tools.start PACKAGE ARGUMENTS``.
"""

from __future__ import annotations

import runpy
import sys

if __name__ == "__main__":
    del sys.argv[0]
    try:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(130)
