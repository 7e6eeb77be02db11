"""Claims about what one-step model errors cost in value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim
from rolltheory.graph_world.claims.chains import Chains, Decisions, values_over
from rolltheory.graph_world.claims.matrices import identity, matrix, vector
from rolltheory.graph_world.value_bounds import (
    classical_simulation_lemma_exact,
    finite_horizon_simulation_lemma_exact,
    lipschitz_value_bound_exact,
    model_return_gap_exact,
    simulation_lemma_exact,
)

__all__ = [
    "Errors",
    "FiniteChains",
    "SolvedChains",
    "classical_lemma_is_above",
    "finite_lemma_is_sharp",
    "leaking",
    "leaking_decisions",
    "lipschitz_values",
    "model_returns",
    "quadratic_lemma_is_above",
    "simulation_lemma_is_sharp",
]

PAGE = "docs/theory/graph_world.md#values"
UNIT_REWARDS = "rewards lie in [0, 1]"
SAME_REWARDS = "the rewards are known"
CONTRACTS = "the discount times the Lipschitz constant of the transitions is below 1"
BOUNDED = "rewards lie in [-r_max, r_max]"


def leaking(discount: Any, leak: Any, reward_error: Any = 0, best: Any = 1) -> Chains:
    """The truth stays in the best state; the model leaks into a worthless one, and pays less."""
    share, error = Fraction(leak), Fraction(reward_error)
    return Chains(
        Fraction(discount),
        identity(2),
        matrix([[1 - share, share], [0, 1]]),
        vector([best, 0]),
        vector([best - error, 0]),
    )


@dataclass(frozen=True)
class SolvedChains:
    """Value error and one-step errors of chains that were solved elsewhere."""

    discount: float
    value_gap: float
    reward_error: float
    transition_error: float
    rewards: tuple[float, ...] = ()
    model_rewards: tuple[float, ...] = ()


def pays_within_one(case: Any) -> bool:
    rewards = (*case.rewards, *case.model_rewards)
    return min(rewards, default=0) >= 0 and max(rewards, default=0) <= 1


def pays_as_known(case: Any) -> bool:
    return bool(case.rewards == case.model_rewards)


@claim(
    "graph_world.simulation.sharp",
    statement=r"\lVert V - \hat V \rVert_\infty \le"
    r"\frac{\varepsilon_R + \frac{\gamma}{1-\gamma} \varepsilon_T}{1 - \gamma (1-\varepsilon_T)}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={UNIT_REWARDS: pays_within_one},
    teeth={
        "10 % smaller": lambda g, r, t: (
            simulation_lemma_exact(g, reward_error=r, transition_error=t) * Fraction(9, 10)
        ),
        "reward error alone": lambda g, r, _: Fraction(r) / (1 - Fraction(g)),
        "apart for one step": lambda g, r, t: (
            (Fraction(r) + Fraction(g) * Fraction(t)) / (1 - Fraction(g))
        ),
        "half the distance": lambda g, r, t: simulation_lemma_exact(
            g, reward_error=r, transition_error=Fraction(t) / 2
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        UNIT_REWARDS: Counterexample(
            leaking("1/2", "1/2", best=2), "Twice the rewards lose twice the value."
        )
    },
    tight=Tight(leaking("9/10", "1/10", "1/3")),
)
def simulation_lemma_is_sharp(
    case: Chains | SolvedChains,
    bound: Callable[[Any, Any, Any], Any] = lambda g, r, t: simulation_lemma_exact(
        g, reward_error=r, transition_error=t
    ),
) -> Sides:
    """A one-step error of rewards and transitions costs at most so much value.

    The leaking chain attains it for every discount and every pair of errors, since a reward error
    counts only while both chains are together.
    """
    return Sides(case.value_gap, bound(case.discount, case.reward_error, case.transition_error))


@dataclass(frozen=True)
class Errors:
    """One-step errors alone; a horizon where there is no discount."""

    discount: Fraction
    reward_error: Fraction
    transition_error: Fraction
    horizon: int = 0


@claim(
    "graph_world.simulation.classical",
    statement=r"\frac{\varepsilon_R + \frac{\gamma}{1-\gamma} \varepsilon_T}"
    r"{1 - \gamma (1-\varepsilon_T)}"
    r"\le \frac{\varepsilon_R}{1-\gamma} + \frac{\gamma\,\varepsilon_T}{(1-\gamma)^2}",
    relation=Relation.AT_MOST,
    source=Source.known("simulation lemma of Kearns and Singh"),
    assumes={},
    teeth={
        "10 % smaller": lambda g, r, t: (
            classical_simulation_lemma_exact(g, reward_error=r, transition_error=t) * 9 / 10
        ),
        "one factor of the horizon": lambda g, r, t: (r + g * t) / (1 - g),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Errors(Fraction(9, 10), Fraction(1, 10), Fraction(0))),
)
def classical_lemma_is_above(
    case: Errors,
    bound: Callable[[Any, Any, Any], Any] = lambda g, r, t: classical_simulation_lemma_exact(
        g, reward_error=r, transition_error=t
    ),
) -> Sides:
    """The textbook lemma holds too, and is never below the sharp one."""
    errors = (case.reward_error, case.transition_error)
    sharp = simulation_lemma_exact(
        case.discount, reward_error=errors[0], transition_error=errors[1]
    )
    return Sides(sharp, bound(case.discount, *errors))


@dataclass(frozen=True)
class FiniteChains:
    """Chains that are run for some steps without discount."""

    chains: Chains
    horizon: int

    @property
    def value_gap(self) -> Fraction:
        """The largest error of the sum of rewards."""
        chains = self.chains
        pairs = zip(
            values_over(self.horizon, chains.truth, chains.rewards),
            values_over(self.horizon, chains.model, chains.model_rewards),
            strict=True,
        )
        return max(abs(a - b) for a, b in pairs)


@claim(
    "graph_world.simulation.finite_horizon",
    statement=r"\lVert V_H - \hat V_H \rVert_\infty \le"
    r"\sum_{t<H} \bigl(1 - (1-\varepsilon)^t\bigr) = H - \frac{1 - (1-\varepsilon)^H}{\varepsilon}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        UNIT_REWARDS: lambda case: pays_within_one(case.chains),
        SAME_REWARDS: lambda case: pays_as_known(case.chains),
    },
    teeth={
        "10 % smaller": lambda h, e: (
            finite_horizon_simulation_lemma_exact(h, transition_error=e) * 9 / 10
        ),
        "linear in the horizon": lambda h, e: h * e,
        "one step fewer": lambda h, e: finite_horizon_simulation_lemma_exact(
            max(h - 1, 0), transition_error=e
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        UNIT_REWARDS: Counterexample(
            FiniteChains(leaking(0, "1/2", best=2), 2), "Twice the rewards lose twice the value."
        ),
        SAME_REWARDS: Counterexample(
            FiniteChains(leaking(0, 0, 1), 1), "The first reward is wrong already."
        ),
    },
    tight=Tight(FiniteChains(leaking(0, "1/10"), 20)),
)
def finite_lemma_is_sharp(
    case: FiniteChains,
    bound: Callable[[int, Any], Any] = lambda h, e: finite_horizon_simulation_lemma_exact(
        h, transition_error=e
    ),
) -> Sides:
    """Over a horizon without discount the loss is what is left after the leak, step by step."""
    return Sides(case.value_gap, bound(case.horizon, case.chains.transition_error))


@claim(
    "graph_world.simulation.quadratic",
    statement=r"\sum_{t<H} \bigl(1 - (1-\varepsilon)^t\bigr) \le \varepsilon\,\frac{H(H-1)}{2}",
    relation=Relation.AT_MOST,
    source=Source.known("Bernoulli"),
    assumes={},
    teeth={
        "10 % smaller": lambda h, e: e * h * (h - 1) * Fraction(9, 20),
        "linear": lambda h, e: e * (h - 1),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Errors(Fraction(0), Fraction(0), Fraction(1, 10), horizon=2)),
)
def quadratic_lemma_is_above(
    case: Errors,
    bound: Callable[[int, Fraction], Fraction] = lambda h, e: e * h * (h - 1) / 2,
) -> Sides:
    """The loss grows at most quadratically with the horizon."""
    error = case.transition_error
    return Sides(
        finite_horizon_simulation_lemma_exact(case.horizon, transition_error=error),
        bound(case.horizon, error),
    )


def lipschitz_bound(g: Fraction, k: Fraction, slope: Fraction, error: Fraction) -> Fraction:
    """The library's bound, by position."""
    return lipschitz_value_bound_exact(
        g, transition_lipschitz=k, reward_lipschitz=slope, model_error=error
    )


def drifting(discount: Any, stretch: Any, drift: Any) -> Chains:
    """On {0, 1}: the mean moves by x' = K x in truth, and by x' = K x + Delta in the model."""
    kept, moved = Fraction(stretch), Fraction(drift)
    return Chains(
        Fraction(discount),
        matrix([[1, 0], [1 - kept, kept]]),
        matrix([[1 - moved, moved], [1 - kept - moved, kept + moved]]),
        vector([0, 1]),
        vector([0, 1]),
    )


DOUBLING = Chains(
    Fraction(3, 4),
    matrix([[1, 0, 0], [0, 0, 1], [0, 0, 1]]),
    matrix([[0, 1, 0], [0, 0, 1], [0, 0, 1]]),
    vector([0, 1, 2]),
    vector([0, 1, 2]),
)


@claim(
    "graph_world.lipschitz_value.bound",
    statement=r"\lVert V - \hat V \rVert_\infty \le"
    r"\frac{\gamma\,K_R\,\Delta}{(1-\gamma)(1-\gamma K)}, \quad \Delta = \max_x W_1(P_x, \hat P_x)",
    relation=Relation.AT_MOST,
    source=Source.known("Asadi, Misra and Littman"),
    assumes={
        CONTRACTS: lambda case: case.discount * case.transition_lipschitz < 1,
        SAME_REWARDS: pays_as_known,
    },
    teeth={
        "10 % smaller": lambda *arguments: lipschitz_bound(*arguments) * 9 / 10,
        "without the stretch": lambda g, _, slope, error: g * slope * error / (1 - g),
        "the error counted once": lambda g, k, slope, error: g * slope * error / (1 - g * k),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        CONTRACTS: Counterexample(
            DOUBLING,
            "The series diverges, and its formula turns negative.",
            lambda case, _: Sides(
                case.value_gap,
                case.discount / ((1 - case.discount) * (1 - 2 * case.discount)),
            ),
        ),
        SAME_REWARDS: Counterexample(leaking("1/2", 0, 1), "A wrong reward is a value error."),
    },
    tight=Tight(drifting("9/10", "8/10", "1/20")),
)
def lipschitz_values(case: Chains, bound: Callable[..., Fraction] = lipschitz_bound) -> Sides:
    """Lipschitz transitions and rewards turn a Wasserstein error into a value error.

    Only the true transitions need be Lipschitz.
    """
    return Sides(
        case.value_gap,
        bound(
            case.discount,
            case.transition_lipschitz,
            case.reward_lipschitz,
            case.transition_distance,
        ),
    )


def leaking_decisions(
    discount: Any, leak: Any, *, shift: Any = 0, worst: Any = -1, best: Any = 1
) -> Decisions:
    """The model leaks from the best state into the worst one: a little always, or by one action.

    The past policy takes the first action; the present one takes the second with a probability,
    and then the model leaks for certain.
    """
    share, moved = Fraction(leak), Fraction(shift)
    stay = matrix([[1, 0], [1, 0]]), matrix([[0, 1], [0, 1]])
    leaks = matrix([[1 - share, share], [0, 1] if moved else [1 - share, share]])
    return Decisions(
        Fraction(discount),
        stay,
        (leaks, stay[1]),
        matrix([[best] * 2, [worst] * 2]),
        matrix([[1 - moved, moved]] * 2),
        (matrix([[1, 0]] * 2),),
    )


def return_gap(g: Fraction, model: Fraction, shift: Fraction) -> Fraction:
    """The library's bound, by position, for rewards within [-1, 1]."""
    return model_return_gap_exact(g, model_error=model, policy_shift=shift)


@claim(
    "graph_world.model_return.gap",
    statement=r"|\hat\eta - \eta| \le"
    r"\frac{2\gamma r_{\max}(\varepsilon_m + 2\varepsilon_\pi)}{(1-\gamma)^2}"
    r"+ \frac{4 r_{\max} \varepsilon_\pi}{1-\gamma}",
    relation=Relation.AT_MOST,
    source=Source.known("Janner, Fu, Zhang and Levine"),
    assumes={BOUNDED: lambda case: case.largest_reward <= 1},
    teeth={
        "10 % smaller": lambda *arguments: return_gap(*arguments) * 9 / 10,
        "rewards within [0, r_max]": lambda *arguments: return_gap(*arguments) / 2,
        "no policy shift": lambda g, model, _: return_gap(g, model, Fraction(0)),
        "one factor of the horizon": lambda g, model, shift: return_gap(g, model, shift) * (1 - g),
    },
    breaks={
        BOUNDED: Counterexample(
            leaking_decisions("1/2", "1/50", best=3), "Larger rewards lose more."
        )
    },
    tight=Tight(leaking_decisions("1/2", "1/1000"), at_least=0.99),
)
def model_returns(case: Decisions, bound: Callable[..., Fraction] = return_gap) -> Sides:
    """A return within a learned model is off by at most so much, also for a shifted policy.

    The model error is that along rollouts of the policy that collected the data.
    """
    return Sides(case.return_gap, bound(case.discount, case.early_error, max(case.policy_shifts)))
