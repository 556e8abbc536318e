"""The documents: the commands in them print what stands below."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.program import environment

DOCS = Path(__file__).resolve().parents[3] / "docs"
EXAMPLE = re.compile(r"```sh\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(("name", "count"), [("notation.md", 1), ("records.md", 2)])
def test_examples(name: str, count: int) -> None:
    examples = EXAMPLE.findall((DOCS / name).read_text(encoding="utf-8"))
    assert len(examples) == count
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command, output in examples:
        done = subprocess.run(
            ["sh", "-c", command],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment(PATH=path),
            check=False,
        )
        assert (done.stdout, done.stderr) == (output, "")
