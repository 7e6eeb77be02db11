"""Property tests that float routes agree with rational ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.routes import ROUTES, extended, routes_agree
from rolltheory.claims import Budget, Call, Kind, check
from simulators.action_gap import random_network

__all__ = ["any_call"]


@check(
    routes_agree,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, lengths up to 3, any set of exact labels",
)
def any_call(_: Budget) -> Any:
    """Each function as likely, at a case that one number names: a smaller one is no simpler."""
    from hypothesis import strategies as st

    return st.integers(0, 2**20).map(call)


def call(number: int) -> Call:
    """The functions in turn, each at a random case."""
    generator = np.random.default_rng(number)
    count = int(generator.integers(2, 9))
    network = random_network(count, extra_edges=count // 2, generator=generator)
    lengths = tuple(generator.integers(1, 4, len(network.edges)).tolist())
    goal = int(generator.integers(count))
    case = Planned(tuple(map(tuple, network.edges.tolist())), (0,) * count, goal, lengths)
    labels = np.append(np.flatnonzero(generator.random(count) < 0.4), goal)
    labelled = replace(case, values=case.distance(), labels=tuple(np.unique(labels).tolist()))
    functions = sorted(ROUTES.table)
    return Call(functions[number % len(functions)], (extended(labelled),))
