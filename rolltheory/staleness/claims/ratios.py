"""Claims about importance ratios of sequences: how they factorise, spread and bias."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Verdict, claim
from rolltheory.staleness.ratios import (
    factorise_log_ratio_exact,
    minimum_prefix_log_ratio_exact,
    prefix_log_ratio_exact,
    prefix_mean_log_ratio_exact,
)

__all__ = [
    "Padded",
    "ScaledExample",
    "Steps",
    "TwoTokens",
    "Versions",
    "bias_falls_with_the_ratio",
    "full_sequence_ratio_is_unbiased",
    "log_ratio_factorises",
    "prefix_mean_ends_at_sequence_mean",
    "prefix_mean_variance_falls",
    "prefix_product_is_called_unbiased",
    "prefix_product_variance_grows",
]

PAGE = "docs/theory/staleness.md#importance-ratios"
Logs = tuple[Fraction, ...]
TokenWeights = Callable[[list[Any]], list[Any]]

NOT_RECOMPUTED = "the old log-probabilities are the trainer's at the weights that sampled"
UNCORRELATED = "the token log-ratios are uncorrelated, with one variance"
UNPADDED = "padding is masked out"
CENTRED = "advantages are centred, not divided by the group's standard deviation"
SUPPORT = "the sampler can produce whatever the learner can"
NEAR = "the logits of the worked example are scaled by at most 6/5"


@dataclass(frozen=True)
class Versions:
    """Log-probabilities of one response: learner now, trainer then, sampler, and what is passed."""

    now: Logs
    then: Logs
    sampler: Logs
    passed_as_old: Logs


def turned_round(now: Logs, old: Logs, sampler: Logs) -> tuple[list[Fraction], list[Fraction]]:
    """Staleness with its sign swapped."""
    discrepancy, staleness = factorise_log_ratio_exact(now, old, sampler)
    return discrepancy, [-step for step in staleness]


@claim(
    "staleness.ratio.factorises",
    statement=r"\log\frac{\pi_\theta}{\mu} = \log\frac{\pi_{old}}{\mu}"
    r" + \log\frac{\pi_\theta}{\pi_{old}}:"
    r"\ \text{training-inference discrepancy plus staleness, token by token}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.12070", "the factorisation; 2601.10079 for sparse samplers"),
    assumes={NOT_RECOMPUTED: lambda case: case.passed_as_old == case.then},
    teeth={
        "staleness turned round": turned_round,
        "factors exchanged": lambda now, old, sampler: factorise_log_ratio_exact(now, old, sampler)[
            ::-1
        ],
    },
    breaks={
        NOT_RECOMPUTED: Counterexample(
            Versions((Fraction(-1),), (Fraction(-2),), (Fraction(-2),), (Fraction(-1),)),
            "Recomputed with the current weights, old reads as fresh: staleness 0.",
        )
    },
)
def log_ratio_factorises(case: Versions, factorise: Any = factorise_log_ratio_exact) -> Sides:
    """A log-ratio is training-inference discrepancy plus staleness.

    Both factors are what their names say, and their sum is the total.
    """
    rows = list(zip(case.now, case.then, case.sampler, strict=True))
    discrepancy, staleness = factorise(case.now, case.passed_as_old, case.sampler)
    total = [a + b for a, b in zip(discrepancy, staleness, strict=True)]
    truth = ([t - s for _, t, s in rows], [n - t for n, t, _ in rows], [n - s for n, _, s in rows])
    return Sides((discrepancy, staleness, total), truth)


@dataclass(frozen=True)
class Steps:
    """Tokens with log-ratios of +size or -size, equally likely; ``common`` is shared by all."""

    size: Fraction
    tokens: int
    common: Fraction = Fraction(0)

    @property
    def variance(self) -> Fraction:
        """Of one token."""
        return self.size**2 + self.common**2

    def variance_of(self, aggregate: Callable[[Sequence[Fraction]], list[Fraction]]) -> Fraction:
        """Of the last token's aggregate, over all paths."""
        paths = list(self._paths())
        values = [aggregate(path)[-1] for path in paths]
        mean = sum(values, Fraction(0)) / len(values)
        return sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)

    def _paths(self) -> Iterator[list[Fraction]]:
        for shared in {self.common, -self.common}:
            for signs in product((1, -1), repeat=self.tokens):
                yield [sign * self.size + shared for sign in signs]


SHARED = Steps(Fraction(1), 2, common=Fraction(1))


@claim(
    "staleness.ratio.prefix_mean_variance",
    statement=r"\mathrm{Var} \log \rho_t = v/t, \quad \rho_t = (\prod_{u \le t} r_u)^{1/t}",
    relation=Relation.EQUAL,
    source=Source.paper("2608.01418", "variance of the prefix geometric mean"),
    assumes={UNCORRELATED: lambda case: case.common == 0},
    teeth={
        "the product": prefix_log_ratio_exact,
        "the minimum over the prefix": minimum_prefix_log_ratio_exact,
        "the root of the product taken once only": lambda path: [sum(path) / len(path) * 2],
    },
    breaks={UNCORRELATED: Counterexample(SHARED, "A shared shift does not average out.")},
)
def prefix_mean_variance_falls(case: Steps, aggregate: Any = prefix_mean_log_ratio_exact) -> Sides:
    """The log of the prefix geometric mean has variance v/t."""
    return Sides(case.variance_of(aggregate), case.variance / case.tokens)


@claim(
    "staleness.ratio.prefix_product_variance",
    statement=r"\mathrm{Var} \log \rho_t = v\,t, \quad \rho_t = \prod_{u \le t} r_u",
    relation=Relation.EQUAL,
    source=Source.known("variance of a sum"),
    assumes={UNCORRELATED: lambda case: case.common == 0},
    teeth={
        "the geometric mean": prefix_mean_log_ratio_exact,
        "the last token alone": lambda path: path[-1:],
    },
    breaks={UNCORRELATED: Counterexample(SHARED, "A shared shift adds up t-fold.")},
)
def prefix_product_variance_grows(case: Steps, aggregate: Any = prefix_log_ratio_exact) -> Sides:
    """The log of the prefix product has variance v t."""
    return Sides(case.variance_of(aggregate), case.variance * case.tokens)


@dataclass(frozen=True)
class Padded:
    """Log-ratios of one response, and how many padding tokens follow unmasked."""

    log_ratios: Logs
    padding: int = 0


@claim(
    "staleness.ratio.prefix_mean_endpoint",
    statement=r"\rho_L = (\prod_{t \le L} r_t)^{1/L}:"
    r"\ \text{at the last token the prefix geometric mean is GSPO's ratio}",
    relation=Relation.EQUAL,
    source=Source.paper("2608.01418", "endpoint of the prefix geometric mean"),
    assumes={UNPADDED: lambda case: case.padding == 0},
    teeth={
        "the product": prefix_log_ratio_exact,
        "the prefix without its last token": lambda logs: [
            Fraction(0),
            *prefix_mean_log_ratio_exact(logs[:-1]),
        ],
    },
    breaks={
        UNPADDED: Counterexample(
            Padded((Fraction(1),), padding=1), "Padding counts as a token of ratio 1."
        )
    },
)
def prefix_mean_ends_at_sequence_mean(
    case: Padded, aggregate: Any = prefix_mean_log_ratio_exact
) -> Sides:
    """At the last token, the prefix geometric mean is the sequence geometric mean."""
    logs = (*case.log_ratios, *([Fraction(0)] * case.padding))
    return Sides(aggregate(logs)[-1], sum(case.log_ratios) / len(case.log_ratios))


@dataclass(frozen=True)
class TwoTokens:
    """Two binary tokens; a policy is P(token 0) at the root, after 0 and after 1.

    Rewards are those of the responses 00, 01, 10, 11. Advantages are centred, as in groups of two;
    if ``normalised``, also divided by the standard deviation of what was sampled.
    """

    learner: tuple[Any, Any, Any]
    sampler: tuple[Any, Any, Any]
    rewards: tuple[int, int, int, int] = (1, 0, 0, 1)
    normalised: bool = False

    def gradient(self, sampler: Sequence[Any], weights: TokenWeights) -> list[Any]:
        """Mean over the sampler's groups of advantage, token weight and score of the learner.

        Three pairs of logits; the second of a pair is minus the first and is left out.
        """
        chances = {y: token(sampler, y, 0) * token(sampler, y, 1) for y in RESPONSES}
        rewards = dict(zip(RESPONSES, self.rewards, strict=True))
        mean = sum(chances[y] * rewards[y] for y in RESPONSES)
        scale = 1
        if self.normalised:
            scale = sum(chances[y] * (rewards[y] - mean) ** 2 for y in RESPONSES) ** 0.5
        total = [0 * mean] * 3
        for y in (y for y in RESPONSES if chances[y] != 0):
            ratios = [token(self.learner, y, t) / token(sampler, y, t) for t in (0, 1)]
            for t, weight in enumerate(weights(ratios)):
                row = 0 if t == 0 else 1 + y[0]
                score = (1 if y[t] == 0 else 0) - self.learner[row]
                total[row] = (
                    total[row] + chances[y] * (rewards[y] - mean) * weight * score / 4 / scale
                )
        return total

    def bias(self, weights: TokenWeights) -> list[Any]:
        """Stale less fresh gradient."""
        stale = self.gradient(self.sampler, weights)
        fresh = self.gradient(self.learner, lambda _: [1, 1])
        return [a - b for a, b in zip(stale, fresh, strict=True)]


RESPONSES = ((0, 0), (0, 1), (1, 0), (1, 1))


def token(policy: Sequence[Any], response: tuple[int, int], t: int) -> Any:
    """Probability of one token of a response."""
    first = policy[0 if t == 0 else 1 + response[0]]
    return first if response[t] == 0 else 1 - first


def no_ratio(ratios: list[Any]) -> list[Any]:
    """Stale data taken as fresh."""
    return [1 for _ in ratios]


def token_ratio(ratios: list[Any]) -> list[Any]:
    """Each token's own ratio."""
    return ratios


def prefix_product(ratios: list[Any]) -> list[Any]:
    """The product up to the token."""
    return [ratios[0], ratios[0] * ratios[1]]


def prefix_mean(ratios: list[Any]) -> list[Any]:
    """The geometric mean up to the token."""
    return [ratios[0], (ratios[0] * ratios[1]) ** 0.5]


def sequence_mean(ratios: list[Any]) -> list[Any]:
    """The geometric mean of the response."""
    return [(ratios[0] * ratios[1]) ** 0.5] * 2


def full_sequence(ratios: list[Any]) -> list[Any]:
    """The ratio of the whole response."""
    return [ratios[0] * ratios[1]] * 2


HALF = Fraction(1, 2)
EVEN = (HALF, HALF, HALF)


@claim(
    "staleness.ratio.full_sequence_is_unbiased",
    statement=r"H(\theta, \phi) = H(\theta, \theta)\ \text{with every token weighted by}"
    r"\ \pi_\theta(y \mid x) / \pi_\phi(y \mid x)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={
        CENTRED: lambda case: not case.normalised,
        SUPPORT: lambda case: all(0 < p < 1 for p in case.sampler),
    },
    teeth={
        "no ratio": no_ratio,
        "token ratio": token_ratio,
        "prefix product": prefix_product,
    },
    breaks={
        CENTRED: Counterexample(
            TwoTokens(EVEN, (Fraction(3, 4), HALF, HALF), (1, 1, 0, 0), normalised=True),
            "A deviation that depends on the sampler reweights prompts.",
        ),
        SUPPORT: Counterexample(
            TwoTokens(EVEN, (Fraction(1), HALF, HALF)), "What is never sampled cannot be weighted."
        ),
    },
)
def full_sequence_ratio_is_unbiased(case: TwoTokens, weights: Any = full_sequence) -> Sides:
    """The full sequence ratio removes all staleness bias of mean-only advantages.

    Two binary tokens, any rewards, groups of two, loss averaged over tokens.
    """
    return Sides(tuple(case.bias(weights)), (0, 0, 0))


@claim(
    "staleness.ratio.prefix_product_is_unbiased",
    statement=r"H(\theta, \phi) = H(\theta, \theta)\ \text{with every token weighted by}"
    r"\ \prod_{u \le t} r_u",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={
        CENTRED: lambda case: not case.normalised,
        SUPPORT: lambda case: all(0 < p < 1 for p in case.sampler),
    },
    repairs={"full sequence ratio": full_sequence},
    breaks={
        CENTRED: Counterexample(
            TwoTokens(EVEN, (Fraction(3, 4), HALF, HALF), (1, 1, 0, 0), normalised=True)
        ),
        SUPPORT: Counterexample(TwoTokens(EVEN, (Fraction(1), HALF, HALF))),
    },
    declared=Verdict.REFUTED,
    repaired_by="staleness.ratio.full_sequence_is_unbiased",
)
def prefix_product_is_called_unbiased(case: TwoTokens, weights: Any = prefix_product) -> Sides:
    """The prefix product removes all staleness bias of a reward at the end.

    False: after the token the stale policy goes on to the reward.
    """
    return Sides(tuple(case.bias(weights)), (0, 0, 0))


@dataclass(frozen=True)
class ScaledExample:
    """The worked example of two tokens, the sampler's logits scaled."""

    scale: Fraction
    logits = (Fraction(1, 2), Fraction(3, 10), Fraction(-2, 5))

    def policies(self, number: Callable[[Fraction], Any], exp: Callable[[Any], Any]) -> TwoTokens:
        """In numbers of the given kind, with their exponential function."""
        root, after_0, after_1 = (1 / (1 + exp(number(-self.scale * z))) for z in self.logits)
        return TwoTokens((number(HALF),) * 3, (root, after_0, after_1))


def steps_of_bias(example: TwoTokens, ordered: Sequence[TokenWeights]) -> list[Any]:
    """Squared bias of each rule over that of the next."""
    sizes = [sum(part * part for part in example.bias(rule)) for rule in ordered]
    return [small / large for small, large in pairwise(sizes)]


ORDERED = (prefix_product, sequence_mean, prefix_mean, token_ratio)


@claim(
    "staleness.ratio.bias_order",
    statement=r"|\delta_{prefix\ product}| < |\delta_{sequence\ mean}| < |\delta_{prefix\ mean}|"
    r" < |\delta_{token}|\ \text{at the worked example}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={NEAR: lambda case: 0 < case.scale <= Fraction(6, 5)},
    teeth={
        "the prefix mean before the sequence mean": (
            prefix_product,
            prefix_mean,
            sequence_mean,
            token_ratio,
        ),
        "the prefix mean before the prefix product": (prefix_mean, prefix_product, token_ratio),
        "no ratio before the prefix mean": (prefix_product, no_ratio, prefix_mean),
    },
    breaks={
        NEAR: Counterexample(
            ScaledExample(Fraction(2)),
            "Farther out the sequence mean is worse than the prefix mean.",
        )
    },
    tight=Tight(ScaledExample(Fraction(6, 5)), at_least=Fraction(99, 100)),
)
def bias_falls_with_the_ratio(case: ScaledExample, ordered: Any = ORDERED) -> Sides:
    """At the worked example bias grows from prefix product over both means to the token ratio.

    All four are biased; the largest ratio of one squared bias to the next stays below 1.
    """
    import math

    return Sides(max(steps_of_bias(case.policies(float, math.exp), ordered)), 1)
