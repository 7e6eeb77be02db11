"""The exact map of the training runs against plain enumeration, and what one run measures."""

from itertools import product
from math import prod

import numpy as np
import pytest
import torch

from rolltheory.errors import DomainError
from validation.training.experiments import evidence, experiments, perform, planned
from validation.training.policy import ResponseLaw, initial_parameters
from validation.training.runs import Outcome
from validation.training.surrogate import gradient, mean_advantages, success
from validation.training.tasks import TASKS, task


def listed_advantages(rewards, behaviour, group_size, divided):
    """Every rest of the group, one by one."""
    found = np.zeros(len(rewards))
    for rest in product(range(len(rewards)), repeat=group_size - 1):
        chance = prod(behaviour[i] for i in rest)
        for y in range(len(rewards)):
            group = np.array([rewards[y], *(rewards[i] for i in rest)])
            advantage = group[0] - group.mean()
            if divided:
                advantage = advantage / group.std() if group.std() else 0.0
            found[y] += chance * advantage
    return found


@pytest.mark.parametrize("group_size", [2, 3, 4])
@pytest.mark.parametrize("rewards", [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 2.0, 1.0]])
@pytest.mark.parametrize("advantage", ["divided", "mean-only"])
def test_mean_advantages_are_those_of_all_groups(rewards, group_size, advantage):
    behaviour = np.array([0.1, 0.2, 0.3, 0.4])
    found = mean_advantages(
        torch.tensor([rewards], dtype=torch.float64),
        torch.as_tensor(behaviour)[None],
        group_size=group_size,
        advantage=advantage,
    )
    expected = listed_advantages(rewards, behaviour, group_size, advantage == "divided")
    np.testing.assert_allclose(found[0].numpy(), expected, atol=1e-14)


@pytest.fixture
def problem():
    chosen = task("modular sum")
    law = ResponseLaw.of(chosen, device="cpu", dtype=torch.float64)
    parameters = initial_parameters(law, torch.Generator().manual_seed(3))
    return law, parameters, torch.as_tensor(chosen.rewards)


def test_responses_have_a_law(problem):
    law, parameters, _ = problem
    total = law.log_probabilities(parameters).exp().sum(-1)
    torch.testing.assert_close(total, torch.ones_like(total))


def test_tokens_do_not_see_later_ones(problem):
    law, parameters, _ = problem
    tokens = law.sequences[:1, :-1].clone()
    before = torch.func.functional_call(law.model, parameters, (tokens,))
    tokens[0, -1] = (tokens[0, -1] + 1) % 3
    after = torch.func.functional_call(law.model, parameters, (tokens,))
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_the_fresh_mean_only_step_is_a_share_of_the_gradient_of_success(problem):
    law, parameters, rewards = problem
    behaviour = law.log_probabilities(parameters).exp()
    step = gradient(law, parameters, rewards, behaviour, group_size=4, advantage="mean-only")
    leaves = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    slopes = torch.autograd.grad(success(law, leaves, rewards).mean(), list(leaves.values()))
    for name, slope in zip(leaves, slopes, strict=True):
        torch.testing.assert_close(step[name], 0.75 * slope)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_prompt_can_be_answered(name):
    chosen = task(name)
    assert len(chosen.responses) <= 4096
    assert (chosen.rewards.sum(axis=1) >= 1).all()
    assert chosen.rewards.shape == (len(chosen.prompts), len(chosen.responses))
    assert len(np.unique(chosen.responses, axis=0)) == len(chosen.responses)
    assert chosen.responses.max() < chosen.vocabulary


def test_brackets_balance():
    chosen = task("brackets")
    for prompt, rewards in zip(chosen.prompts.tolist(), chosen.rewards, strict=True):
        for answer in chosen.responses[rewards == 1].tolist():
            text = "".join("()"[token] for token in (*prompt, *answer) if token < 2)
            while "()" in text:
                text = text.replace("()", "")
            assert text == ""


def test_an_unknown_task_is_refused():
    with pytest.raises(DomainError, match="one of brackets, modular sum, sorting"):
        task("chess")


def test_a_run_is_the_same_when_repeated():
    run = next(run for run in planned(["staleness"], device="cpu") if run.at("group_size") == 2)
    first, again = perform(run), perform(run)
    assert first.outcome is Outcome.FINISHED
    assert (first.observed, first.predicted) == (again.observed, again.predicted)
    assert first.observed["exact"] < 1e-12 < first.observed["no ratio"]


def test_a_run_that_leaves_the_numbers_is_a_result():
    from dataclasses import replace

    run = planned(["staleness"], device="cpu")[0]
    point = dict(run.point) | {"learning_rate": 1e300}
    row = perform(replace(run, point=tuple(sorted(point.items()))))
    assert (row.outcome, row.note) == (Outcome.DIVERGED, "a weight is no finite number")


def test_rows_that_ended_badly_decide_nothing():
    assert evidence([]) == ()


def test_experiments_name_their_claims():
    for experiment in experiments().values():
        assert experiment.comparisons
        assert set(experiment.grid) == set(experiment.seeds) == {"smoke", "small", "full"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scale": "huge"}, "one of smoke, small, full"),
        ({"device": "tpu"}, "one of auto, cpu, cuda"),
        ({"theories": ["chess"]}, "one with training runs"),
    ],
)
def test_what_cannot_be_planned_is_refused(settings, said):
    with pytest.raises(DomainError, match=said):
        planned(**settings)


def test_a_missing_card_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(DomainError, match="finds no CUDA device"):
        planned(device="cuda")
