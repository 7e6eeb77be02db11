"""Energy of integrated oscillators: worked factors against the integration itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.graph_world.integrators import (
    energy_drift_bound,
    energy_drift_bound_exact,
    energy_growth,
    energy_growth_exact,
    mixed_update_energy_growth,
    mixed_update_energy_growth_exact,
    symplectic_energy_range,
    symplectic_energy_range_exact,
)


def energy(q: float, p: float) -> float:
    return (q * q + p * p) / 2


def test_explicit_euler_pumps() -> None:
    q, p = 1.0, 0.0
    for _ in range(100):
        q, p = q + 0.1 * p, p - 0.1 * q
    assert energy(q, p) == pytest.approx(1.3524069147, abs=5e-11)
    assert 0.5 * energy_growth(0.1, integrator="explicit_euler") ** 100 == pytest.approx(
        energy(q, p)
    )


@pytest.mark.parametrize("step", [0.1, 1.0, 2.5, 3.0])
def test_runge_kutta(step: float) -> None:
    z = 1j * step
    gain = abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24) ** 2
    assert energy_growth(step, integrator="runge_kutta_4") == pytest.approx(gain)
    assert (gain < 1) == (step < np.sqrt(8))


def test_symplectic_euler_stays_between_two_energies() -> None:
    low, high = symplectic_energy_range(0.5, 0.1)
    assert (low, high) == (pytest.approx(0.4761905), pytest.approx(0.5263158))
    q, p = 1.0, 0.0
    seen = []
    for _ in range(100_000):
        p -= 0.1 * q
        q += 0.1 * p
        seen.append(energy(q, p))
        assert abs(q * q + p * p - 0.1 * q * p - 1) < 1e-11
    assert low <= min(seen) * (1 + 1e-12)
    assert max(seen) <= high * (1 + 1e-12)
    assert (min(seen), max(seen)) == (pytest.approx(low, rel=1e-3), pytest.approx(high, rel=1e-3))


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("mixing", [0.0, 0.25, 0.5, 1.0])
def test_the_mixed_update(mixing: float, aligned: bool) -> None:
    q, p = 0.6, 0.8
    for _ in range(6):
        branch = np.array([p, -q]) * aligned
        move = (1 - mixing) * branch + mixing * np.array([p, -q])
        q, p = q + move[0], p + move[1]
    growth = mixed_update_energy_growth(mixing, steps=6, aligned=aligned)
    assert energy(q, p) / 0.5 == pytest.approx(growth)


def test_published_energy_factors() -> None:
    assert mixed_update_energy_growth(0.5, steps=6) == pytest.approx(3.8147, abs=5e-5)
    assert mixed_update_energy_growth([0.1, 0.9], steps=6, aligned=True).tolist() == [64, 64]


def test_the_drift_of_a_flow_is_linear_in_its_residual() -> None:
    # H = (q^2 + p^2) / 2; the field misses by 0.01 along the gradient, near the unit circle
    q, p, step, residual = 1.0, 0.0, 1e-4, 0.01
    for _ in range(20_000):
        radius = np.hypot(q, p)
        q, p = (
            q * np.cos(step) + p * np.sin(step) + step * residual * q / radius,
            p * np.cos(step) - q * np.sin(step) + step * residual * p / radius,
        )
    bound = energy_drift_bound(2.0, gradient_bound=np.hypot(q, p), residual=residual)
    drift = energy(q, p) - 0.5
    assert drift <= bound
    assert drift == pytest.approx(bound, rel=0.02)


def test_what_is_unstable_or_unknown_is_refused() -> None:
    with pytest.raises(AssumptionError, match="below 2"):
        symplectic_energy_range(1, 2)
    with pytest.raises(UnsupportedError, match="leapfrog"):
        energy_growth(0.1, integrator="leapfrog")
    with pytest.raises(DomainError, match="mixing"):
        mixed_update_energy_growth(2, steps=1)


def test_exact_twins() -> None:
    tenth = Fraction(1, 10)
    assert symplectic_energy_range_exact(Fraction(1, 2), tenth) == (
        Fraction(10, 21),
        Fraction(10, 19),
    )
    assert energy_growth_exact(1, integrator="runge_kutta_4") == 1 - Fraction(1, 72) + Fraction(
        1, 576
    )
    assert mixed_update_energy_growth_exact(Fraction(1, 2), steps=6) == Fraction(5, 4) ** 6
    assert mixed_update_energy_growth_exact(Fraction(1, 2), steps=6, aligned=True) == 64
    assert energy_drift_bound_exact(10, gradient_bound=2, residual=tenth) == 2
    with pytest.raises(AssumptionError, match="below 2"):
        symplectic_energy_range_exact(1, 2)
    with pytest.raises(DomainError, match="above 0"):
        symplectic_energy_range_exact(0, 1)


def test_momentum_first_repairs_the_aligned_update() -> None:
    q, p, old_q, old_p = 1.0, 0.0, 1.0, 0.0
    highest = 0.0
    for _ in range(60):
        p -= q
        q += p
        old_q, old_p = old_q + old_p, old_p - old_q
        highest = max(highest, energy(q, p))
    assert highest == 1 == pytest.approx(symplectic_energy_range(0.5, 1.0)[1])
    assert energy(old_q, old_p) == 0.5 * 2.0**60
