"""How a clip range is given, and how much of the samples it can clip."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rolltheory.numerics.rounding import rounded_up
from rolltheory.staleness._arrays import clip_edges

__all__ = ["Clip", "ClipRule", "clip_coefficient"]

Clip: TypeAlias = tuple[float, float]
ClipRule = Literal["one_sided", "two_sided"]
"""One side, as in PPO, or both sides whatever the sign of the advantage."""


def clip_coefficient(clip: Clip) -> float:
    r"""Share of clipped samples over the L1 distance of the policies, at most; rounded up.

    .. math:: P_\theta(r > 1 + \epsilon_h) + P_\theta(r < 1 - \epsilon_l)
              \le K_\epsilon\, |\pi_\theta - \pi_\phi|_1, \qquad
              K_\epsilon = \frac12 \Bigl(\frac{1 + \epsilon_h}{\epsilon_h}
                          + \frac{1 - \epsilon_l}{\epsilon_l}\Bigr),

    which is :math:`1/\epsilon` for a symmetric band. The left side counts samples of the learner.
    The constant is the best possible: two actions just outside the band approach it.

    Parameters
    ----------
    clip : (epsilon_low, epsilon_high) with 0 < epsilon_low < 1 and 0 < epsilon_high

    Returns
    -------
    the coefficient

    Raises
    ------
    DomainError
        if a half-width is out of range.

    Notes
    -----
    Source: derived here: :math:`r \le (r - 1)(1 + \epsilon)/\epsilon` where r exceeds 1 + eps,
    likewise below, and the behaviour means of (r - 1)+ and (1 - r)+ are the total variation.

    Examples
    --------
    >>> round(clip_coefficient((0.2, 0.2)), 12), round(clip_coefficient((0.3, 5.0)), 6)
    (5.0, 1.766667)
    """
    low, high = map(float, clip_edges(*clip))
    return float(rounded_up(((1 + high) / high + (1 - low) / low) / 2))
