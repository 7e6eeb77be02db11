"""Value extensions on graphs, and certificates that a greedy planner reaches its goal."""

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.certificates import (
    Certificate,
    exact_certificate,
    excess_certificate,
    fill_distance_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.envelopes import (
    Envelopes,
    LipschitzConstant,
    lipschitz_constant,
    mcshane_whitney_envelopes,
)
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.excess import detour_excess, label_distances
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.gaps import action_gaps, optimal_moves, true_cost_to_go
from rolltheory.action_gap.graph import (
    Graph,
    as_graph,
    graph_from_array,
    graph_from_edges,
    graph_from_networkx,
    graph_from_sparse,
)
from rolltheory.action_gap.harmonic import (
    first_hit_law,
    first_hit_law_exact,
    harmonic_extension,
    harmonic_extension_exact,
)
from rolltheory.action_gap.iterative import IterativeMethod, iterative_amle
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.ladder import amle_error_bound
from rolltheory.action_gap.mazes import MAZES, Cell, Maze, map_from_text, maze_cells, maze_map
from rolltheory.action_gap.moves import Planner, greedy_moves, greedy_successors, move_scores
from rolltheory.action_gap.noise import label_errors, label_noise_bound, label_noise_tolerance
from rolltheory.action_gap.operators import (
    DegreeCounts,
    degree_counts,
    operator_residuals,
    operator_residuals_exact,
)
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.action_gap.placement import Extend, exact_recovery_labels, sufficient_labels
from rolltheory.action_gap.reaching import (
    Obstacle,
    descent_certificate,
    failure_reasons,
    label_sinks,
    obstacles,
    plateaus,
    sink_free_certificate,
)
from rolltheory.action_gap.rollouts import PathQuality, Rollout, RolloutTies, path_quality, rollout
from rolltheory.action_gap.study import (
    EXTENSIONS,
    PUBLISHED,
    MazeProblem,
    StudyRow,
    StudySummary,
    maze_problem,
    maze_problems,
    study_rows,
    study_summary,
    truncated_midrange,
)
from rolltheory.action_gap.success import TieRule, reaches_goal, success_probability

__all__ = [
    "EXTENSIONS",
    "MAZES",
    "PUBLISHED",
    "Cell",
    "Certificate",
    "DegreeCounts",
    "Envelopes",
    "Extend",
    "Extension",
    "Graph",
    "IterativeMethod",
    "LipschitzConstant",
    "Maze",
    "MazeProblem",
    "Obstacle",
    "PathQuality",
    "Planner",
    "Rollout",
    "RolloutTies",
    "StudyRow",
    "StudySummary",
    "TieRule",
    "action_gaps",
    "amle",
    "amle_error_bound",
    "amle_exact",
    "as_graph",
    "as_labels",
    "degree_counts",
    "descent_certificate",
    "detour_excess",
    "distances",
    "exact_certificate",
    "exact_recovery_labels",
    "excess_certificate",
    "failure_reasons",
    "fill_distance_certificate",
    "first_hit_law",
    "first_hit_law_exact",
    "graph_from_array",
    "graph_from_edges",
    "graph_from_networkx",
    "graph_from_sparse",
    "greedy_moves",
    "greedy_successors",
    "half_gap_certificate",
    "harmonic_extension",
    "harmonic_extension_exact",
    "iterative_amle",
    "label_distances",
    "label_errors",
    "label_noise_bound",
    "label_noise_tolerance",
    "label_sinks",
    "lipschitz_constant",
    "map_from_text",
    "maze_cells",
    "maze_map",
    "maze_problem",
    "maze_problems",
    "mcshane_whitney_envelopes",
    "move_scores",
    "obstacles",
    "operator_residuals",
    "operator_residuals_exact",
    "optimal_moves",
    "oscillation_certificate",
    "p_harmonic_extension",
    "path_quality",
    "plateaus",
    "reaches_goal",
    "rollout",
    "sink_free_certificate",
    "study_rows",
    "study_summary",
    "success_probability",
    "sufficient_labels",
    "true_cost_to_go",
    "truncated_midrange",
]
