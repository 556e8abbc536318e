"""``python -m loopline.host``: the same as the command ``loopline``."""

from __future__ import annotations

import sys

from loopline.host.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
