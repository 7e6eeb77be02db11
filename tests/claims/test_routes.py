"""Float routes beside exact ones: what is wrong is rejected, and only that."""

from fractions import Fraction

import pytest

from rolltheory.claims import DOWN, UP, Call, Relation, Route, Routes, judge, relative

NEAR = Fraction(1, 10**12)
THIRD = Fraction(1, 3)
ROUTES = Routes(
    relative(NEAR),
    half=Route(lambda x: [float(x), float(x) / 2], lambda x: [x, x / 2]),
    limits=Route(
        lambda x: (float(x) * (1 - 2e-16), float(x) * (1 + 2e-16)), lambda x: (x, x), (DOWN, UP)
    ),
)


def holds(function, computed):
    sides = ROUTES.judged(Call(function, (THIRD,)), computed)
    return judge(Relation.AT_MOST, sides, exact=True).holds


@pytest.mark.parametrize("function", ROUTES.table)
def test_the_library_is_near(function):
    assert holds(function, ROUTES.computed)


def test_each_tooth_is_rejected_at_its_own_function_only():
    teeth = ROUTES.off_by_a_tenth() | ROUTES.rounded_the_wrong_way()
    caught = {(tooth, f) for tooth, by in teeth.items() for f in ROUTES.table if not holds(f, by)}
    assert caught == {
        ("half off by a tenth", "half"),
        ("limits off by a tenth", "limits"),
        ("limits rounded the wrong way", "limits"),
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ((1 / 4, 1 / 2), False),  # safe, but far
        ((THIRD, THIRD), True),
        ((THIRD - NEAR / 2, THIRD + NEAR / 2), True),
        ((THIRD - NEAR / 2, THIRD - NEAR / 2), False),
        ((THIRD + NEAR / 2, THIRD + NEAR / 2), False),
    ],
)
def test_a_bound_lies_on_its_safe_side(answer, expected):
    # a dyadic stands for the third, which floats do not hold
    exact = Fraction(float(THIRD))
    routes = Routes(relative(NEAR), limits=Route(lambda: answer, lambda: (exact,) * 2, (DOWN, UP)))
    call = Call("limits", ())
    assert judge(Relation.AT_MOST, routes.judged(call, routes.computed)).holds is expected


def test_one_wrong_value_of_many_is_rejected():
    assert not holds("half", ROUTES.but("half", lambda x: [float(x), 0.6 * float(x)]))


def test_values_are_not_broadcast():
    with pytest.raises(ValueError, match="zip"):
        holds("half", ROUTES.but("half", float))


def test_every_function_is_called():
    assert list(ROUTES.every_call(1, 2)) == [Call("half", (1, 2)), Call("limits", (1, 2))]
    assert {ROUTES.any_call((x,)).function for x in range(9)} == {"half", "limits"}
    assert ROUTES.any_call((3,)) == ROUTES.any_call((3,))
