"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rolltheory.errors import DomainError

__all__ = ["KINDS", "tries_option"]

KINDS = {
    "proved": "prov",
    "certified": "cert",
    "enumerated": "enum",
    "property-tested": "prop",
    "simulated": "sim",
    "trained": "train",
}
"""Kinds of evidence, with what heads their columns."""


def tries_option(*, default: str | None = None, text: str) -> Callable[[Any], Any]:
    """The option ``--k``: whole numbers with commas, passed on in ascending order as ``tries``."""
    return click.option(
        *("--k", "tries"),
        metavar="K,K,...",
        default=default,
        show_default=default is not None,
        callback=_tries,
        help=text,
    )


def _tries(
    ctx: click.Context, option: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    del ctx, option
    if value is None:
        return None
    numbers = set()
    for part in value.split(","):
        digits = part.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) < 19 and int(digits)):
            raise DomainError("k", digits, "whole numbers from 1 on, such as 1,8,16")
        numbers.add(int(digits))
    return tuple(sorted(numbers))
