"""Which samples lose their gradient when the importance ratio is clipped."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.numerics.rounding import rounded_up

__all__ = ["Clip", "ClipMasks", "ClipRule", "checked_clip", "clip_coefficient", "clip_masks"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
Clip: TypeAlias = tuple[float, float]
ClipRule = Literal["one_sided", "two_sided"]
"""One side, as in PPO, or both sides whatever the sign of the advantage."""


class ClipMasks(NamedTuple):
    """Which samples keep their gradient, by the sign of their advantage."""

    positive: npt.NDArray[np.bool_]
    negative: npt.NDArray[np.bool_]


def clip_masks(ratio: Any, clip: Clip, *, clip_rule: ClipRule = "one_sided") -> ClipMasks:
    r"""Which ratios keep their gradient under clipping.

    One-sided (PPO): a positive advantage loses its gradient iff :math:`r > 1 + \epsilon_h`, a
    negative one iff :math:`r < 1 - \epsilon_l`. Two-sided: either sign loses it outside
    :math:`[1 - \epsilon_l, 1 + \epsilon_h]`.

    Parameters
    ----------
    ratio : array, learner over behaviour probability, at least 0
    clip : (epsilon_low, epsilon_high) with 0 < epsilon_low < 1 and 0 < epsilon_high
    clip_rule : "one_sided" or "two_sided"

    Returns
    -------
    ClipMasks of boolean arrays of the shape of the ratio

    Raises
    ------
    DomainError
        if an entry is out of range or the rule is unknown.

    Notes
    -----
    Source: known (PPO); the two-sided rule from 2607.07508.

    Examples
    --------
    >>> clip_masks([0.7, 1.0, 1.3], (0.2, 0.2))
    ClipMasks(positive=array([ True,  True, False]), negative=array([False,  True,  True]))
    """
    if clip_rule not in get_args(ClipRule):
        raise DomainError("clip_rule", clip_rule, f"one of {', '.join(get_args(ClipRule))}")
    low, high = checked_clip(clip)
    ratios = real_array("ratio", ratio, at_least=0.0)
    below, above = ratios < 1 - low, ratios > 1 + high
    if clip_rule == "two_sided":
        below = above = below | above
    return ClipMasks(positive=~above, negative=~below)


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
    low, high = checked_clip(clip)
    return float(rounded_up(((1 + high) / high + (1 - low) / low) / 2))


def checked_clip(clip: Clip) -> Clip:
    """The half-widths of a clipping band as floats.

    Raises
    ------
    DomainError
        unless 0 < epsilon_low < 1 and 0 < epsilon_high.

    Examples
    --------
    >>> checked_clip((0.2, 0.28))
    (0.2, 0.28)
    """
    low, high = (float(real_array("clip", half_width)) for half_width in clip)
    if not (0 < low < 1 and high > 0):
        raise DomainError("clip", clip, "0 < epsilon_low < 1 and 0 < epsilon_high")
    return low, high
