"""Dimensions of classes of rollouts, and how many exact traces it takes to learn them."""

from rolltheory.dimension.classes import (
    HypothesisClass,
    as_class,
    class_from_functions,
    class_from_rows,
    restrict,
)
from rolltheory.dimension.density import (
    attains,
    excess,
    fractional_orientation,
    is_orientation,
    max_density,
    mean_degree,
    orientation,
)
from rolltheory.dimension.descent import (
    descend,
)
from rolltheory.dimension.exact_risk import (
    exact_failure_probability,
    exact_risk,
    worst_consistent_risk,
)
from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    path,
    projective_plane,
    regularity_trap,
    reveal,
    star,
)
from rolltheory.dimension.hilbert import (
    hilbert_function,
    regularity,
    sauer_bound,
)
from rolltheory.dimension.learners import (
    EmpiricalRiskMinimiser,
    OneInclusionLearner,
    PrefixVote,
    leave_one_out_mistakes,
)
from rolltheory.dimension.littlestone import (
    littlestone_dimension,
)
from rolltheory.dimension.local import (
    LocalClass,
    local_class_from_rows,
    local_class_from_tables,
    local_class_on,
)
from rolltheory.dimension.local_families import (
    LocalFamily,
    binary_gap,
    decrease,
    end_to_end_trap,
    four_token_gap,
    graph_increase,
    markov_tables,
    needle,
    one_hot_tasks,
    three_token_gap,
    window_thresholds,
)
from rolltheory.dimension.parity import (
    parity_dimension,
    parity_kernel,
)
from rolltheory.dimension.peeling import (
    pseudo_cube_core,
)
from rolltheory.dimension.rollout import (
    end_to_end_class,
    rollout_class,
)
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
from rolltheory.dimension.witnesses import (
    AgreementCube,
    Dimension,
    MistakeTree,
    NatarajanCube,
    PseudoCube,
    ZeroSumFunction,
    holds,
    is_pseudo_cube,
    is_zero_sum,
)

__all__ = [
    "AgreementCube",
    "Dimension",
    "EmpiricalRiskMinimiser",
    "HypothesisClass",
    "LocalClass",
    "LocalFamily",
    "MistakeTree",
    "NatarajanCube",
    "OneInclusionLearner",
    "PrefixVote",
    "PseudoCube",
    "ZeroSumFunction",
    "all_field_gap",
    "as_class",
    "attains",
    "ball",
    "binary_gap",
    "class_from_functions",
    "class_from_rows",
    "decrease",
    "descend",
    "ds_dimension",
    "end_to_end_class",
    "end_to_end_trap",
    "error_needed_in_expectation",
    "exact_failure_probability",
    "exact_risk",
    "excess",
    "expected_error_bound",
    "expected_error_bound_exact",
    "failure_probability_bound",
    "field_two_gap",
    "four_token_gap",
    "fractional_orientation",
    "graph_dimension",
    "graph_increase",
    "grid",
    "hexagon",
    "high_probability_error_bound",
    "hilbert_function",
    "holds",
    "is_orientation",
    "is_pseudo_cube",
    "is_zero_sum",
    "leave_one_out_mistakes",
    "littlestone_dimension",
    "local_class_from_rows",
    "local_class_from_tables",
    "local_class_on",
    "markov_tables",
    "max_density",
    "mean_degree",
    "natarajan_dimension",
    "needle",
    "one_hot_tasks",
    "orientation",
    "pac_sample_size",
    "pac_sample_size_needed",
    "parity_dimension",
    "parity_kernel",
    "path",
    "projective_plane",
    "pseudo_cube_core",
    "regularity",
    "regularity_trap",
    "restrict",
    "reveal",
    "rollout_class",
    "samples_for_expected_error",
    "sauer_bound",
    "star",
    "three_token_gap",
    "vc_dimension",
    "window_thresholds",
    "worst_consistent_risk",
]
