"""The documents: their programs run, their commands print what stands below, or can be read."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from loopline.bench.__main__ import BENCHES
from loopline.host.cli.commands import SUBCOMMANDS
from loopline.tools.arguments import Parser
from tests.host.program import environment

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")]),
]
BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>python|sh)\n(?P<code>.*?)^ *```\n"
    r"(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)


LINK = re.compile(r"""\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)\"""")
PATH = re.compile(
    r"`((?:game|hdl|engine|sim|boards|host|bench|tests|tools|web|docs)/[\w./*-]+)[`:]"
)
COMMAND = re.compile(r"loopline (?:analyse|bench|convert|replay|show) [^`\n]*")
WRITTEN = re.compile(r"(?:-o|--save|--output|--annotate|>) *\S+")


class Block(NamedTuple):
    """A block of code, with what it prints if that stands below it."""

    language: str
    code: str
    output: str | None


def blocks(language: str, *, printed: bool | None = None) -> list[object]:
    """All blocks of a language, as parameters; only those with or without an output if asked."""
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            block = Block(match["language"], match["code"], match["output"])
            if block.language == language and printed in (None, block.output is not None):
                found.append(pytest.param(block, id=f"{path.relative_to(ROOT)}:{line}"))
    return found


def without_code(text: str) -> str:
    """A document without its blocks and spans of code."""
    return re.sub(r"^ *```.*?^ *```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def document_id(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=document_id)
def test_every_link_leads_to_something(document):
    for match in LINK.finditer(without_code(document.read_text(encoding="utf-8"))):
        link = match[1] or match[2]
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if path.parent.name != "log"], ids=document_id
)
def test_every_file_that_is_named_exists(document):
    for match in PATH.finditer(document.read_text(encoding="utf-8")):
        found = [*ROOT.glob(match[1])] or [*ROOT.glob(f"{match[1]}.py")]
        assert found, match[1]


def test_every_file_that_a_command_reads_exists():
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8") if path.parent.name != "log" else ""
        assert "../shared" not in text, path
        for command in COMMAND.findall(text):
            read = WRITTEN.sub("", command.partition("#")[0])
            for word in re.findall(r"[\w./-]+\.(?:txt|trx)\b", read):
                made = f"> {word}\n" in text
                assert made or (ROOT / word).exists() or (path.parent / word).exists(), command


@pytest.mark.parametrize("block", blocks("python"))
def test_a_program_runs_and_prints_what_stands_below(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.code, "document", "exec", dont_inherit=True), {"__name__": "__main__"})
    assert block.output in (None, printed.getvalue())


@pytest.mark.parametrize("block", blocks("sh", printed=True))
def test_a_command_prints_what_stands_below(block, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", block.code],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env=environment(PATH=path),
        check=False,
    )
    assert (done.stdout, done.stderr) == (block.output, "")


@pytest.mark.parametrize("block", blocks("sh", printed=False))
def test_a_command_that_takes_long_or_needs_a_board_can_be_read(block):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in block.code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        program, *arguments = words
        if program == "make":
            assert arguments[0] in targets
        elif Path(program).name == "loopline":
            name, *rest = arguments
            module = SUBCOMMANDS[name].module
            if name == "bench":
                assert rest[0] in BENCHES
            elif module != "programs":
                command = import_module(f"loopline.host.cli.commands.{module}").COMMANDS[name]
                parser = Parser(prog=name, description="", examples=())
                command.configure(parser)
                parser.parse_args(rest)
