"""What labels and lengths floats cannot carry is refused by every solver alike."""

from __future__ import annotations

import numpy as np
import pytest

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.envelopes import mcshane_whitney_envelopes
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.iterative import iterative_amle
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.errors import DomainError

PATH = [(0, 1), (1, 2)]
SOLVERS = {
    "amle": amle,
    "iterative": iterative_amle,
    "harmonic": harmonic_extension,
    "p = 4": lambda *given, **lengths: p_harmonic_extension(*given, p=4, **lengths),
    "envelopes": mcshane_whitney_envelopes,
}
BEYOND = [
    ([1e160, 3e160], 1e-160),
    ([1e300, 3e300], 1e-24),
    ([1.7e308, 1.7e308], 1.0),
    ([1.0, 3.0], 5e-324),
    ([1e-300, 3e-300], 1e10),
    ([1.0, 1.0], 1.7e308),
    ([1e60, 3e60], 1e-195),
    ([1e155, 3e155], 1.0),
    ([1e-60, 1e60], 1.0),
]


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(("lengths", "label"), BEYOND)
def test_slopes_that_floats_cannot_hold_are_refused(solver, lengths, label) -> None:
    with pytest.raises(DomainError, match=r"1e-200 to 1e200|1e-151 to 1e151|1e-240 to 1e240"):
        solver(PATH, {0: 0.0, 2: label}, lengths=lengths)


@pytest.mark.parametrize("scale", [1e-140, 1.0, 1e140])
def test_within_the_range_lengths_are_only_a_unit(scale: float) -> None:
    lengths = [scale, 3 * scale]
    # harmonic values weigh by 1 / length^2: 1 : 1/9
    found = harmonic_extension(PATH, {0: 0.0, 2: 1.0}, lengths=lengths)
    assert found.values[1] == pytest.approx(0.1, rel=1e-12)
    assert found.error_bound < 1e-12
    steep = amle(PATH, {0: 0.0, 2: 1.0}, lengths=lengths)
    assert steep.values[1] == pytest.approx(0.25, rel=1e-12)
    assert np.isfinite(steep.error_bound)
