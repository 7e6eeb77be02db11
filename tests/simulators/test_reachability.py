import numpy as np
import pytest

from rolltheory.errors import DomainError
from simulators.reachability import (
    RandomGraph,
    beta_success_probabilities,
    exchangeable_outcomes,
    independent_tries,
    mixture_success_probabilities,
    noisy_critic,
    pooled_critic,
    random_state_graph,
    random_tree_policy,
    random_walks,
    sampled_trajectories,
    tree_policy,
)


@pytest.fixture
def generator():
    return np.random.default_rng(7)


def within_sampling_error(share, probability, draws):
    """Five standard errors: one false alarm in two million."""
    allowed = 5 * np.sqrt(probability * (1 - probability) / draws)
    return bool(np.all(np.abs(share - probability) <= allowed + 1e-12))


def test_beta_problems_have_their_mean_and_hopeless_share(generator):
    drawn = beta_success_probabilities(20_000, 2.0, 6.0, zero_mass=0.25, generator=generator)
    assert within_sampling_error((drawn == 0).mean(), 0.25, drawn.size)
    assert drawn[drawn > 0].mean() == pytest.approx(0.25, abs=0.01)
    assert (beta_success_probabilities(1000, 2.0, 6.0, generator=generator) > 0).all()


def test_mixture_problems_have_their_weights(generator):
    drawn = mixture_success_probabilities(
        20_000, [0.0, 0.2, 0.9], [0.5, 0.4, 0.1], generator=generator
    )
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == [0.0, 0.2, 0.9]
    assert within_sampling_error(counts / drawn.size, np.array([0.5, 0.4, 0.1]), drawn.size)


def test_tries_follow_their_probabilities(generator):
    probability = np.array([0.0, 0.01, 0.5, 1.0])
    tries = independent_tries(probability, [10, 100_000, 100_000, 3], generator=generator)
    assert tries.success_probability.tolist() == probability.tolist()
    assert tries.samples.tolist() == [10, 100_000, 100_000, 3]
    assert within_sampling_error(tries.successes / tries.samples, probability, tries.samples)


def test_exchangeable_outcomes_share_their_latent_probability(generator):
    latent = mixture_success_probabilities(20_000, [0.1, 0.9], [0.5, 0.5], generator=generator)
    outcomes = exchangeable_outcomes(latent, 4, generator=generator)
    assert outcomes.shape == (20_000, 4)
    assert within_sampling_error(outcomes.mean(0), 0.5, 20_000)
    both = (outcomes[:, 0] & outcomes[:, 3]).mean()
    assert within_sampling_error(both, 0.5 * (0.01 + 0.81), 20_000)


def test_a_random_graph_is_a_chain_with_a_closed_loop(generator):
    graph = random_state_graph(
        200, edges_per_state=3, success=2, failure=4, trapped=3, generator=generator
    )
    assert (np.diff(graph.source * 200 + graph.target) > 0).all()
    out = np.bincount(graph.source, graph.probability, minlength=200)
    np.testing.assert_allclose(out[:194], 1.0, rtol=1e-14)
    assert not out[194:].any()
    assert graph.failure.tolist() == [194, 195, 196, 197]
    assert graph.success.tolist() == [198, 199]
    loop = graph.source >= 191
    assert graph.target[loop].tolist() == [192, 193, 191]
    assert (graph.probability > 0).all()


def test_walks_on_the_worked_graph_end_as_often_as_they_should(generator):
    edges = [(0, 1, 0.5), (0, 2, 0.3), (0, 3, 0.2), (1, 2, 0.4), (1, 5, 0.6)]
    edges += [(2, 0, 0.25), (2, 2, 0.5), (2, 6, 0.25), (3, 4, 1.0), (4, 3, 1.0)]
    source, target, probability = (np.array(part) for part in zip(*edges, strict=True))
    graph = RandomGraph(7, source, target, probability, np.array([5]), np.array([6]))
    walks = random_walks(graph, np.arange(7), walks=20_000, steps=300, generator=generator)
    value = np.array([2 / 5, 17 / 25, 1 / 5, 0, 0, 1, 0])
    assert within_sampling_error(walks.succeeded.mean(1), value, 20_000)
    assert not walks.finished[[3, 4]].any()
    assert within_sampling_error(walks.finished[0].mean(), 11 / 15, 20_000)


def test_walks_stop_after_their_steps(generator):
    chain = RandomGraph(
        3, np.array([0, 1]), np.array([1, 2]), np.ones(2), np.array([2]), np.array([])
    )
    for steps, done in ((0, False), (1, False), (2, True)):
        walks = random_walks(chain, [0], walks=5, steps=steps, generator=generator)
        assert (walks.succeeded == done).all()
        assert (walks.finished == done).all()


def test_tree_values_by_hand():
    tree = tree_policy([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]], [0.8, 0.4, 0.1, 0.9])
    np.testing.assert_allclose(tree.value, [0.3, 0.5, 0.1, 0.8, 0.4, 0.1, 0.9])
    with pytest.raises(DomainError, match="leaf_success = 3 is not allowed: need 4 leaves"):
        tree_policy([[0.5, 0.5]] * 3, [0.1, 0.2, 0.3])


def test_trajectories_follow_the_policy_and_succeed_as_valued(generator):
    tree = random_tree_policy(3, 3, dead_leaves=0.5, generator=generator)
    assert tree.action_probability.shape == (13, 3)
    assert 0 < (tree.leaf_success == 0).sum() < 27
    runs = sampled_trajectories(tree, 50_000, generator=generator)
    assert runs.nodes.shape == (50_000, 4)
    np.testing.assert_array_equal(runs.nodes[:, 1:], 3 * runs.nodes[:, :-1] + 1 + runs.actions)
    for node in range(tree.value.size):
        through = (runs.nodes == node).any(1)
        succeeded = runs.outcome[through].mean() if through.any() else tree.value[node]
        assert within_sampling_error(succeeded, tree.value[node], max(through.sum(), 1))
    for node in range(13):
        here = runs.nodes[:, :-1] == node
        share = np.bincount(runs.actions[here], minlength=3) / max(here.sum(), 1)
        if here.any():
            assert within_sampling_error(share, tree.action_probability[node], here.sum())
    with pytest.raises(DomainError, match="depth = 0 "):
        random_tree_policy(0, 2, generator=generator)


def test_a_pooled_critic_is_calibrated_but_blind(generator):
    actual = generator.random(500)
    critic = pooled_critic(actual, 4, generator=generator)
    assert critic.actual.tolist() == actual.tolist()
    pools = np.unique(critic.predicted)
    assert pools.size == 4
    for value in pools:
        members = critic.predicted == value
        assert actual[members].mean() == pytest.approx(value, rel=1e-12)
        assert np.ptp(actual[members]) > 0.5


def test_a_noisy_critic_is_right_on_average(generator):
    critic = noisy_critic(np.repeat([0.0, 0.3, 1.0], 20_000), 9.0, generator=generator)
    zero, some, one = critic.predicted.reshape(3, -1)
    assert not zero.any()
    assert (one == 1).all()
    assert some.var() == pytest.approx(0.3 * 0.7 / 10, rel=0.05)
    assert some.mean() == pytest.approx(0.3, abs=5 * np.sqrt(0.021 / 20_000))


def test_the_same_seed_gives_the_same_data():
    def everything(seed):
        generator = np.random.default_rng(seed)
        problems = beta_success_probabilities(50, 0.5, 1.0, zero_mass=0.1, generator=generator)
        graph = random_state_graph(30, edges_per_state=2, generator=generator)
        walks = random_walks(graph, np.arange(30), walks=3, steps=20, generator=generator)
        tree = random_tree_policy(2, 2, generator=generator)
        runs = sampled_trajectories(tree, 10, generator=generator)
        critic = noisy_critic(problems, 5.0, generator=generator)
        tries = independent_tries(problems, 8, generator=generator)
        parts = (walks.succeeded, runs.nodes, critic.predicted, tries.successes)
        return [part.tolist() for part in parts]

    assert everything(1) == everything(1)
    assert everything(1) != everything(2)


def test_impossible_requests_are_refused(generator):
    with pytest.raises(DomainError, match="states = 4 "):
        random_state_graph(4, edges_per_state=2, generator=generator)
    with pytest.raises(DomainError, match=r"success_probability = 1\.5 "):
        independent_tries(1.5, 3, generator=generator)
    with pytest.raises(DomainError, match="samples = -1 "):
        independent_tries(0.5, -1, generator=generator)
    graph = random_state_graph(9, edges_per_state=2, generator=generator)
    with pytest.raises(DomainError, match="start = 9 "):
        random_walks(graph, [9], walks=1, steps=1, generator=generator)
