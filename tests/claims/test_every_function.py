"""Every public function of a theory is computed in a side of one of its claims."""

import importlib
import inspect
import re
import types
from functools import cache

import pytest

from rolltheory.claims import THEORIES, Check, Claim, Routes, registry

# What stands under no claim, and why it need not.
EXEMPT = {
    "reachability": {
        "StateError": "an error, which computes nothing",
    },
    "staleness": {
        "realisability_gap": "what is lost is no rational and no root of one; tests hold it",
    },
    "action_gap": {
        **dict.fromkeys(
            (
                "as_graph",
                "as_labels",
                "graph_from_array",
                "graph_from_networkx",
                "graph_from_sparse",
            ),
            "reads a graph or its labels; tests hold it",
        ),
        **dict.fromkeys(
            ("map_from_text", "maze_map", "maze_cells"), "reads a layout; tests hold it"
        ),
        **dict.fromkeys(
            ("maze_problem", "maze_problems", "study_rows", "study_summary"),
            "makes or tabulates the cases of the study, whose claims are about them",
        ),
    },
    "dimension": {
        "class_from_functions": "makes a class; tests hold it",
        "is_zero_sum": "reads the definition; the claims call it through holds",
    },
}


def parts(value, homes):
    """What a piece of a claim or check is made of: code that it names, and values that it holds."""
    if isinstance(value, (tuple, list, set, frozenset)):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, Routes):
        return [value.table, value.slack]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    value = inspect.unwrap(value) if callable(value) else value
    if isinstance(value, property):
        return [value.fget]
    if isinstance(value, (staticmethod, classmethod)):
        return [value.__func__]
    if not str(getattr(value, "__module__", "")).startswith(homes):
        return []
    if inspect.isclass(value):
        return [*vars(value).values(), *value.__bases__]
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        defaults = [value.__defaults__ or (), value.__kwdefaults__ or {}]
        return [*named(value), *cells, *defaults]
    return []


def named(function):
    """The values of the names in a function's code and annotations."""
    codes, names = [function.__code__], set()
    while codes:
        code = codes.pop()
        names |= set(code.co_names)
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
    for annotation in function.__annotations__.values():
        names |= set(re.findall(r"\w+", str(annotation)))
    found = [function.__globals__[name] for name in names if name in function.__globals__]
    return [value for value in found if not isinstance(value, (Claim, Check, types.ModuleType))]


def computed(roots, homes):
    """The ids of all that is named from the roots through code in these modules."""
    seen, todo = {}, list(roots)
    while todo:
        value = todo.pop()
        if id(value) not in seen:
            seen[id(value)] = value  # kept alive, so that the id stays its own
            todo += parts(value, homes)
    return seen


@cache
def under_claims(theory):
    """What the claims and checks of a theory compute, from their own modules on."""
    claims = [claim for claim in registry().claims.values() if claim.theory == theory.name]
    checks = [check for claim in claims for check in registry().checks_of(claim)]
    roots = [part for claim in claims for part in (claim.function, claim.subject)]
    roots += [check.route for check in checks]
    return computed(roots, (f"{theory.library}.claims", *theory.checks))


def stands(theory, value):
    return id(value) in under_claims(theory)


def public_callables(theory):
    """The public functions and classes, without type aliases and plain records."""
    module = importlib.import_module(theory.library)
    for name in module.__all__:
        value = getattr(module, name)
        is_function = isinstance(value, types.FunctionType)
        if is_function or (inspect.isclass(value) and not is_record(value)):
            yield name, value


def is_record(value):
    """A class that only holds what a function returns or takes."""
    return hasattr(value, "__dataclass_fields__") or hasattr(value, "_fields")


@pytest.mark.parametrize("theory", THEORIES, ids=lambda theory: theory.name)
def test_a_public_function_stands_under_a_claim(theory):
    exempt = EXEMPT.get(theory.name, {})
    gaps = {name for name, value in public_callables(theory) if not stands(theory, value)}
    assert gaps - set(exempt) == set(), "compute it in a side of a claim, or say why not"
    assert set(exempt) - gaps == set(), "stands under a claim, or is gone: exempt no longer"
    assert all(exempt.values())


def test_a_function_that_no_claim_computes_is_found():
    def called():
        return 0

    def lonely():
        return 1

    def side(case, subject=called):
        return subject()

    found = computed([side], (__name__,))
    assert id(called) in found
    assert id(lonely) not in found


def test_a_function_inside_the_library_does_not_count_for_what_it_calls():
    found = computed([outer], ("no module",))
    assert id(outer) in found
    assert id(inner) not in found
    assert id(inner) in computed([outer], (__name__,))


def inner():
    return 0


def outer():
    return inner()
