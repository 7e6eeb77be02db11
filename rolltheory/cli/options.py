"""Options that several verbs share."""

from __future__ import annotations

from typing import Any

import click

from rolltheory.errors import DomainError

__all__ = ["TRIES"]


class _Tries(click.ParamType[tuple[int, ...]]):
    """Ascending whole numbers of tries, from a list with commas."""

    name = "K,K,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        numbers = set()
        for part in str(value).split(","):
            digits = part.strip()
            if not (digits.isascii() and digits.isdigit() and len(digits) < 19 and int(digits)):
                raise DomainError("k", digits, "whole numbers from 1 on, such as 1,8,16")
            numbers.add(int(digits))
        return tuple(sorted(numbers))


TRIES = _Tries()
