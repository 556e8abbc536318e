"""The page of an analysis: well-formed, self-contained, escaped, with a label for each board."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html.parser import HTMLParser

from loopline.game import Turn, play_game
from loopline.host.pages.analysis_page import analysis_page
from loopline.host.pages.game_section import AnalysedGame
from loopline.host.players.analyst import Analysis, Value
from loopline.host.players.assessment import assess
from loopline.host.records.checked_games import check_games

VOID = {"br", "link", "meta"}
GAME = "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/"
"""Won by its last turn."""


class Page(HTMLParser):
    """The elements of a page; each has to end before those around it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self._open, f"{tag} has to have an end tag"
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def of(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [
            attributes
            for name, attributes in self.elements
            if name == tag and wanted.items() <= attributes.items()
        ]


def page_of(text: str, title: str = "games.txt", **scores: Value) -> str:
    """The page of these games.

    The search finds the first legal turn of each position; ``after_2`` is its value after two
    turns, else 0.
    """

    def analyse(turns: Sequence[Turn]) -> Analysis:
        turn = play_game(turns).legal_turns()[0]
        score, mate = scores.get(f"after_{len(turns)}", Value(0))
        return Analysis(turn, score, mate, 3, 77, 1, 0.5, (turn, turn))

    checked = check_games(text.splitlines())
    games = [
        AnalysedGame(number, title, game, [*assess(analyse, game.reading.position)])
        for number, game in enumerate(checked, start=1)
    ]
    return analysis_page(games, title, "engine:nodes=9")


def test_one_game_needs_no_table_of_contents_and_several_do() -> None:
    assert Page(page_of(GAME)).of("nav") == []
    page = Page(page_of(f"{GAME}\n@0/ B1+\n@0/ B9+\n"))
    assert len(page.of("nav")) == 1
    ids = [each["id"] for each in page.of("article")]
    assert ids == ["g1", "g2", "g3"]
    assert "The record is wrong at line 3, column 5: " in page.text
    assert "by a loop after 10 turns." in page.text


def test_every_id_is_there_once_and_every_link_leads_to_one() -> None:
    page = Page(page_of(f"{GAME}\n@0/ B1+\n", after_3=Value(300)))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for attributes in page.of("a")}
    assert len(links) > 12
    assert links <= {f"#{each}" for each in ids}
    for _, attributes in page.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids


def test_each_board_says_its_turn_in_words() -> None:
    page = Page(page_of(GAME))
    sections = page.of("section", **{"class": "turn"})
    boards = [each for each in page.of("svg") if "height" in each]
    assert len(sections) == 10
    labels = [each["aria-label"] or "" for each in boards if "Instead" not in str(each)]
    assert [label.partition(":")[0] for label in labels] == [f"Turn {n}" for n in range(1, 11)]
    assert labels[1] == "Turn 2: red plays B1\\."
    assert "which forces" in "".join(labels)
    assert "by a loop after 10 turns." in labels[-1]
    for each in page.of("svg"):
        assert each["role"] == "img"
        assert each["aria-label"]


def test_a_bad_turn_has_the_better_one_and_a_missed_win_is_told() -> None:
    page = Page(page_of("@0/ B1+ C1+", after_2=Value.forced(5), after_3=Value(0)))
    assert "White misses a win in 5 turns." in page.text
    assert "??" in page.text
    instead = [each for each in page.of("svg") if "Instead: " in (each["aria-label"] or "")]
    assert len(instead) == 1
    assert "misses" not in Page(page_of("@0/ B1+ C1+")).text


def test_an_open_game_has_the_turn_to_come() -> None:
    page = Page(page_of("@0/ B1+"))
    labels = [each["aria-label"] for each in page.of("svg") if "height" in each]
    assert labels[-1] == "Turn 3: white is to move."
    assert Page(page_of('[White "A"]\n\n*\n')).of("svg")[0]["aria-label"] == (
        "Turn 1: white is to move."
    )


def test_names_and_comments_are_text() -> None:
    hostile = "</title><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;\u202e"
    quoted = hostile.replace("'", "' \\\" ")
    game = f'[White "{quoted}"]\n[Red "{"R" * 5000}"]\n[Event "</style>{quoted}"]\n\n'
    game += f"# {hostile}\n@0/ B1+\n# {hostile} --> ]]>\nC1+ RESIGN\n"
    plain, page = Page(page_of("@0/ B1+ C1+ RESIGN")), Page(page_of(game, "<b>&\x1b\udc80"))
    assert "White wins by resignation after 3 turns." in page.text
    for name in ("script", "style", "img", "title", "b"):
        assert len(page.of(name)) == len(plain.of(name)), name
    for _, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes)
    assert page.text.count("onerror=alert(1)>") >= 4
    assert "&amp;" in page.text
    assert "<b>&\ufffd\ufffd" in page.text
    # A long name is whole in the record, and short in the heading.
    assert page.text.count("R" * 5000) == 1
    assert f"{'R' * 39}…" in page.text


def test_nothing_is_loaded_and_only_its_own_script_runs() -> None:
    page = page_of(f"{GAME}\n@0/ B1+\n")
    assert not re.search(
        r"""\w+://|url\(|@import|(?:src|srcset|action)=|(?:href=")(?!#|data:,")""", page
    )
    [policy] = Page(page).of("meta", **{"http-equiv": "Content-Security-Policy"})
    content = str(policy["content"])
    assert content.startswith("default-src 'none'; ")
    for name in ("style", "script"):
        [inside] = re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in content
    assert 'style="' not in page


def test_every_colour_that_is_used_is_defined_for_light_and_dark() -> None:
    page = page_of(GAME)
    light, dark = re.split(r"@media \(prefers-color-scheme: ?dark\)", page)[:2]
    board = set(re.findall(r'(?:fill|stroke)="var\(--(\w+)\)"', page))
    assert {"tile", "white", "red", "halo"} <= board
    for part in (light, dark):
        assert board <= set(re.findall(r"--(\w+):", part))
    assert set(re.findall(r"var\(--(\w+)\)", page)) <= set(re.findall(r"--(\w+):", page))
