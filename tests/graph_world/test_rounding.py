"""Bounds lie on their side: against rationals, and where floats run out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from rolltheory.claims import Enclosure
from rolltheory.errors import DomainError
from rolltheory.graph_world.claims.matrices import matrix, norm_squared
from rolltheory.graph_world.joint import is_stable
from rolltheory.graph_world.lipschitz import layer_lipschitz, operator_norm, step_lipschitz
from rolltheory.graph_world.spectral import (
    PowerNormBound,
    is_nilpotent_graph,
    kreiss_constant,
    power_norm_bound,
)
from rolltheory.graph_world.stability import stability_certificate
from rolltheory.numerics.perron import collatz_wielandt_bounds, perron_certificate
from rolltheory.numerics.rounding import rounded_down, rounded_up


def below(value: Fraction | Enclosure) -> Fraction:
    return Fraction(value.low) if isinstance(value, Enclosure) else value


def test_norms_of_signed_matrices_are_not_below_the_exact_ones() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        entries = rng.integers(-9, 10, (2, 2))
        if (entries >= 0).all():
            continue
        found = Fraction(operator_norm(entries))
        assert found**2 >= below(norm_squared(matrix(entries.tolist())))
        assert found**2 <= below(norm_squared(matrix(entries.tolist()))) * (1 + Fraction(1, 10**12))


def test_symmetric_layers_are_not_below_the_exact_norm() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        a, b, weight, skip = rng.integers(1, 30, 4).tolist()
        # eigenvalues a + b and a - b, so that the norm is a whole number
        messages = [[a, b], [b, a]]
        found = layer_lipschitz(messages, [[weight / 7]], [[skip / 7]])
        exact = (a + b) * Fraction(weight / 7) + Fraction(skip / 7)
        assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 10**11))


def test_stability_rates_are_not_below_the_exact_quotients() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        step = rng.random((3, 3)) / 4
        certificate = stability_certificate(step)
        x = [Fraction(value) for value in certificate.vector]
        quotients = [
            sum(Fraction(a) * b for a, b in zip(row, x, strict=True)) / x[i]
            for i, row in enumerate(step.tolist())
        ]
        assert max(quotients) <= Fraction(certificate.rate)


def test_powers_of_a_bound_are_rounded_up() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        rate, kappa = rng.random(2) + 0.5
        bound = PowerNormBound(rate, rate, rate, kappa, np.ones(1), np.ones(1), "")
        for power in (1, 2, 7, 40):
            exact = Fraction(kappa) * Fraction(rate) ** power
            assert exact <= Fraction(float(bound.at(power))) <= exact * (1 + Fraction(1, 10**13))


def test_what_floats_cannot_hold_does_not_vanish() -> None:
    assert power_norm_bound([[0.5]]).at(1100) > 0
    assert power_norm_bound([[0, 1e-170], [1e-170, 0]]).at(2) > 0
    assert operator_norm(5e-324 * np.array([[1, -1], [1, 1]])) > 5e-324
    tiny = perron_certificate([[5e-324, 1e-323], [1.5e-323, 5e-324]])
    assert tiny.lower <= 3 * 5e-324
    assert tiny.upper >= 4 * 5e-324  # 1 + sqrt 6 of them
    assert float(rounded_up(5e-324, 1)) > 5e-324
    assert float(rounded_down(5e-324, 1)) <= 0
    lower, upper = collatz_wielandt_bounds([[1e-200]], [1e-200])
    assert lower <= 1e-200 <= upper
    lower, upper = collatz_wielandt_bounds([[0.5]], [5e-324])
    assert lower <= 0.5 <= upper
    lower, upper = collatz_wielandt_bounds([[1e300]], [1e10])
    assert lower <= 1e300 <= upper


def test_products_of_norms_neither_overflow_nor_vanish_on_the_way() -> None:
    norms = [1e-200, 1e-200, 1e200, 1e200]
    assert step_lipschitz("plain", adjacency_norm=1, weight_norms=norms) == pytest.approx(1)
    assert step_lipschitz("plain", adjacency_norm=1, weight_norms=[1e200, 1e200, 0]) == 0
    residual = step_lipschitz(
        "residual", adjacency_norm=1, weight_norms=[1e200, 1e200], input_norm=0
    )
    assert residual == 1
    assert step_lipschitz("plain", adjacency_norm=1, weight_norms=[1e200, 1e200]) == np.inf
    assert layer_lipschitz([[1e-200]], [[1e-200]]) > 0
    with pytest.raises(DomainError, match="floats can hold"):
        layer_lipschitz([[1e200]], [[1e200]], [[1]])


def test_the_lower_end_of_kreiss_is_not_above_the_constant() -> None:
    for nilpotent in ([[0.0]], [[0.0, 1.0], [0.0, 0.0]]):
        constant = kreiss_constant(nilpotent)
        assert constant.lower <= 1
        assert abs(constant.argument) < 1e10


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: perron_certificate([[1j]]), "real numbers"),
        (lambda: is_nilpotent_graph(sparse.csr_array([[0, 1j], [1j, 0]])), "real numbers"),
        (lambda: is_stable([[np.inf, 0], [0, 0]]), "finite numbers"),
        (lambda: operator_norm(np.ones((2, 2, 2))), "two dimensions"),
        (lambda: layer_lipschitz(sparse.csr_array([[np.inf]]), [[1]], [[1]]), "finite entries"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()


def test_the_smallest_integer_has_an_absolute_value() -> None:
    assert operator_norm(sparse.csr_array(np.array([[-128]], dtype=np.int8))) >= 128
