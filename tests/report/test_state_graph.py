"""What the report promises rests on the certified lower limits, for every target."""

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import SuccessEnclosure
from rolltheory.reachability.tries import tries_needed
from rolltheory.report import state_graph as module
from rolltheory.report.state_graph import state_graph_report

GRAPH = StateGraph.from_edges(
    [(0, 1, 0.25), (0, 2, 0.75), (3, 0, 0.5), (3, 2, 0.5)], success=[1], absorbing=[2]
)


def test_tries_are_those_of_the_lower_limits(monkeypatch):
    value = np.array([0.25, 1.0, 0.0, 0.125])
    error = np.array([0.05, 0, 0, 0.025])
    lower, upper = value - error, value + error
    monkeypatch.setattr(
        module, "success_probability_enclosure", lambda graph: SuccessEnclosure(value, lower, upper)
    )
    report = state_graph_report(GRAPH, tries=[2], target=0.9)
    needed = tries_needed([0.2, 1.0, 0.1], 0.9)
    assert report.tries_needed.tolist() == [needed[0], 1, np.inf, needed[2]]
    assert report.smallest == 0.1
    assert report.limit_tries == needed[2] > tries_needed(0.125, 0.9)
    assert report.pass_at_k[0] == pytest.approx([1 - 0.75**2, 1, 0, 1 - 0.875**2])


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("target", [5e-324, 1e-300, 1e-17])
def test_a_target_of_next_to_nothing_takes_one_try(target, exact):
    report = state_graph_report(GRAPH, tries=[2], target=target, exact=exact)
    assert report.tries_needed.tolist() == [1, 1, np.inf, 1]
    assert report.limit_tries == 1


@pytest.mark.parametrize("target", [0.0, 1.0, float("nan")])
def test_a_target_outside_of_the_unit_interval_is_refused(target):
    with pytest.raises(DomainError, match="target = "):
        state_graph_report(GRAPH, tries=[2], target=target)
