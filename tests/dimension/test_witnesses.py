"""The checks of witnesses refuse what shows nothing."""

import pytest

from rolltheory.dimension.witnesses import (
    AgreementCube,
    Dimension,
    MistakeTree,
    NatarajanCube,
    PseudoCube,
    ZeroSumFunction,
    holds,
    is_pseudo_cube,
    is_zero_sum,
)
from rolltheory.errors import AssumptionError, DomainError

SQUARE = ["00", "01", "10", "11"]


def patterns(*rows):
    return frozenset(map(tuple, rows))


@pytest.mark.parametrize(
    "witness",
    [
        PseudoCube((0, 1), patterns("00", "01", "10")),  # two are alone
        PseudoCube((0, 1), patterns(*SQUARE, "02", "12")),  # not in the class
        PseudoCube((0, 1), frozenset()),
        PseudoCube((0, 1), patterns("0", "1")),
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE), 1), 3),
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE), 2), 2),  # all 0
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE), 0.5), 2),
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE, "02", "12"), 1), 2),
        NatarajanCube((0, 1), tuple("00"), tuple("01")),
        NatarajanCube((0, 1), tuple("00"), tuple("12")),
        NatarajanCube((0, 1), tuple("0"), tuple("1")),
        NatarajanCube((0, 1), tuple("00"), tuple("1")),
        AgreementCube((0, 1), tuple("02")),
        AgreementCube((0, 1), tuple("0")),
        MistakeTree(0, (("0", None), ("0", None))),
        MistakeTree(0, (("0", None), ("2", None))),
        MistakeTree(0, (("0", MistakeTree(1, (("0", None), ("1", None)))), ("1", None))),
        MistakeTree(0, (("0", MistakeTree(0, (("0", None), ("1", None)))), ("1", None))),
    ],
)
def test_what_does_not_hold(witness):
    assert not holds(witness, SQUARE)


@pytest.mark.parametrize(
    "witness",
    [
        PseudoCube((1, 0), patterns(*SQUARE)),
        ZeroSumFunction((0, 1), dict(zip(patterns(*SQUARE), [1] * 4, strict=True)), 2),
        NatarajanCube((0, 1), tuple("01"), tuple("10")),
        AgreementCube((0, 1), tuple("10")),
        MistakeTree(0, (("0", None), ("1", None))),
    ],
)
def test_what_holds(witness):
    assert holds(witness, SQUARE)


@pytest.mark.parametrize(
    "witness",
    [
        PseudoCube((0, 2), patterns(*SQUARE)),
        PseudoCube((0, 0), patterns("00", "11")),
        MistakeTree("x", (("0", None), ("1", None))),
        MistakeTree(0, (("7", MistakeTree("x", (("0", None), ("1", None)))), ("1", None))),
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE), 1), 0),
        ZeroSumFunction((0, 1), dict.fromkeys(patterns(*SQUARE), 2), 4),
    ],
)
def test_points_and_fields_that_are_none(witness):
    with pytest.raises(DomainError):
        holds(witness, SQUARE)


def test_the_definitions():
    assert is_pseudo_cube({()})
    assert not is_pseudo_cube(set())
    assert is_zero_sum({("a",): 2, ("b",): 3}, 5)
    assert not is_zero_sum({("a",): 2, ("b",): 2}, 5)
    assert not is_zero_sum({("a",): 5, ("b",): 0}, 5)


def test_an_interval_has_no_value():
    assert Dimension(2, 2, None, "", 0).value == 2
    with pytest.raises(AssumptionError, match="between 1 and 2: spent"):
        _ = Dimension(1, 2, None, "spent", 0).value
