import argparse

import pytest

from loopline.game import MINI, STANDARD, VARIANTS, limited
from loopline.host.cli.options.positions import add_variant


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="command", exit_on_error=False)
    add_variant(parser)
    return parser


def test_every_name_is_taken(parser: argparse.ArgumentParser) -> None:
    for name, variant in VARIANTS.items():
        assert parser.parse_args(["--variant", name]).variant is variant
    assert parser.parse_args(["--variant", "limited-10"]).variant == limited(10)
    assert parser.parse_args(["--variant=mini"]).variant is MINI


def test_standard_trax_without_the_option(parser: argparse.ArgumentParser) -> None:
    assert parser.parse_args([]).variant is STANDARD


@pytest.mark.parametrize("name", ["Standard", "", "limited-0", "limited-1000", "chess"])
def test_another_name_is_refused_with_what_is_accepted(
    parser: argparse.ArgumentParser, name: str
) -> None:
    with pytest.raises(argparse.ArgumentError) as caught:
        parser.parse_args([f"--variant={name}"])
    assert str(caught.value) == (
        f"argument --variant: {name!r} is no variant: use standard, limited, deluxe, loop, mini "
        "or limited-N, as in limited-10"
    )


def test_the_help_lists_the_names(parser: argparse.ArgumentParser) -> None:
    text = " ".join(parser.format_help().split())
    assert "standard, limited, deluxe, loop, mini or limited-N (standard)" in text
