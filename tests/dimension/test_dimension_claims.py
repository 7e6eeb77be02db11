"""What the claims about small classes lean on: brute force, and witnesses spoilt on purpose."""

from itertools import product

import pytest

from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    HEXAGON,
    SQUARE_3,
    brute_force,
    pseudo_cubes_within,
    searched,
)
from rolltheory.dimension.claims.search import (
    one_branch_twice,
    one_label_foreign,
    one_label_shared,
    one_member_less,
)
from rolltheory.dimension.witnesses import holds, is_pseudo_cube


@pytest.mark.parametrize(
    ("label_counts", "count"), [((2, 2), 1), ((3, 3), 49), ((2, 2, 2), 1), ((2, 3, 3), 49)]
)
def test_pseudo_cubes_are_those_of_the_definition(label_counts, count):
    """With two labels at a point both slices are the same, so 2 x 3 x 3 has those of 3 x 3."""
    grid = tuple(product(*map(range, label_counts)))
    found = pseudo_cubes_within(grid)
    assert len(found) == count
    assert all(map(is_pseudo_cube, found))


def test_brute_force_finds_the_worked_examples():
    notions = ("ds", "natarajan", "graph", "littlestone")
    assert [brute_force(HEXAGON, notion) for notion in notions] == [2, 1, 2, 2]
    assert [brute_force(SQUARE_3, notion) for notion in notions] == [2] * 4
    assert brute_force(CUBE_3, "vc") == 3


@pytest.mark.parametrize(
    ("notion", "spoil"),
    [
        ("ds", one_member_less),
        ("natarajan", one_label_shared),
        ("graph", one_label_foreign),
        ("vc", one_label_foreign),
        ("littlestone", one_branch_twice),
    ],
)
def test_a_spoilt_witness_is_rejected(notion, spoil):
    witness = searched(CUBE_3, notion).witness
    assert holds(witness, CUBE_3)
    assert not holds(spoil(witness), CUBE_3)
    assert not holds(witness, CUBE_3[1:])
