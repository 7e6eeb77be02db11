"""An asynchronous GRPO learner on tasks whose responses can be listed, against the exact laws."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import torch
from torch import Tensor

from rolltheory.claims import ConfidenceInterval, Sides
from rolltheory.staleness.claims.prompts import Prompt
from rolltheory.staleness.claims.surrogate import (
    groups_of_two_and_three_have_no_bias,
    mean_only_advantages_have_no_bias,
    staleness_only_reweights,
)
from rolltheory.staleness.prompt_weight import prompt_weight
from validation.training.devices import torch_device
from validation.training.experiments import Comparison, DivergedError, Experiment, Result
from validation.training.policy import ResponseLaw, initial_parameters
from validation.training.runs import SCALES, Outcome, Row, Run
from validation.training.surrogate import ascended, directional_scores, gradient, success
from validation.training.tasks import task

__all__ = ["EXPERIMENTS"]

GROUPS = 40_000
ERROR_LEVEL = 0.01
ROUNDING = 1e-9


@dataclass(frozen=True)
class Trained(Prompt):
    """A prompt as the claims know it, and what was measured on the runs of its grid point.

    ``policy`` and ``behaviour`` hold the probability of a right answer, and the rest, of the first
    run; ``rows`` are those of all seeds.
    """

    rows: tuple[Row, ...] = field(default=(), repr=False)


def stale_policies(
    law: ResponseLaw, rewards: Tensor, run: Run, generator: torch.Generator
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Parameters of learner and actor after some updates, the actor's a fixed number behind.

    The actor hands over its batches by a queue: each update uses what was sampled ``lag`` updates
    ago, in expectation over all groups.
    """
    learner = initial_parameters(law, generator)
    queue = deque([learner], maxlen=run.at("lag") + 1)
    for _ in range(run.at("updates")):
        behaviour = law.log_probabilities(queue[0]).exp().detach()
        step = gradient(law, learner, rewards, behaviour, group_size=run.at("group_size"))
        learner = ascended(learner, step, run.at("learning_rate"))
        if not all(bool(torch.isfinite(value).all()) for value in learner.values()):
            raise DivergedError("a weight is no finite number")
        queue.append(learner)
    return learner, queue[0]


def measure_bias(run: Run, generator: torch.Generator) -> Result:
    """The bias of the stale step, relative to the fresh one, as it is and with one thing wrong."""
    law, rewards = _problem(run)
    learner, actor = stale_policies(law, rewards, run, generator)
    behaviours = law.log_probabilities(actor).exp().detach(), law.log_probabilities(learner).exp()
    third = rewards.clone()
    third[:, -1] = 2.0
    n, usual = run.at("group_size"), {"advantage": run.at("advantage")}
    settings: dict[str, tuple[Tensor, dict[str, Any]]] = {
        "exact": (rewards, usual),
        "no ratio": (rewards, {**usual, "ratio": False}),
        "n + 2 responses": (rewards, {**usual, "group_size": n + 2}),
        "a third reward": (third, usual),
        "divided": (rewards, {"advantage": "divided", "group_size": max(n, 4)}),
        "raw": (rewards, {"advantage": "raw", "ratio": False}),
    }
    observed: dict[str, float] = {}
    for name, (given, options) in settings.items():
        stale, fresh = (
            _flat(gradient(law, learner, given, behaviour.detach(), **{"group_size": n, **options}))
            for behaviour in behaviours
        )
        observed[name] = float((stale - fresh).norm() / fresh.norm())
    observed["success of the actor"] = float(success(law, actor, rewards).mean().detach())
    observed["success of the learner"] = float(success(law, learner, rewards).mean().detach())
    return Result(observed, {"exact": 0.0})


def measure_weights(run: Run, generator: torch.Generator) -> Result:
    """How sampled groups weigh the gradient of success of one prompt."""
    law, rewards = _problem(run)
    learner, actor = stale_policies(law, rewards, run, generator)
    leaves = {name: value.detach().requires_grad_() for name, value in learner.items()}
    chance = success(law, leaves, rewards)[0]
    slopes = dict(zip(leaves, torch.autograd.grad(chance, list(leaves.values())), strict=True))
    values, scores = directional_scores(law, learner, slopes)
    share = (scores[0] / _flat(slopes).square().sum()).detach().cpu().numpy()
    behaviour = law.log_probabilities(actor)[0].exp().detach().cpu().numpy()
    ratios = values[0].exp().detach().cpu().numpy() / behaviour
    sampler = np.random.default_rng([run.seed, int(run.key, 16)])
    weighed = _sampled_weights(
        rewards[0].cpu().numpy(), behaviour, ratios * share, run.at("group_size"), sampler
    )
    before = float(success(law, actor, rewards)[0].detach())
    return Result(
        {
            "weight": float(weighed.mean()),
            "standard error": float(weighed.std(ddof=1) / sqrt(weighed.size)),
            "success of the actor": before,
            "success of the learner": float(chance.detach()),
        },
        {"weight": float(prompt_weight(before, run.at("group_size")))},
    )


def _sampled_weights(
    rewards: Any, behaviour: Any, terms: Any, group_size: int, sampler: np.random.Generator
) -> Any:
    """For each sampled group the mean of advantage times term: what a learner adds up."""
    drawn = sampler.choice(behaviour.size, size=(GROUPS, group_size), p=behaviour / behaviour.sum())
    found = rewards[drawn]
    centred = found - found.mean(axis=1, keepdims=True)
    spread = found.std(axis=1, keepdims=True)
    mixed = (found != found[:, :1]).any(axis=1, keepdims=True)
    advantages = np.divide(centred, spread, out=np.zeros_like(centred), where=mixed)
    return (advantages * terms[drawn]).mean(axis=1)


def _problem(run: Run) -> tuple[ResponseLaw, Tensor]:
    problem = task(run.at("task"))
    place, dtype = torch_device(run), getattr(torch, run.dtype)
    rewards = torch.as_tensor(problem.rewards, dtype=dtype, device=place)
    return ResponseLaw.of(problem, device=place, dtype=dtype), rewards


def _flat(parts: dict[str, Tensor]) -> Tensor:
    return torch.cat([part.reshape(-1) for part in parts.values()])


def _grouped(rows: Sequence[Row], **claimed: Any) -> Iterator[Trained]:
    """A case for each grid point, of the runs that ended well."""
    points: dict[Any, list[Row]] = {}
    for row in rows:
        if row.outcome is Outcome.FINISHED:
            points.setdefault(row.run.point, []).append(row)
    for own in points.values():
        first = own[0]
        before, after = _successes(first)
        yield Trained(
            (after, 1 - after),
            (before, 1 - before),
            (1, 0),
            first.run.at("group_size"),
            rows=tuple(own),
            **claimed,
        )


def _successes(row: Row) -> tuple[float, float]:
    """Success probabilities of the actor and of the learner."""
    before, after = (row.observed[f"success of the {who}"] for who in ("actor", "learner"))
    return float(before), float(after)  # type: ignore[arg-type]


def _largest_bias(case: Trained, variant: str = "exact") -> Sides:
    """The largest bias of any seed, relative to the step; floats overlook what rounding leaves."""
    largest = max(float(row.observed[variant]) for row in case.rows)  # type: ignore[arg-type]
    return Sides(largest, 0.0)


def _mean_weight(case: Trained, weight: Any = None) -> Sides:
    """The measured over the predicted weight, an interval over seeds, and 1."""
    from scipy import stats

    shares = []
    for row in case.rows:
        before, after = _successes(row)
        predicted = weight(before, after, case.group_size) if weight else row.predicted["weight"]
        shares.append(float(row.observed["weight"]) / float(predicted))  # type: ignore[arg-type]
    spread = np.std(shares, ddof=1) / sqrt(len(shares))
    reach = float(stats.t.ppf(1 - CASE_LEVEL / 2, len(shares) - 1) * spread)
    middle = float(np.mean(shares))
    return Sides(ConfidenceInterval(middle - reach, middle + reach, CASE_LEVEL), 1.0)


CASE_LEVEL = ERROR_LEVEL / 2
_LAW = {"task": "modular sum", "updates": 24, "learning_rate": 0.2}
_BIAS_GRID = [
    {**_LAW, "task": name, "lag": 8, "group_size": n, "advantage": "divided"}
    for name in ("modular sum", "sorting", "brackets")
    for n in (2, 3)
]
_MEAN_GRID = [{**_LAW, "lag": 8, "group_size": n, "advantage": "mean-only"} for n in (2, 4, 8)]
_WEIGHT_GRID = [
    {**_LAW, "updates": 20, "learning_rate": 0.03, "lag": 16, "group_size": n} for n in (4, 8)
]


EXPERIMENTS = (
    Experiment(
        "staleness",
        "small_groups",
        "Groups of two and three have no staleness bias",
        dict.fromkeys(SCALES, _BIAS_GRID),
        {"smoke": 2, "small": 5, "full": 10},
        measure_bias,
        (
            Comparison(
                groups_of_two_and_three_have_no_bias,
                lambda rows: _grouped(rows),
                "transformers on three token tasks, n = 2 and 3, lag 8",
                ERROR_LEVEL,
                _largest_bias,
                {name: name for name in ("n + 2 responses", "no ratio", "a third reward")},
                within=ROUNDING,
            ),
        ),
    ),
    Experiment(
        "staleness",
        "mean_only",
        "Mean-only advantages have no staleness bias",
        dict.fromkeys(SCALES, _MEAN_GRID),
        {"smoke": 2, "small": 5, "full": 10},
        measure_bias,
        (
            Comparison(
                mean_only_advantages_have_no_bias,
                lambda rows: _grouped(rows, std=None),
                "a transformer on modular sums, n = 2, 4 and 8, lag 8",
                ERROR_LEVEL,
                _largest_bias,
                {
                    "no ratio": "no ratio",
                    "divided by the standard deviation": "divided",
                    "rewards without a mean": "raw",
                },
                within=ROUNDING,
            ),
        ),
    ),
    Experiment(
        "staleness",
        "prompt_weight",
        "Sampled stale groups weigh a prompt by its success under the actor",
        dict.fromkeys(SCALES, _WEIGHT_GRID),
        {"smoke": 8, "small": 12, "full": 24},
        measure_weights,
        (
            Comparison(
                staleness_only_reweights,
                lambda rows: _grouped(rows),
                f"{GROUPS} groups of 4 and of 8 for each seed, lag 16",
                ERROR_LEVEL,
                _mean_weight,
                {
                    "n - 1 for n": lambda before, _after, n: prompt_weight(before, n - 1),
                    "the learner's success probability": lambda _before, after, n: prompt_weight(
                        after, n
                    ),
                    "sample for population": lambda before, _after, n: (
                        prompt_weight(before, n) * sqrt((n - 1) / n)
                    ),
                },
            ),
        ),
    ),
)
"""What `validate` trains for this theory."""
