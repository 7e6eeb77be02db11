"""Reachability and success probability against routes that share nothing with them."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.linalg import bicgstab, splu

from rolltheory.errors import UnsupportedError
from rolltheory.reachability import _graph_kernels as kernels
from rolltheory.reachability import success as module
from rolltheory.reachability.reach import can_reach, reach_classes, surely_reaches
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import (
    success_probability,
    success_probability_enclosure,
    success_probability_exact,
)

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
CYCLES = [
    *[(0, 1, HALF), (0, 2, Fraction(3, 10)), (0, 3, Fraction(1, 5))],
    *[(1, 5, Fraction(3, 5)), (1, 2, Fraction(2, 5))],
    *[(2, 2, HALF), (2, 0, QUARTER), (2, 6, QUARTER)],
    *[(3, 4, 1), (4, 3, 1)],
]


@pytest.fixture
def cycles():
    return StateGraph.from_edges(CYCLES, success=[5], absorbing=[6])


def random_graph(rng, *, states, out_degree, success, absorbing):
    """States 0, 1, ... are the successes, the next ones absorbing, the others choose at random."""
    ends = success + absorbing
    source = np.repeat(np.arange(ends, states), out_degree)
    target = rng.integers(0, states, source.size)
    weight = rng.random((states - ends, out_degree)) ** 3
    weight /= weight.sum(axis=1, keepdims=True)
    matrix = coo_array((weight.ravel(), (source, target)), shape=(states, states))
    return StateGraph.from_scipy(
        matrix, success=np.arange(success), absorbing=np.arange(success, ends)
    )


def assert_encloses(enclosure, exact, width):
    value, lower, upper = enclosure
    for low, high, truth in zip(lower.tolist(), upper.tolist(), exact, strict=True):
        assert Fraction(low) <= truth <= Fraction(high)
    assert (lower <= value).all()
    assert (value <= upper).all()
    assert (upper - lower).max() < width


def test_worked_graph(cycles):
    """The worked values: cycles, a self-loop, a closed loop without success."""
    reached, sure = reach_classes(cycles)
    assert np.flatnonzero(reached).tolist() == np.flatnonzero(can_reach(cycles)).tolist()
    assert np.flatnonzero(reached).tolist() == [0, 1, 2, 5]
    assert np.flatnonzero(sure).tolist() == [5]
    exact = success_probability_exact(cycles)
    assert exact == (Fraction(2, 5), Fraction(17, 25), Fraction(1, 5), 0, 0, 1, 0)
    np.testing.assert_allclose(
        success_probability(cycles), [0.4, 0.68, 0.2, 0, 0, 1, 0], rtol=0, atol=1e-15
    )
    assert 1 - (1 - exact[0]) ** 2 == Fraction(64, 100)
    assert 1 - (1 - exact[0]) ** 8 == Fraction("0.98320384")


def test_the_equations_on_all_states_are_singular(cycles):
    """Trap: closed loops make the full system singular, and iteration from 1 keeps their 1."""
    chain = cycles.transition_matrix().toarray()
    unknown = [0, 1, 2, 3, 4, 6]
    system = np.eye(6) - chain[np.ix_(unknown, unknown)]
    assert np.linalg.matrix_rank(system) == 4
    chain[5, 5] = 1.0
    from_one = np.linalg.matrix_power(chain, 2000) @ np.ones(7)
    from_zero = np.linalg.matrix_power(chain, 2000) @ np.eye(7)[5]
    np.testing.assert_allclose(from_one, np.ones(7))
    np.testing.assert_allclose(success_probability(cycles), from_zero, atol=1e-14)


def test_stopping_by_step_size_is_wrong_by_two_percent():
    """Trap: a self-loop of 1 - 1e-4 moves too little per step for a step tolerance to see."""
    change, value, steps = 1.0, 0.0, 0
    while change >= 1e-6:
        change = 5e-5 - 1e-4 * value
        value, steps = value + change, steps + 1
    assert (steps, round(value, 4)) == (39_120, 0.49)
    graph = StateGraph.from_edges(
        [(0, 0, 1 - 1e-4), (0, 1, 5e-5), (0, 2, 5e-5), (2, 2, 1)], success=[1]
    )
    assert abs(success_probability(graph, tolerance=1e-15)[0] - 0.5) < 1e-15


def test_a_trap_behind_a_success_does_no_harm():
    graph = StateGraph.from_edges(
        [("start", "won", 1), ("won", "trap", 1)], success=["won"], absorbing=["trap"]
    )
    assert surely_reaches(graph).tolist() == [True, True, False]
    assert success_probability(graph).tolist() == [1.0, 1.0, 0.0]
    assert success_probability_exact(graph) == (1, 1, 0)


def chains(states, parts):
    """Every stochastic matrix whose entries are multiples of one over the parts."""
    rows = [row for row in itertools.product(range(parts + 1), repeat=states) if sum(row) == parts]
    return np.array(list(itertools.product(rows, repeat=states))) / parts


def limits(chain, success):
    """V by squaring the chain with absorbing successes until nothing is left to happen."""
    power = np.where(np.array(success)[:, None], np.eye(len(success)), chain)
    for _ in range(50):
        power = power @ power
        power /= power.sum(axis=-1, keepdims=True)
    return power @ np.array(success, dtype=float)


@pytest.mark.parametrize(("states", "parts"), [(1, 2), (2, 4), (3, 2)])
def test_every_small_graph(states, parts):
    """Every chain with those weights and every set of successes: all four answers."""
    every = chains(states, parts)
    for success in itertools.product([False, True], repeat=states):
        if not any(success):
            continue
        expected = limits(every, success)
        for chain, limit in zip(every, expected, strict=True):
            edges = [(s, t, Fraction(chain[s, t])) for s, t in np.argwhere(chain).tolist()]
            graph = StateGraph.from_edges(
                edges, success=np.flatnonzero(success), states=range(states)
            )
            exact = success_probability_exact(graph)
            assert exact == tuple(Fraction(v).limit_denominator(1000) for v in limit)
            assert can_reach(graph).tolist() == [v > 0 for v in exact]
            assert surely_reaches(graph).tolist() == [v == 1 for v in exact]
            assert_encloses(success_probability_enclosure(graph), exact, 1e-14)


@pytest.mark.parametrize("seed", range(30))
def test_random_graphs_with_cycles_are_enclosed(seed):
    rng = np.random.default_rng(seed)
    shape = {"states": int(rng.integers(5, 45)), "out_degree": int(rng.integers(1, 4))}
    graph = random_graph(rng, **shape, success=2, absorbing=int(rng.integers(0, 3)))
    exact = success_probability_exact(graph)
    assert can_reach(graph).tolist() == [v > 0 for v in exact]
    assert surely_reaches(graph).tolist() == [v == 1 for v in exact]
    assert_encloses(success_probability_enclosure(graph), exact, 1e-9)


def ring(states):
    """A cycle with pauses, left to success or failure with a chance of two percent together."""
    edges = [(s, (s + 1) % states, Fraction(68, 100)) for s in range(states)]
    edges += [(s, s, Fraction(30, 100)) for s in range(states)]
    edges += [(s, "won", Fraction(1 + s % 2, 150)) for s in range(states)]
    edges += [(s, "lost", Fraction(2 - s % 2, 150)) for s in range(states)]
    return StateGraph.from_edges(edges, success=["won"], absorbing=["lost"])


@pytest.fixture
def no_sweeps(monkeypatch):
    monkeypatch.setattr(module, "relax", lambda *system: False)


@pytest.mark.parametrize("seed", range(20))
def test_limits_next_to_one_outweigh_their_last_rounding(seed):
    """The value is off by less than half a unit, the distance of two floats there."""
    loss = float(np.random.default_rng(seed).random() * 1e-5)
    graph = StateGraph.from_edges(
        [(0, 1, 1 - loss), (0, 2, loss), (2, 2, 1.0), (3, 0, 1.0 - 2 * loss), (3, 2, 2 * loss)],
        success=[1],
    )
    assert_encloses(success_probability_enclosure(graph), success_probability_exact(graph), 1e-14)


@pytest.mark.parametrize("method", ["sweeps", "factors", "Krylov"])
@pytest.mark.parametrize("states", [31, 32, 33, 34, 100])
def test_a_component_of_any_size_by_any_method(request, monkeypatch, states, method):
    """Elimination up to 32 states, above that one of three."""
    called = set()
    monkeypatch.setattr(
        module, "bicgstab", lambda *a, **k: called.add("Krylov") or bicgstab(*a, **k)
    )
    monkeypatch.setattr(module, "splu", lambda *a, **k: called.add("factors") or splu(*a, **k))
    if method != "sweeps":
        request.getfixturevalue("no_sweeps")
    if method == "Krylov":
        monkeypatch.setattr(module, "_ITERATED_FROM", 0)
    graph = ring(states)
    fields = ("row_start", "targets", "probabilities", "success", "states")
    rounded = StateGraph(*(getattr(graph, field) for field in fields))
    assert_encloses(success_probability_enclosure(graph), success_probability_exact(rounded), 3e-13)
    assert called == ({method} - {"sweeps"} if states > 32 else set())


def test_sweeps_go_on_for_the_moves_where_the_values_are_too_small_to_change():
    edges = [(s, (s + 1) % 50, 0.98) for s in range(50)]
    edges += [(s, end, w) for s in range(50) for end, w in (("won", 1e-17), ("lost", 0.02 - 1e-17))]
    graph = StateGraph.from_edges(edges, success=["won"], absorbing=["lost"])
    _, lower, upper = success_probability_enclosure(graph)
    truth = Fraction(1e-17) / (Fraction(1e-17) + Fraction(0.02 - 1e-17))  # the same everywhere
    for low, high in zip(lower[:50].tolist(), upper[:50].tolist(), strict=True):
        assert low <= truth <= high < truth + Fraction(1, 10**15)


@pytest.mark.parametrize("sweeps", [True, False])
def test_large_components_between_small_ones(request, sweeps):
    """From the ends backwards: one state, a ring, two states, a ring, one state."""
    if not sweeps:
        request.getfixturevalue("no_sweeps")
    edges = [("gate", "won", 0.25), ("gate", "lost", 0.75), ("start", ("b", 3), 1.0)]
    edges += [("left", "right", 0.5), ("left", ("a", 0), 0.5), ("right", "left", 1.0)]
    for name, size, out in (("a", 40, "gate"), ("b", 50, "left")):
        for s in range(size):
            edges += [((name, s), (name, (s + 1) % size), 0.875), ((name, s), out, 0.0625)]
            edges += [((name, s), "won" if s % 3 else "lost", 0.0625)]
    graph = StateGraph.from_edges(edges, success=["won"], absorbing=["lost"])
    exact = success_probability_exact(graph)
    assert len(set(exact)) > 90
    assert_encloses(success_probability_enclosure(graph), exact, 1e-13)


def test_a_lattice_mixes_slowly_and_is_factorised(monkeypatch):
    """A symmetric walk on a strip between failure and success climbs linearly."""
    length, width = 200, 20
    edges = [(0, 0, 1.0)]
    for x, y in itertools.product(range(1, length), range(width)):
        state = 1 + (x - 1) * width + y
        left = 0 if x == 1 else state - width
        right = "won" if x == length - 1 else state + width
        around = 1 + (x - 1) * width + (y + 1) % width
        edges += [(state, left, 0.375), (state, right, 0.375), (state, around, 0.25)]
    graph = StateGraph.from_edges(edges, success=["won"])
    called = []
    monkeypatch.setattr(module, "splu", lambda *a, **k: called.append(1) or splu(*a, **k))
    value = dict(zip(graph.states, success_probability(graph, tolerance=1e-9), strict=True))
    assert called
    for x in (1, 50, 199):
        assert value[1 + (x - 1) * width + 3] == pytest.approx(x / length, abs=1e-10)


@pytest.mark.parametrize(("noise", "methods"), [(1e-9, {"Krylov", "factors"}), (0.0, {"Krylov"})])
def test_a_poor_iteration_is_replaced_by_factors(monkeypatch, no_sweeps, noise, methods):
    called = set()
    wave = np.cos(np.arange(50.0))

    def poor(matrix, defect, **options):
        called.add("Krylov")
        return splu(matrix.tocsc()).solve(defect) + noise * wave, 0

    monkeypatch.setattr(module, "_ITERATED_FROM", 0)
    monkeypatch.setattr(module, "bicgstab", poor)
    monkeypatch.setattr(module, "splu", lambda *a, **k: called.add("factors") or splu(*a, **k))
    graph = ring(50)
    _, lower, upper = success_probability_enclosure(graph)
    assert (upper - lower).max() < 3e-13
    assert called == methods


def test_memory_that_runs_out_is_said(monkeypatch, no_sweeps):
    def exhausted(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr(module, "splu", exhausted)
    with pytest.raises(UnsupportedError, match="component of 50 states"):
        success_probability(ring(50))


def test_the_certificate_does_not_trust_the_solver(monkeypatch):
    """A solver that is off by 1e-3 must not be certified any better."""
    solve = module._solve_components

    def careless(edges, order, start, value, moves):
        solve(edges, order, start, value, moves)
        value[order] += 1e-3 * np.cos(np.arange(order.size))

    graph = random_graph(np.random.default_rng(5), states=30, out_degree=3, success=2, absorbing=2)
    monkeypatch.setattr(module, "_solve_components", careless)
    assert_encloses(success_probability_enclosure(graph), success_probability_exact(graph), 1.0)
    with pytest.raises(UnsupportedError, match="within 1e-09 of the truth"):
        success_probability(graph)


def test_the_certificate_does_not_trust_the_moves(monkeypatch):
    """Moves that do not drop certify nothing: the bounds become 0 and 1."""
    solve = module._solve_components

    def careless(edges, order, start, value, moves):
        solve(edges, order, start, value, moves)
        moves[order] = 0.0

    monkeypatch.setattr(module, "_solve_components", careless)
    value, lower, upper = success_probability_enclosure(ring(5))
    assert (lower[:5].tolist(), upper[:5].tolist()) == ([0.0] * 5, [1.0] * 5)
    assert 0 < value[0] < 1


@pytest.mark.parametrize("cancels", ["defect", "drop"])
@pytest.mark.parametrize("seed", range(20))
def test_the_certificate_outweighs_its_own_rounding(seed, cancels):
    """Never below the exact ratio, even where the terms of one of its sums cancel."""
    rng = np.random.default_rng(seed)
    weights, value, moves = rng.random(3), rng.random(4), np.append(rng.random(3), 2.0)
    if cancels == "defect":
        value[3] = weights @ value[:3] / weights.sum()
    else:
        moves[3] = weights @ moves[:3] / weights.sum() + 2e-15
    row_start, targets = np.array([0, 0, 0, 0, 3]), np.arange(3, dtype=np.int32)
    order = np.array([3], dtype=np.int32)
    found = kernels.error_per_move(row_start, targets, weights, order, value, moves)
    exact = [[Fraction(x) for x in numbers.tolist()] for numbers in (weights, value, moves)]
    defect = sum(w * (v - exact[1][3]) for w, v in zip(exact[0], exact[1], strict=False))
    drop = sum(w * (exact[2][3] - m) for w, m in zip(exact[0], exact[2], strict=False))
    assert found >= abs(defect) / drop > 0


def test_a_loop_left_once_in_1e17_moves_is_solved_but_not_certified():
    """Elimination without subtraction keeps the digits; the certificate cannot see them."""
    tiny = 1e-17
    edges = [(0, 1, 1.0), (1, 0, 1.0), (0, 2, tiny), (1, 3, 3 * tiny), (3, 3, 1.0)]
    graph = StateGraph.from_edges(edges, success=[2])
    value, lower, upper = success_probability_enclosure(graph)
    exact = success_probability_exact(graph)
    assert value[0] == pytest.approx(float(exact[0]), rel=1e-14)
    assert lower[0] <= exact[0] <= upper[0]
    with pytest.raises(UnsupportedError, match="rounding leaves an error of up to"):
        success_probability(graph)


def test_weights_within_the_tolerance_are_shares_of_their_sum():
    edges = [(0, 1, Fraction(33333, 100000)), (0, 2, Fraction(66666, 100000)), (2, 2, 1)]
    graph = StateGraph.from_edges(edges, success=[1])
    assert success_probability_exact(graph)[0] == Fraction(1, 3)
    assert success_probability(graph)[0] == pytest.approx(1 / 3, abs=1e-15)


def test_floats_are_taken_at_their_binary_value():
    graph = StateGraph.from_edges([(0, 1, 0.1), (0, 2, 0.9), (2, 2, 1.0)], success=[1])
    total = Fraction(0.1) + Fraction(0.9)
    assert success_probability_exact(graph)[0] == Fraction(0.1) / total != Fraction(1, 10)


def test_labels_and_order_do_not_matter(cycles):
    rng = np.random.default_rng(0)
    expected = dict(zip(cycles.states, success_probability_exact(cycles), strict=True))
    for _ in range(10):
        states = rng.permutation(7).tolist()
        graph = StateGraph.from_edges(CYCLES, success=[5], absorbing=[6], states=states)
        assert dict(zip(states, success_probability_exact(graph), strict=True)) == expected
        assert can_reach(graph).tolist() == [expected[s] > 0 for s in states]


@pytest.fixture(scope="module")
def mixed():
    """A graph with closed loops, sure states, small components and one large component."""
    rng = np.random.default_rng(3)
    graph = random_graph(rng, states=400, out_degree=2, success=3, absorbing=3)
    _, start = kernels.components_sinks_first(
        graph.row_start, graph.targets, can_reach(graph) & ~surely_reaches(graph)
    )
    assert np.diff(start).max() > 32
    assert start.size > 10
    return graph


def test_components_come_after_all_they_lead_to(mixed):
    inside = can_reach(mixed) & ~surely_reaches(mixed)
    order, start = kernels.components_sinks_first(mixed.row_start, mixed.targets, inside)
    assert sorted(order.tolist()) == np.flatnonzero(inside).tolist()
    component = np.full(inside.size, -1)
    for number in range(start.size - 1):
        component[order[start[number] : start[number + 1]]] = number
    within = mixed.transition_matrix().toarray()[np.ix_(order, order)] > 0
    closure = np.eye(order.size, dtype=bool) | within
    for middle in range(order.size):
        closure |= closure[:, [middle]] & closure[[middle]]
    both = closure & closure.T
    np.testing.assert_array_equal(both, component[order][:, None] == component[order][None, :])
    source, target = np.nonzero(within)
    assert (component[order[target]] <= component[order[source]]).all()


def kernel_arguments(graph):
    """For each kernel, arguments on which it does real work."""
    edges = (graph.row_start, graph.targets)
    weighted = (*edges, graph.probabilities)
    reached, sure = reach_classes(graph)
    order, start = kernels.components_sinks_first(*edges, reached & ~sure)
    place = np.full(sure.size, -1, dtype=np.int32)
    place[order] = np.arange(order.size)
    large = int(np.argmax(np.diff(start)))
    members = order[start[large] : start[large + 1]]
    value = sure.astype(float)
    value[order], moves = 0.5, 3.0 * (reached & ~sure)
    system = kernels.component_system(*weighted, members, place, value, moves)
    solved = sure.astype(float), np.zeros(sure.size)
    module._solve_components(weighted, order, start, *solved)
    return {
        kernels.mark_sources: (*edges, graph.success, graph.success.copy(), False),
        kernels.reverse_edges: (*edges, graph.success),
        kernels.search: (*kernels.reverse_edges(*edges, graph.success), graph.success),
        kernels.components_sinks_first: (*edges, reached & ~sure),
        kernels.solve_small_components: (*weighted, order, start, place, 0, value, moves),
        kernels.relax: (*system, np.zeros_like(system[3])),
        kernels.component_system: (*weighted, members, place, value, moves),
        kernels.forward_sweep: (*system[:3], system[3][0]),
        kernels.error_per_move: (*weighted, order, *solved),
    }


def test_compiled_kernels_equal_their_plain_twins(mixed):
    arguments = kernel_arguments(mixed)
    assert {kernel.__name__ for kernel in arguments} == set(kernels.__all__) - {
        "compiled",
        "for_size",
    }
    for kernel, given in arguments.items():
        plain, compiled = ([own(argument) for argument in given] for _ in range(2))
        left = as_tuple(kernel(*plain)) + tuple(plain)
        right = as_tuple(kernels.compiled(kernel)(*compiled)) + tuple(compiled)
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-17)


def own(argument):
    """A copy of what a kernel may write to."""
    writable = isinstance(argument, np.ndarray) and argument.flags.writeable
    return argument.copy() if writable else argument


def as_tuple(result):
    return result if isinstance(result, tuple) else () if result is None else (result,)


def test_large_graphs_take_the_compiled_route_to_the_same_answers(mixed, monkeypatch):
    plain = reach_classes(mixed), success_probability_enclosure(mixed)
    monkeypatch.setattr(kernels, "_WORTH_COMPILING", 0)
    assert kernels.for_size(kernels.search, 0) is not kernels.search
    fast = reach_classes(mixed), success_probability_enclosure(mixed)
    np.testing.assert_array_equal(plain[0], fast[0])
    np.testing.assert_allclose(plain[1], fast[1], rtol=0, atol=1e-13)


def test_without_a_folder_for_the_cache_kernels_still_compile(monkeypatch):
    import numba

    def without_folder(*args, **options):
        if options.get("cache"):
            return lambda kernel: (_ for _ in ()).throw(RuntimeError("no locator available"))
        return njit(*args, **options)

    njit = numba.njit
    monkeypatch.setattr(numba, "njit", without_folder)
    search = kernels.compiled.__wrapped__(kernels.search)
    start, neighbours = np.array([0, 1, 1]), np.array([1], dtype=np.int32)
    assert search(start, neighbours, np.array([True, False])).tolist() == [True, True]
