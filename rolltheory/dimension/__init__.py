"""Dimensions of classes of rollouts, and how many exact traces it takes to learn them."""

from rolltheory.dimension.density import (
    attains,
    excess,
    fractional_orientation,
    is_orientation,
    max_density,
    mean_degree,
    orientation,
)
from rolltheory.dimension.exact_risk import (
    exact_failure_probability,
    exact_risk,
    worst_consistent_risk,
)
from rolltheory.dimension.hilbert import hilbert_function, regularity, sauer_bound
from rolltheory.dimension.learners import (
    EmpiricalRiskMinimiser,
    OneInclusionLearner,
    PrefixVote,
    leave_one_out_mistakes,
)
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.parity import parity_dimension, parity_kernel
from rolltheory.dimension.peeling import pseudo_cube_core
from rolltheory.dimension.sample_complexity import (
    error_needed_in_expectation,
    expected_error_bound,
    expected_error_bound_exact,
    failure_probability_bound,
    high_probability_error_bound,
    pac_sample_size,
    pac_sample_size_needed,
    samples_for_expected_error,
)
from rolltheory.dimension.search import (
    ds_dimension,
    graph_dimension,
    natarajan_dimension,
    vc_dimension,
)

__all__ = [
    "EmpiricalRiskMinimiser",
    "OneInclusionLearner",
    "PrefixVote",
    "attains",
    "ds_dimension",
    "error_needed_in_expectation",
    "exact_failure_probability",
    "exact_risk",
    "excess",
    "expected_error_bound",
    "expected_error_bound_exact",
    "failure_probability_bound",
    "fractional_orientation",
    "graph_dimension",
    "high_probability_error_bound",
    "hilbert_function",
    "is_orientation",
    "leave_one_out_mistakes",
    "littlestone_dimension",
    "max_density",
    "mean_degree",
    "natarajan_dimension",
    "orientation",
    "pac_sample_size",
    "pac_sample_size_needed",
    "parity_dimension",
    "parity_kernel",
    "pseudo_cube_core",
    "regularity",
    "samples_for_expected_error",
    "sauer_bound",
    "vc_dimension",
    "worst_consistent_risk",
]
