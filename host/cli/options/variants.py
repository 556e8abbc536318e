"""The argument that names the variant of Trax to play."""

from __future__ import annotations

import argparse

from loopline.game import STANDARD, VARIANTS, Variant, variant_named

__all__ = ["VARIANT_NAMES", "add_variant", "variant"]

VARIANT_NAMES = f"{', '.join(VARIANTS)} or limited-N"
"""What a variant may be called, for the help."""


def variant(text: str) -> Variant:
    """Return the variant of this name; an error for the command line if there is none."""
    try:
        return variant_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_variant(parser: argparse.ArgumentParser, what: str = "the variant to play") -> None:
    """Add ``--variant NAME`` to a command: ``arguments.variant`` is a :class:`Variant`.

    ``what`` says in the help what the variant is for; without the option it is standard Trax.
    """
    parser.add_argument(
        "--variant",
        type=variant,
        default=STANDARD,
        metavar="NAME",
        help=f"{what}: {VARIANT_NAMES} ({STANDARD})",
    )
