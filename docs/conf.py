"""The documents as a site: `make site`.

Sphinx reads README, CONTRIBUTING, CHANGELOG and `docs`, with the root of the checkout as its source
folder, so that their links are those that a reader of the checkout follows. The contents come from
`index.md`, whose lists name all documents.
"""

from __future__ import annotations

import re
import shutil
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]

project = "Loopline"
author = "the authors of Loopline"
release = metadata.version("loopline")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md"]
# A heading's anchor is that of a reader who sees the Markdown itself.
myst_heading_anchors = 4

html_theme = "furo"
html_title = "Loopline"
html_copy_source = False
html_show_sphinx = False


def contents() -> str:
    """Make the site's contents of the lists in `index.md`, which name all documents."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    trees = []
    for part in re.split(r"^\*\*(?=.+\*\*)", text, flags=re.MULTILINE)[1:]:
        caption = part.split(".", 1)[0]
        links = re.findall(r"(?:^- |, )\[[^\]]+\]\(([^)#]+)\)", part, flags=re.MULTILINE)
        pages = [page for link in links for page in _with_others(ROOT / "docs" / link)]
        lines = "\n".join(str(page.relative_to(ROOT).with_suffix("")) for page in pages)
        trees.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n")
    return "\n".join(trees)


def _with_others(link: Path) -> list[Path]:
    """The page and, with the first one of a folder, the folder's others."""
    page = link.resolve()
    others = page.parent.glob("*.md") if page.name == "README.md" else []
    return [page, *sorted(other for other in others if other != page)]


def prepare(app: Sphinx, name: str, source: list[str]) -> None:
    """Replace links to folders, of which the site has none, by their text. The first page has the
    contents, and a link to the page to play on, which `make site` puts there."""
    source[0] = re.sub(r"\[([^\]\n]+)\]\([^)\s]+/\)", r"\1", source[0])
    if name == root_doc:
        more = "```{toctree}\n:hidden:\n\ndocs/index\nCHANGELOG\n```\n"
        play = (
            '<p><a href="play/index.html">Play here, against the gateware in your browser</a></p>'
        )
        source[0] = source[0].replace("\n## Start\n", f"\n{play}\n\n## Start\n", 1)
        source[0] += "\n" + more + contents()


def copy_files(app: Sphinx, exception: Exception | None) -> None:
    """Copy what pages name in HTML, and make the first page the one that a server sends."""
    if exception is None:
        out = Path(app.outdir)
        for folder in ("pictures", "timing"):
            shutil.copytree(ROOT / "docs" / folder, out / "docs" / folder, dirs_exist_ok=True)
        shutil.copy(out / "README.html", out / "index.html")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", prepare)
    app.connect("build-finished", copy_files)
