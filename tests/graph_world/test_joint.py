"""The joint operator of node and edge errors: worked values, stability in all its parts."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.graph_world.joint import (
    is_stable,
    joint_envelope,
    joint_envelope_exact,
    joint_operator,
    joint_spectral_radius,
    steady_state,
    steady_state_exact,
    transient_constant,
)
from rolltheory.graph_world.stability import stability_certificate

WORKED = [["1/2", "1/5"], ["3/10", "2/5"]]
FLOATS = [[0.5, 0.2], [0.3, 0.4]]


def test_the_worked_operator() -> None:
    assert joint_spectral_radius(FLOATS) == pytest.approx(0.7)
    assert steady_state_exact(WORKED, ["1/10", "1/5"]) == [Fraction(5, 12), Fraction(13, 24)]
    exact = joint_envelope_exact(WORKED, ["1/10", "1/5"], [1, 2], 8)
    assert exact[1] == [1, Fraction(13, 10)]
    assert exact[2] == [Fraction(43, 50), Fraction(51, 50)]
    assert exact[3] == [Fraction(367, 500), Fraction(433, 500)]
    assert [float(x) for x in exact[8]] == pytest.approx([0.47047058, 0.59547282], abs=5e-9)
    from_zero = joint_envelope_exact(WORKED, ["1/10", "1/5"], [0, 0], 4)
    assert from_zero[4] == [Fraction(3047, 10000), Fraction(859, 2000)]


def test_the_float_envelope_rounds_up_and_stays_near() -> None:
    exact = joint_envelope_exact(FLOATS, [0.1, 0.2], [1, 2], 30)
    bound = joint_envelope(FLOATS, [0.1, 0.2], [1, 2], 30)
    assert all(Fraction(b) >= x for b, x in zip(bound.ravel(), chain(*exact), strict=True))
    np.testing.assert_allclose(bound, np.array(exact, dtype=float), rtol=1e-12)
    np.testing.assert_allclose(bound[-1], steady_state(FLOATS, [0.1, 0.2]), rtol=1e-3)


def test_a_stable_operator_may_amplify_five_hundredfold() -> None:
    matrix = [[0.5, 100], [1 / 2500, 0.5]]
    assert joint_spectral_radius(matrix) == pytest.approx(0.7)
    assert np.linalg.norm(matrix, 2) == pytest.approx(100.0025, abs=5e-5)
    powers = [np.linalg.norm(np.linalg.matrix_power(matrix, k), 2) / 0.7**k for k in range(60)]
    assert max(powers) == pytest.approx(250.001, abs=5e-4)
    assert max(powers) <= transient_constant(matrix) == pytest.approx(500)
    assert steady_state(matrix, [0, 1e-3]) == pytest.approx([0.4761905, 0.0023810], abs=5e-8)


def test_stability_needs_all_three_conditions() -> None:
    assert not is_stable([[3, 0.1], [0.1, 3]])  # although det(I - M) = 3.99
    assert not is_stable([[0.5, 1], [0.25, 0.5]])  # bc = (1 - a)(1 - d): radius exactly 1
    assert is_stable([["1/2", 1], ["999/4000", "1/2"]])
    assert not is_stable([[1, 0], [0, 0]])
    assert not is_stable([[0, 0], [0, 1]])


def test_stability_is_the_radius_below_one_on_a_grid_of_rationals() -> None:
    values = [Fraction(j, 4) for j in range(7)]
    for a in values:
        for b in values:
            for c in values:
                for d in values:
                    # rho < 1 iff 2 - (a + d) > 0 and (2 - (a + d))^2 > (a - d)^2 + 4bc
                    rest = 2 - a - d
                    below = rest > 0 and rest**2 > (a - d) ** 2 + 4 * b * c
                    matrix = [[a, b], [c, d]]
                    assert is_stable(matrix) == below
                    certificate = stability_certificate(np.array(matrix, dtype=float))
                    assert not certificate.stable or below


def test_certificates_for_many_error_types() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        matrix = rng.random((5, 5)) * (rng.random((5, 5)) < 0.6)
        radius = np.abs(np.linalg.eigvals(matrix)).max()
        for scale, stable in ((0.99, True), (1.01, False)):
            certificate = stability_certificate(matrix * scale / radius)
            assert certificate.stable is stable
            if stable:
                shrunk = (matrix * scale / radius) @ certificate.vector
                assert (shrunk < certificate.vector).all()
                assert 0.99 <= certificate.rate * (1 + 1e-9) < 1 + 1e-9


def test_the_orders_of_update() -> None:
    constants = {"node_to_node": 0.5, "edge_to_node": 0.25, "node_to_edge": 0.8}
    old = joint_operator(order="old_state", **constants, node_error=0.1, edge_error=0.2)
    new = joint_operator(order="new_state", **constants, node_error=0.1, edge_error=0.2)
    np.testing.assert_allclose(old.matrix, [[0.5, 0.25], [0.8, 0]])
    np.testing.assert_allclose(new.matrix, [[0.5, 0.25], [0.4, 0.2]])
    np.testing.assert_allclose(new.forcing, [0.1, 0.28])
    assert joint_spectral_radius(new.matrix) == pytest.approx(0.5 + 0.8 * 0.25)  # rank one
    assert np.linalg.matrix_rank(new.matrix) == 1
    # both orders are stable exactly together
    for edge_to_node in (0.5, 0.6, 0.63, 0.7):
        verdicts = {
            is_stable(
                joint_operator(
                    order=order, node_to_node=0.5, edge_to_node=edge_to_node, node_to_edge=0.8
                ).matrix
            )
            for order in ("old_state", "new_state")
        }
        assert verdicts == {0.5 + 0.8 * edge_to_node < 1}
    recurrent = joint_operator(order="recurrent", **constants, edge_to_edge=0.3)
    np.testing.assert_allclose(recurrent.matrix, [[0.5, 0.25], [0.8, 0.3]])


def test_what_cannot_be_bounded_is_refused() -> None:
    with pytest.raises(AssumptionError, match="spectral radius is below 1"):
        steady_state([[1.0, 0], [0, 0]], [1, 1])
    with pytest.raises(AssumptionError, match="spectral radius is below 1"):
        steady_state_exact([[1, 0], [0, 0]], [1, 1])
    with pytest.raises(AssumptionError, match="feed each other"):
        transient_constant([[0.5, 10], [0, 0.5]])
    assert transient_constant([[0.5, 0], [0, 0.25]]) == 1
    with pytest.raises(AssumptionError, match="nonnegative"):
        is_stable([[0, -1], [0, 0]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: joint_spectral_radius(np.eye(3)), r"shape \(2, 2\)"),
        (lambda: is_stable([[1, 2]]), r"shape \(2, 2\)"),
        (lambda: joint_envelope(FLOATS, [1], [1, 1], 1), "forcing"),
        (lambda: joint_envelope(FLOATS, [1, 1], [1], 1), "initial"),
        (lambda: joint_envelope(FLOATS, [1, 1], [1, 1], -1), "horizon"),
        (lambda: steady_state(FLOATS, [1]), "forcing"),
        (
            lambda: joint_operator(
                order="old_state",
                node_to_node=1,
                edge_to_node=1,
                node_to_edge=1,
                edge_to_edge=1,
            ),
            "edge_to_edge",
        ),
        (
            lambda: joint_operator(order="later", node_to_node=1, edge_to_node=1, node_to_edge=1),
            "order",
        ),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises((DomainError, UnsupportedError), match=words):
        call()
