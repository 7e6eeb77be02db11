"""Step matrices of every architecture, certificates against exact growth, repairs, regimes."""

import re

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.readers.adjacency import Adjacency
from rolltheory.readers.series import Series
from rolltheory.report.graph_world import certify, regime_report, repair_report, step_model

STAR = np.zeros((5, 5))
STAR[0, 1:] = STAR[1:, 0] = 1
SWAP = np.array([[0.0, 4.0], [1.0, 0.0]])
JORDAN = np.array([[0.5, 10.0], [0.0, 0.5]])


def graph(matrix):
    return Adjacency(sparse.csr_array(matrix), tuple(map(str, range(len(matrix)))))


def certificate(matrix, horizons=(1, 2, 4, 8), step=None, **options):
    return certify(step_model(graph(matrix), **(step or {})), horizons=horizons, **options)[0]


def growth(matrix, powers):
    """|M^k|_2 for each power k."""
    return [np.linalg.norm(np.linalg.matrix_power(matrix, k), 2) for k in powers]


# ---------------------------------------------------------------- step models


@pytest.mark.parametrize(
    ("architecture", "matrix", "lipschitz"),
    [
        ("plain", 0.25 * 0.06 * STAR @ STAR, 0.06),
        ("one_hop", 0.5 * 0.06 * STAR, 0.06),
        ("residual", np.eye(5) + 12 * 0.25 * 0.06 * STAR @ STAR, 1 + 12 * 0.06),
        (
            "residual_blocks",
            np.eye(5) + 12 * (np.eye(5) + 0.1 * STAR) @ (np.eye(5) + 0.15 * STAR),
            1 + 12 * 1.2 * 1.3,
        ),
    ],
)
def test_the_matrix_of_a_step_is_the_architectures_polynomial(architecture, matrix, lipschitz):
    weights = {
        "in": 3 * np.eye(2),
        "a.bias": np.ones(2),
        "a": 0.2 * np.eye(2),
        "b": 0.3 * np.eye(2),
        "out": 4 * np.eye(2),
    }
    ends = {"input_tensor": "in", "output_tensor": "out"}
    named = ends if architecture.startswith("residual") else {"tensors": ["a", "b"]}
    step = step_model(graph(STAR), weights, architecture=architecture, slope=0.5, **named)
    found = step.matrix.toarray()
    assert np.all(found >= matrix)
    np.testing.assert_allclose(found, matrix, rtol=1e-12)
    assert step.lipschitz == pytest.approx(lipschitz, rel=1e-9)
    assert step.lipschitz >= lipschitz
    assert [layer.name for layer in step.model.layers] == ["a", "b"]
    assert [layer.norm for layer in step.model.layers] == pytest.approx([0.2, 0.3])


@pytest.mark.parametrize("architecture", ["plain", "one_hop", "residual", "residual_blocks"])
def test_a_step_bounds_row_norms_and_the_frobenius_norm(architecture):
    rng = np.random.default_rng(5)
    adjacency = rng.random((6, 6)) * (rng.random((6, 6)) < 0.5)
    parts = {name: rng.normal(size=(3, 3)) for name in ("a", "b")}
    ends = {"in": rng.normal(size=(3, 3)), "out": rng.normal(size=(3, 3))}
    residual = architecture.startswith("residual")
    named = {"input_tensor": "in", "output_tensor": "out"} if residual else {}
    step = step_model(
        graph(adjacency),
        parts | (ends if residual else {}),
        architecture=architecture,
        activation="tanh",
        **named,
    )

    def model(x):
        a, b = parts.values()
        if architecture == "plain":
            return np.tanh(adjacency @ np.tanh(adjacency @ x @ a) @ b)
        if architecture == "one_hop":
            return np.tanh(adjacency @ x @ a) @ b
        inner = x @ ends["in"]
        for weight in (a, b):
            kept = inner if architecture == "residual_blocks" else 0
            inner = np.tanh(adjacency @ inner @ weight) + kept
        return x + inner @ ends["out"]

    for _ in range(200):
        x = rng.normal(size=(6, 3)) * rng.choice([0.01, 1])
        error = rng.normal(size=(6, 3)) * rng.choice([1e-4, 1]) * (rng.random((6, 1)) < 0.5)
        after = model(x + error) - model(x)
        assert np.all(
            np.linalg.norm(after, axis=1)
            <= step.matrix @ np.linalg.norm(error, axis=1) * (1 + 1e-9) + 1e-12
        )
        assert np.linalg.norm(after) <= step.lipschitz * np.linalg.norm(error) * (1 + 1e-9) + 1e-12


def test_normalisations_count_a_self_loop():
    symmetric = step_model(graph(STAR), normalisation="symmetric")
    degrees = STAR.sum(axis=1) + 1
    expected = (STAR + np.eye(5)) / np.sqrt(np.outer(degrees, degrees))
    np.testing.assert_allclose(symmetric.matrix.toarray(), expected, rtol=1e-12)
    assert symmetric.symmetric
    assert symmetric.lipschitz == pytest.approx(1, abs=1e-9)
    walk = certificate(STAR, step={"normalisation": "random-walk"})
    assert walk.radius.upper == pytest.approx(1, abs=1e-9)
    assert walk.transient.constant == pytest.approx(np.sqrt(5 / 2), rel=1e-6)


def test_a_random_walk_on_a_large_star_has_the_known_norm_and_constant():
    star = nx.to_numpy_array(nx.star_graph(49))
    found = certificate(star, step={"normalisation": "random-walk"})
    assert found.lipschitz == pytest.approx(3.53576, abs=5e-6)
    assert found.transient.constant == pytest.approx(5, rel=1e-6)
    assert found.naive.verdict == "false"


def test_single_precision_weights_are_certified_as_they_are_stored():
    """A projection to 0.97 in single precision leaves a little more than 0.97."""
    step = step_model(
        graph(np.eye(2)), {"w": np.float64(np.float32(0.97)) * np.eye(3)}, activation="tanh"
    )
    assert 0.97000002 < np.float64(np.float32(0.97)) <= step.lipschitz < 0.9700001


def test_signed_messages_need_the_absolute_value():
    signed = np.array([[0.0, -0.5], [0.5, 0.0]])
    with pytest.raises(AssumptionError, match="--absolute bounds a signed matrix by its"):
        step_model(graph(signed))
    assert step_model(graph(signed), absolute=True).lipschitz == pytest.approx(0.5)
    with pytest.raises(UnsupportedError, match="a normalisation of signed messages"):
        step_model(graph(signed), absolute=True, normalisation="symmetric")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"block.attn.weight": np.eye(2)}, "attention (tensor 'block.attn.weight') is not"),
        ({"q_proj.weight": np.eye(2)}, "a global constant of attention"),
        ({"w": np.eye(2), "norm.weight": np.ones(2)}, "layer_norm (tensor 'norm.weight')"),
        ({"w": np.eye(2), "scale": np.ones(2)}, "tensor 'scale' with one axis that is called no"),
        (
            {"w": np.eye(2), "step": np.array(3.0)},
            "tensor 'step' with no axes is not supported: if",
        ),
        ({"w": np.eye(2), "step": np.array(3.0)}, "name the layers' weights with --tensor"),
        (
            {"0.weight": np.eye(2), "1.weight": np.ones(2), "1.running_var": np.ones(2)},
            "batch normalisation (tensor '1.weight') is not supported: in evaluation it is linear",
        ),
        ({"conv.lin_l.weight": np.eye(2), "conv.lin_r.weight": np.eye(2)}, "past its messages"),
        ({"conv.weight": np.ones((2, 2, 3))}, "tensor 'conv.weight' of shape (2, 2, 3)"),
    ],
)
def test_layers_without_a_constant_are_refused(weights, message):
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        step_model(graph(SWAP), weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": {"a": np.ones((2, 3)), "b": np.ones((2, 3))}}, "a 2x3, b 2x3"),
        ({"weights": {"a": np.ones((2, 3))}}, "shapes that chain from a state to a state"),
        ({"weights": {"a_bias": np.ones(2)}, "tensors": ["a_bias"]}, "weights with two axes"),
        ({"weights": {"a": np.eye(2)}, "tensors": ["c"]}, "tensor = 'c' is not allowed"),
        ({"weights": {"a": np.eye(2)}, "layers": 2}, "layers = 2 is not allowed"),
        ({"weights": {"bias": np.ones(2)}}, "layers = None is not allowed"),
        ({"tensors": ["a"]}, "weights = None is not allowed"),
        ({"slope": 1.0, "activation": "tanh"}, "either a slope or an activation"),
        ({"slope": -1.0}, "slope = -1.0 is not allowed"),
    ],
)
def test_weights_that_are_no_step_are_refused(options, message):
    given = dict(options)
    with pytest.raises((DomainError, UnsupportedError), match=re.escape(message)):
        step_model(graph(SWAP), given.pop("weights", None), **given)


def test_weights_may_chain_as_rows_or_as_columns():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 3)), rng.normal(size=(3, 2))
    rows = step_model(graph(SWAP), {"a": first, "b": second})
    columns = step_model(graph(SWAP), {"a": first.T, "b": second.T})
    assert [layer.norm for layer in rows.model.layers] == pytest.approx(
        [layer.norm for layer in columns.model.layers]
    )


# --------------------------------------------------------------- certificates


def test_the_worked_star():
    """A linear model on it attains the bound: 0.8^10 0.1 + 0.01 (1 - 0.8^10) / 0.2."""
    step = step_model(graph(STAR), {"w": 0.4 * np.eye(3)}, activation="tanh")
    found, paths = certify(
        step, horizons=[10], one_step_errors=0.01, initial_error=0.1, tolerance=0.2
    )
    assert found.bounds[0].bound == pytest.approx(0.05536870912, abs=1e-11)
    assert found.bounds[0].by_radius == pytest.approx(found.bounds[0].by_norm)
    assert found.naive.verdict == "holds"
    assert found.stable
    assert (found.valid_steps, found.valid_steps_at_least) == (10, True)
    assert paths.bound.size == 11
    assert paths.bound[0] == 0.1
    assert [node.node for node in found.hurts_most] == list("01234")
    # weights count layers' messages, s_hub and s_leaf of the worked numbers with c = 0.4
    assert [node.weight for node in found.hurts_most[:2]] == pytest.approx(
        [6.44674, 3.47132], abs=1e-5
    )


def test_the_validity_horizon_of_the_worked_growth():
    found = certificate([[1.1]], [40], one_step_errors=0.01, tolerance=1.0)
    assert (found.valid_steps, found.valid_steps_at_least) == (25, False)
    short = certificate([[1.1]], [8], one_step_errors=0.01, tolerance=1.0)
    assert (short.valid_steps, short.valid_steps_at_least) == (25, True)
    assert certificate([[0.5]], one_step_errors=0.01, tolerance=1.0).valid_steps is None
    assert certificate([[0.5]], one_step_errors=0.0, tolerance=1.0).valid_steps is None


def test_steps_are_valid_up_to_the_first_that_is_not():
    errors = [1, 0, 0, 5, 0, 0]
    found = certificate([[0.5]], [6], one_step_errors=errors, tolerance=2)
    assert (found.valid_steps, found.valid_steps_at_least) == (3, False)
    assert certificate([[0.5]], [3], one_step_errors=errors, tolerance=2).valid_steps_at_least
    assert certificate([[0.5]], [6], one_step_errors=errors, tolerance=0.5).valid_steps == 0


def test_per_step_errors_are_sharper_than_the_largest_everywhere():
    errors = np.geomspace(1, 0.01, 8)
    sharp = certificate(STAR / 4, one_step_errors=errors).bounds[-1].bound
    assert sharp < 0.2 * certificate(STAR / 4, one_step_errors=1.0).bounds[-1].bound


def test_a_matrix_with_a_transient():
    """|A^k| is exactly 2 * 2^k at odd k: the naive bound is exceeded for ever."""
    found = certificate(SWAP, initial_error=1.0, one_step_errors=0.0)
    assert found.transient.constant == pytest.approx(2)
    assert found.transient.rate == pytest.approx(2)
    assert found.radius.period == 2
    assert found.naive.verdict == "false"
    assert "4-fold, which exceeds the spectral radius, 2, by 2;" in found.naive.reason
    assert [row.by_radius for row in found.bounds] == pytest.approx([4, 8, 32, 512])
    assert [row.by_powers for row in found.bounds] == pytest.approx([4, 4, 16, 256])
    for row, norm in zip(found.bounds, growth(SWAP, [1, 2, 4, 8]), strict=True):
        assert norm <= row.bound * (1 + 1e-12)
    odd = certificate(SWAP, [1, 3, 5], initial_error=1.0, one_step_errors=0.0)
    for row, norm in zip(odd.bounds, growth(SWAP, [1, 3, 5]), strict=True):
        assert row.naive * 1.9 < norm == pytest.approx(row.bound)


def test_powers_give_the_exact_growth_of_one_initial_error():
    for matrix in (SWAP, JORDAN, np.triu(np.ones((9, 9)), 1)):
        found = certificate(matrix, range(1, 12), initial_error=1.0, one_step_errors=0.0)
        exact = growth(matrix, range(1, 12))
        assert [row.by_powers for row in found.bounds] == pytest.approx(exact)
        assert all(row.bound >= norm for row, norm in zip(found.bounds, exact, strict=True))
        forced = certificate(matrix, range(1, 12), one_step_errors=1.0)
        sums = np.cumsum([1.0, *exact[:-1]])
        assert [row.by_powers for row in forced.bounds] == pytest.approx(sums)


def test_powers_of_large_graphs_are_not_formed():
    ring = certificate(np.roll(np.eye(201), 1, axis=1), [4], tolerance=3.5)
    assert (ring.bounds[0].by_powers, ring.valid_steps_at_least) == (None, False)
    assert ring.valid_steps == 3
    assert certificate([[1.0]], [201]).bounds[0].by_powers is None


def test_a_graph_without_a_cycle_is_valid_for_ever_once_errors_have_left_it():
    chain = np.diag(np.ones(4), 1)
    assert certificate(chain, [4], tolerance=5.1).valid_steps_at_least
    assert certificate(chain, [8], tolerance=5.1).valid_steps is None
    assert certificate(chain, [8], tolerance=3.1).valid_steps == 3


def test_a_reducible_defective_matrix_needs_a_rate():
    found = certificate(JORDAN)
    assert found.transient is None
    assert not found.radius.irreducible
    assert found.radius.cyclic_components == 2
    assert [row.by_radius for row in found.bounds] == [None] * 4
    assert found.stable
    assert "the spectral radius of a step is at most 0.5" in found.stable_because
    rated = certificate(JORDAN, rate=0.75, initial_error=1.0, one_step_errors=0.0)
    for row, norm in zip(rated.bounds, growth(JORDAN, [1, 2, 4, 8]), strict=True):
        assert norm <= row.by_radius
    with pytest.raises(DomainError, match="above the spectral radius"):
        certificate(JORDAN, rate=0.5)


def test_a_graph_without_a_cycle():
    dag = np.triu(np.ones((50, 50)), 1)
    found = certificate(dag, [25, 50], initial_error=1.0, one_step_errors=0.0)
    assert (found.radius.lower, found.radius.upper, found.radius.cyclic_components) == (0, 0, 0)
    assert found.stable_because.startswith("the graph has no cycle")
    assert found.naive.verdict == "false"
    assert found.bounds[0].naive == 0
    assert found.bounds[0].bound >= growth(dag, [25])[0] > 4e13


def test_a_symmetric_matrix_needs_no_rate_even_in_parts():
    parts = nx.to_numpy_array(nx.disjoint_union(nx.cycle_graph(3), nx.path_graph(2)))
    found = certificate(parts)
    assert not found.radius.irreducible
    assert (found.transient.constant, found.naive.verdict) == (1.0, "holds")
    assert found.bounds[-1].by_radius == pytest.approx(found.bounds[-1].naive)


def test_a_normal_matrix_that_is_not_symmetric():
    found = certificate(np.roll(np.eye(5), 1, axis=1))
    assert (found.naive.verdict, found.radius.period) == ("holds", 5)


def test_what_one_step_does_not_tell_stays_open():
    """A permutation and a defective block apart: one step stretches by the radius at most."""
    matrix = np.zeros((4, 4))
    matrix[0, 1] = matrix[1, 0] = 3
    matrix[2, 3] = 1
    assert certificate(matrix).naive.verdict == "open"


def test_no_message_and_bounds_beyond_floats():
    nothing = certificate(np.zeros((3, 3)), initial_error=2.0)
    assert [row.bound for row in nothing.bounds] == pytest.approx([1.0] * 4)
    assert nothing.stable
    huge = certificate(1e300 * STAR, [1, 8])
    assert huge.bounds[-1].bound == np.inf
    assert huge.hurts_most == huge.shows_most == ()  # infinite weights rank nothing


def test_errors_hurt_and_show_at_different_nodes():
    """On a path of messages a -> b -> c an error at the source hurts, and the end shows it."""
    found = certificate(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), [3])
    assert [node.node for node in found.hurts_most] == ["0", "1", "2"]
    assert [node.weight for node in found.hurts_most] == pytest.approx([3, 2, 1])
    assert [node.node for node in found.shows_most] == ["2", "1", "0"]


def test_ten_nodes_are_listed():
    assert len(certificate(nx.to_numpy_array(nx.star_graph(30))).hurts_most) == 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"horizons": [0]}, "horizon = 0 is not allowed"),
        ({"one_step_errors": [1.0, 2.0]}, "at least 8 steps, the longest horizon"),
        ({"one_step_errors": -1.0}, "one_step_errors = -1.0 is not allowed"),
        ({"one_step_errors": np.nan}, "one_step_errors = nan is not allowed"),
        ({"initial_error": -1.0}, "initial_error = -1.0 is not allowed"),
        ({"tolerance": 0.0}, "tolerance = 0.0 is not allowed"),
    ],
)
def test_numbers_out_of_range_are_refused(options, message):
    with pytest.raises(DomainError, match=re.escape(message)):
        certificate(STAR, **options)


# --------------------------------------------------------------------- repair


def test_two_triangles_need_two_repairs():
    triangles = nx.to_numpy_array(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))
    found = repair_report(step_model(graph(triangles)), 2, objective="radius")
    assert found.radius_upper == pytest.approx(2)
    assert found.chosen.residual_upper == pytest.approx(1)
    assert (found.optimum, found.gap) == (pytest.approx(1), pytest.approx(0, abs=1e-9))
    assert found.chosen.guarantee is None
    (walks,) = found.others
    assert walks.rule == "walks"
    assert walks.guarantee == pytest.approx(1 - np.exp(-1))
    # two triangles have 6 * 2^8 walks of 8 steps, a pair of nodes 2
    assert walks.walks_destroyed == pytest.approx(2 * (3 * 2**8 - 2))
    assert walks.walk_bound == pytest.approx(4 ** (1 / 8))
    assert walks.residual_upper <= walks.walk_bound


def test_a_connected_region_loses_the_guarantee():
    lollipop = nx.to_numpy_array(nx.lollipop_graph(6, 3))
    found = repair_report(step_model(graph(lollipop)), 4, connected=True)
    assert found.chosen.guarantee is None
    assert [choice.rule for choice in found.others] == ["radius", "walks, unconnected"]
    assert found.others[1].guarantee > 0.6
    assert found.optimum == pytest.approx(np.sqrt(2))
    assert found.gap >= 0


def test_a_larger_graph_gets_the_choice_alone():
    found = repair_report(step_model(graph(nx.to_numpy_array(nx.star_graph(80)))), 2)
    assert found.chosen.region[0] == "0"
    assert (found.others, found.optimum, found.gap) == ((), None, None)


def test_repairing_everything_leaves_nothing():
    found = repair_report(step_model(graph(SWAP)), 2)
    assert (found.chosen.residual_upper, found.chosen.walk_bound, found.optimum) == (0, 0, 0)


@pytest.mark.parametrize("budget", [0, 6, 1.5])
def test_a_budget_out_of_range_is_refused(budget):
    with pytest.raises(DomainError, match="budget"):
        repair_report(step_model(graph(STAR)), budget)


# -------------------------------------------------------------------- regimes

DAYS = np.arange(730)
RNG = np.random.default_rng(0)
TRUTH = np.sin(2 * np.pi * DAYS / 365) + 0.1 * RNG.normal(size=730)
RUNS = {
    "calm": TRUTH,
    "leaning": TRUTH + 0.005 * DAYS,
    "flat": 0.1 * TRUTH,
    "wild": np.where(DAYS > 700, np.inf, TRUTH),
}


def test_a_regime_per_channel_against_a_reference():
    series = Series(tuple(RUNS), np.column_stack(list(RUNS.values())))
    normal = Series(tuple(reversed(RUNS)), np.column_stack([TRUTH] * 4))
    found = regime_report(series, normal, period=365)
    labels = dict(zip(found.channels, (regime.label for regime in found.regimes), strict=True))
    assert labels == {
        "calm": "stable",
        "leaning": "drift",
        "flat": "loss of seasonality",
        "wild": "blow-up",
    }
    assert not found.own_reference
    again = regime_report(series, normal, period=365, seed=1)
    slopes = [(report.regimes[0].slope, report.regimes[0].slope_lower) for report in (found, again)]
    assert slopes[0][0] == slopes[1][0]
    assert slopes[0][1] != slopes[1][1]


def test_the_first_period_stands_in_for_a_reference():
    series = Series(("calm",), TRUTH[:, None])
    found = regime_report(series, period=365)
    assert (found.own_reference, found.regimes[0].label) == (True, "stable")


def test_a_reference_of_other_channels_is_refused():
    series, other = Series(("a",), TRUTH[:, None]), Series(("b",), TRUTH[:, None])
    with pytest.raises(DomainError, match=re.escape("reference = ['a', 'b'] is not allowed")):
        regime_report(series, other, period=365)


def test_an_undefined_start_is_no_reference():
    series = Series(("a",), np.full((730, 1), np.nan))
    with pytest.raises(DomainError, match="series = nan is not allowed: need finite numbers in"):
        regime_report(series, period=365)


# ---------------------------------------------------------------- where floats run out


def test_two_small_layers_do_not_make_a_graph_acyclic():
    found = certificate(1e-200 * SWAP, step={"layers": 2}, initial_error=1.0)
    assert found.radius.upper > 0
    assert "no cycle" not in found.stable_because
    for row in found.bounds:
        assert row.bound > 0
        assert row.by_powers > 0


def test_weights_that_cancel_in_size_do_so_in_the_matrix_too():
    sizes = {"a": 1e200, "b": 1e200, "c": 1e-200, "d": 1e-200}
    weights = {name: size * np.eye(1) for name, size in sizes.items()}
    model = step_model(graph(0.5 * SWAP), weights)
    assert model.lipschitz == pytest.approx(16)
    assert model.matrix.toarray() == pytest.approx(np.linalg.matrix_power(0.5 * SWAP, 4))


def test_row_sums_beyond_floats_are_refused():
    with pytest.raises(DomainError, match="row sums"):
        step_model(graph(np.full((2, 2), 1.5e308)), normalisation="random-walk")


@pytest.mark.parametrize("scale", [1e-200, 1e-50, 1e30])
def test_the_walk_bound_is_above_what_remains_at_any_scale(scale):
    found = repair_report(step_model(graph(scale * (STAR + np.eye(5)))), 1, length=8)
    for choice in (found.chosen, *found.others):
        assert choice.walk_bound >= choice.residual_lower > 0


def test_a_normalised_norm_is_not_below_one():
    for size in (3, 5, 17, 50):
        for shape in (nx.path_graph, nx.star_graph, nx.complete_graph):
            model = step_model(graph(nx.to_numpy_array(shape(size))), normalisation="symmetric")
            assert 1 <= model.model.adjacency_norm < 1 + 1e-9
