"""Claims about token credit from differences of Pass@k."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.claims.trees import BinaryTree, Credit, Step, Trajectory, Walk
from rolltheory.reachability.credit import (
    credit_to_go_exact,
    one_step_credit_scale_exact,
    prefix_credit_exact,
)
from rolltheory.reachability.exact import pass_at_k_probability_exact
from rolltheory.reachability.gradients import pass_at_k_slope_exact

__all__ = [
    "all_credit_is_blame",
    "credit_tends_to_reachability",
    "credit_to_go_is_unbiased",
    "credits_telescope",
    "one_step_credit_is_unbiased",
    "one_step_credit_rescales",
    "scale_is_local",
]

PAGE = "docs/theory/reachability.md#credit"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

ON_POLICY = "trajectories are drawn by the policy whose gradient is taken"
BLIND = "the critic values a prefix before it sees the step that is taken"
TRUE = "the critic tells the true values"


def is_on_policy(case: Any) -> bool:
    """Whether the policy itself drew the trajectories."""
    return case.sampled_from is None


def is_blind(case: Any) -> bool:
    """Whether the critic sees prefixes only."""
    return not case.peeks


def is_true(case: Any) -> bool:
    """Whether the critic makes no errors."""
    return case.critic is None


def other_steps(honest: Credit) -> dict[str, Credit]:
    """Wrong variants of one-step credit."""
    return {
        "10 % smaller": lambda v, y, k: [step * 9 / 10 for step in honest(v, y, k)],
        "the outcome left out": lambda v, _, k: [*honest(v, v[-1], k)[:-1], Fraction(0)],
        "Pass@1 instead": lambda v, y, _: honest(v, y, 1),
        "a value from the wrong step": lambda v, y, k: honest([v[0], *v[:-1]], y, k),
    }


@claim(
    "reachability.credit.telescopes",
    statement=r"\sum_{u \ge t} \Delta_u = Y - f_k(V(s_t)), \quad"
    r" \Delta_t = f_k(V(s_{t+1})) - f_k(V(s_t)),\ f_k(V(s_T)) := Y,\ f_k(v) = 1 - (1 - v)^k",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_steps(prefix_credit_exact),
)
def credits_telescope(case: Trajectory, credit: Credit = prefix_credit_exact) -> Sides:
    """Credits from a step on sum to the outcome less the Pass@k of the prefix before it.

    Nothing is assumed of the values: they may be a critic's, right or wrong.
    """
    steps = credit(list(case.values), case.outcome, case.k)
    start = pass_at_k_probability_exact(case.values[case.step], case.k)
    return Sides(sum(steps[case.step :]), case.outcome - start)


def other_credits(honest: Credit, reached: Callable[[Any, int], Any]) -> dict[str, Credit]:
    """Wrong variants of credit-to-go; ``reached`` is Pass@k of a value."""

    def one_step(v: list[Any], y: Any, k: int) -> list[Any]:
        ends = [*(reached(value, k) for value in v[1:]), y]
        return [end - reached(value, k) for end, value in zip(ends, v, strict=True)]

    return {
        "10 % smaller": lambda v, y, k: [step * 9 / 10 for step in honest(v, y, k)],
        "one step at a time": one_step,
        "the baseline of the next prefix": lambda v, y, k: honest([*v[1:], v[-1]], y, k),
        "the outcome left out": lambda v, _, k: honest(v, 0, k),
    }


@claim(
    "reachability.credit_to_go.unbiased",
    statement=r"E \sum_t \nabla\log\pi(a_t | s_t) \sum_{u \ge t} \Delta_u = \nabla V(s_0)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ON_POLICY: is_on_policy, BLIND: is_blind},
    teeth=other_credits(credit_to_go_exact, pass_at_k_probability_exact),
    breaks={
        ON_POLICY: Counterexample(
            BinaryTree((THIRD,), (Fraction(1), Fraction(0)), 1, sampled_from=(HALF,)),
            "Trajectories of an older policy need importance weights.",
        ),
        BLIND: Counterexample(
            BinaryTree((HALF,), (Fraction(1), Fraction(0)), 1, peeks=True),
            "A baseline that knows the step takes away what the step earned.",
        ),
    },
)
def credit_to_go_is_unbiased(case: Any, credit: Credit = credit_to_go_exact) -> Sides:
    """Credit-to-go from Pass@k differences keeps the policy gradient of Pass@1, for every k.

    It is the outcome less a baseline of the prefix, so k only chooses the baseline. The critic
    may be wrong. V(s_0) is the success probability of one try.
    """
    return Sides(case.expected(credit), case.gradient())


def rescaled_gradient(case: Any) -> Any:
    """The gradient with each decision scaled by its own factor."""
    return case.rescaled(one_step_credit_scale_exact)


@claim(
    "reachability.one_step_credit.unbiased",
    statement=r"E \sum_t \nabla\log\pi(a_t | s_t)\, \Delta_t = \nabla V(s_0)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ON_POLICY: is_on_policy, BLIND: is_blind, TRUE: is_true},
    repairs={"every decision scaled by its own factor": rescaled_gradient},
    breaks={
        ON_POLICY: Unbroken("false with it already"),
        BLIND: Unbroken("false with it already"),
        TRUE: Unbroken("false with it already"),
    },
    declared=Verdict.REFUTED,
    repaired_by="reachability.one_step_credit.rescales",
)
def one_step_credit_is_unbiased(case: Any, followed: Any = lambda case: case.gradient()) -> Sides:
    """One-step Pass@k credit is an unbiased advantage.

    It is not, unless k = 1. Each decision is rescaled by a factor that is near k (1 - V)^(k - 1)
    there and 1 at the last decision, so the whole gradient turns: for even odds at two decisions
    in a row and success probabilities .9, .6 and .1, .3 behind them, the cosine of its angle with
    the true one is .995 at k = 4 and .454 at k = 16. Credit-to-go has no such bias
    (reachability.credit_to_go.unbiased).
    """
    return Sides(case.expected(prefix_credit_exact), followed(case))


Scale = Callable[[Any, Any, int], Any]


def other_scales(honest: Scale) -> dict[str, Scale]:
    """Wrong factors between one-step credit and the true gradient."""
    return {
        "10 % smaller": lambda v, w, k: honest(v, w, k) * 9 / 10,
        "one try too few": lambda v, w, k: honest(v, w, max(k - 1, 1)),
        "the local factor": lambda v, _, k: k * (1 - v) ** (k - 1),
        "no factor": lambda *_: 1,
        "the factor k dropped": lambda v, w, k: honest(v, w, k) / k,
    }


@claim(
    "reachability.one_step_credit.rescales",
    statement=r"E\,\nabla_s \log\pi(a_t | s_t)\, \Delta_t = \lambda(s)\,\nabla_s V(s_0), \quad"
    r" \lambda(s) = \frac{f_k(V) - f_k(V')}{V - V'} = \sum_{j=0}^{k-1} (1-V)^j (1-V')^{k-1-j},"
    r" \quad \lambda = 1 \text{ at the last decision}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ON_POLICY: is_on_policy, BLIND: is_blind, TRUE: is_true},
    teeth=other_scales(one_step_credit_scale_exact),
    breaks={
        ON_POLICY: Counterexample(
            BinaryTree((THIRD,), (Fraction(1), Fraction(0)), 1, sampled_from=(HALF,)),
            "Trajectories of an older policy need importance weights.",
        ),
        BLIND: Counterexample(
            BinaryTree((HALF,), (Fraction(1), Fraction(0)), 1, peeks=True),
            "A baseline that knows the step takes away what the step earned.",
        ),
        TRUE: Counterexample(
            BinaryTree(
                (HALF,) * 3, (Fraction(1), Fraction(1), Fraction(0), Fraction(0)), 1, 0, (HALF,) * 3
            ),
            "A critic that sees no difference between two steps credits none.",
        ),
    },
)
def one_step_credit_rescales(case: Any, scale: Scale = one_step_credit_scale_exact) -> Sides:
    """One-step Pass@k credit scales the gradient of every decision by a factor of its own.

    At a decision s between a step to value V and one to value V' the factor is the divided
    difference of Pass@k; its limit for V' -> V is k (1 - V)^(k - 1). The last decision leads to
    the outcome itself and keeps the factor 1.
    """
    return Sides(case.expected(prefix_credit_exact), case.rescaled(scale))


def scale_error(value: Any, other: Any, k: int) -> Any:
    """Half the largest second derivative of Pass@k between two values, times their distance."""
    easiest = (1 - min(value, other)) ** max(k - 2, 0)
    return k * (k - 1) * easiest * abs(value - other) / 2


def other_scale_errors(honest: Scale) -> dict[str, Scale]:
    """Wrong error bounds of the local factor."""
    return {
        "10 % smaller": lambda v, w, k: honest(v, w, k) * 9 / 10,
        "off by one": lambda v, w, k: honest(v, w, k - 1),
        "the second derivative at V": lambda v, w, k: honest(v, v + abs(v - w), k),
    }


@claim(
    "reachability.one_step_credit.local_scale",
    statement=r"\Bigl|\frac{f_k(V) - f_k(V')}{V - V'} - k (1 - V)^{k-1}\Bigr|"
    r" \le \tfrac12 k (k-1) (1 - \min(V, V'))^{k-2}\, |V - V'|",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_scale_errors(scale_error)
    | {"direction swapped": Tooth(relation=Relation.AT_LEAST)},
    tight=Tight(Step(THIRD, HALF, 2)),
)
def scale_is_local(case: Step, error: Scale = scale_error) -> Sides:
    """Between close values, one-step credit is k (1 - V)^(k - 1) times the true advantage.

    The error grows with the distance of the two values; for k = 2 it is the distance itself.
    """
    exact = one_step_credit_scale_exact(case.value, case.after, case.k)
    local = pass_at_k_slope_exact(case.value, case.k)
    return Sides(abs(exact - local), error(case.value, case.after, case.k))


def limit_error(smallest: Any, k: int) -> Any:
    """The chance that k tries of the smallest positive value all fail."""
    return (1 - smallest) ** k


def other_limit_errors(honest: Any) -> dict[str, Any]:
    """Wrong rates of the limit."""
    return {
        "10 % smaller": lambda v, k: honest(v, k) * 9 / 10,
        "off by one": lambda v, k: honest(v, k + 1),
        "the rate of twice the value": lambda v, k: honest(min(2 * v, 1), k),
    }


@claim(
    "reachability.credit.limit",
    statement=r"\bigl|\Delta_t - (1\{V(s_{t+1}) > 0\} - 1\{V(s_t) > 0\})\bigr| \le (1 - m)^k, \quad"
    r" m = \min\{v \in \{V(s_t), V(s_{t+1})\} : v > 0\}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_limit_errors(limit_error)
    | {"direction swapped": Tooth(relation=Relation.AT_LEAST)},
    tight=Tight(Step(THIRD, Fraction(0), 2)),
)
def credit_tends_to_reachability(case: Step, error: Any = limit_error) -> Sides:
    """With many tries, credit tells only whether the reach of a success was lost.

    The limit is reached geometrically, at the rate of the smaller positive value. It is not
    uniform: values shrink with the length that remains.
    """
    credit = pass_at_k_probability_exact(case.after, case.k) - pass_at_k_probability_exact(
        case.value, case.k
    )
    limit = (case.after > 0) - (case.value > 0)
    smallest = min((v for v in (case.value, case.after) if v > 0), default=Fraction(1))
    return Sides(abs(credit - limit), error(smallest, case.k))


ReachCredit = Callable[[list[bool], int], Any]


def reach_credit(reachable: list[bool], outcome: int) -> list[int]:
    """The change of reachability in every step, the outcome taking the place of the last."""
    ends = [*reachable[1:], bool(outcome)]
    return [int(end) - int(start) for start, end in zip(reachable, ends, strict=True)]


def other_reach_credits(honest: ReachCredit) -> dict[str, ReachCredit]:
    """Credits in the limit that would leave room for praise."""
    return {
        "signs swapped": lambda reach, y: [-step for step in honest(reach, y)],
        "the outcome as a bonus": lambda reach, y: [*honest(reach, y), y],
        "the last step without its baseline": lambda reach, y: [*honest(reach, y)[:-1], y],
    }


@claim(
    "reachability.credit.all_is_blame",
    statement=r"P(s_0, a_0, s_1, \dots, Y) > 0 \implies"
    r" \lim_{k \to \infty} \Delta_t = 1\{V(s_{t+1}) > 0\} - 1\{V(s_t) > 0\} \le 0 \ \ \forall t",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={ON_POLICY: is_on_policy},
    teeth=other_reach_credits(reach_credit),
    breaks={
        ON_POLICY: Counterexample(
            Walk(
                BinaryTree((Fraction(0),), (Fraction(1), Fraction(0)), 1, sampled_from=(HALF,)), 0
            ),
            "Another policy may succeed where this one never does.",
        ),
    },
)
def all_credit_is_blame(case: Walk, credit: ReachCredit = reach_credit) -> Sides:
    """In the limit of many tries, all Pass@k credit is blame.

    A trajectory can lose the reach of a success and never regain it, and even a success earns 0
    in the last step. Praise must come from a term of its own.
    """
    happens, reachable, outcome = case.reach()
    return Sides(happens, all(step <= 0 for step in credit(reachable, outcome)))
