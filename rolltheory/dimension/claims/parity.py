"""Claims about parity dimensions: what they are, between what they lie, and what they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, Verdict, claim
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    HEXAGON,
    Row,
    Rows,
    dimension_of,
    distinct,
    is_even,
)
from rolltheory.dimension.claims._zero_sums import (
    EDGE,
    ONE_ROW,
    PAGE,
    Over,
    annihilators,
    parity,
    parity_by_trying,
)
from rolltheory.dimension.classes import HypothesisClass, as_class
from rolltheory.dimension.families import all_field_gap, field_two_gap, projective_plane
from rolltheory.dimension.lines import incidence
from rolltheory.dimension.parity import parity_kernel
from rolltheory.dimension.witnesses import holds
from rolltheory.numerics.modular import kernel_vector, rank

__all__ = [
    "NAMED",
    "Copied",
    "Dropping",
    "ds_at_most_twice_parity",
    "even_projections",
    "even_slices",
    "field_independence",
    "homology",
    "kernel_by_trying",
    "named_values",
    "natarajan_at_most_parity",
    "parity_at_most_ds",
    "parity_by_definition",
    "smith_form",
    "smith_forms",
]


def _rows(named: HypothesisClass) -> Rows:
    return distinct(tuple(row) for row in named.codes.tolist())


NAMED: dict[str, Rows] = {
    "projective plane": _rows(projective_plane()),
    "gap modulo 2": _rows(field_two_gap()),
    "gap in all fields": _rows(all_field_gap()),
}
"""The classes on which dimensions part, with numbers for labels."""

_THREE = {"projective plane": (2,), "gap modulo 2": (3,), "gap in all fields": ()}
_TORSION = {"projective plane": (1,) * 15 + (2,), "gap modulo 2": (1,) * 23 + (3,)}
_TORSION["gap in all fields"] = (1,) * 24


@dataclass(frozen=True)
class Copied:
    """A named class with points in another order and labels moved along, and a prime."""

    name: str
    field: int
    order: tuple[int, ...] = (0, 1, 2)
    moved: int = 0

    @property
    def rows(self) -> Rows:
        """The copy."""
        return distinct(tuple(row[j] + self.moved for j in self.order) for row in NAMED[self.name])


@dataclass(frozen=True)
class Dropping:
    """An even pseudo-cube, and a point to drop."""

    rows: Rows
    column: int


@claim(
    "dimension.parity.definition",
    statement=r"\mathrm{pdim}_F(H) = \max \{ |S| : \exists \varphi: H|_S \to F, \varphi \ne 0,"
    r" \; \textstyle\sum_{v \in \ell} \varphi(v) = 0 \text{ for every line } \ell \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#definitions"),
    assumes={},
    teeth={
        "graph": lambda rows, _: dimension_of(rows, "graph"),
        "all points or none": lambda rows, field: (
            len(rows[0]) if parity_kernel(rows, field=field) else 0
        ),
    },
)
def parity_by_definition(case: Over, searched: Callable[[Rows, int], int] = parity) -> Sides:
    """The search finds the parity dimension; the right side tries all functions."""
    return Sides(searched(case.rows, case.field), parity_by_trying(case.rows, case.field))


def has_kernel(rows: Rows, field: int) -> bool:
    """Whether the library finds a function, and it sums to 0 on each line of the class."""
    found = parity_kernel(rows, field=field)
    return found is not None and found.field == field and holds(found, rows)


def has_dependent_lines(rows: Rows, field: int) -> bool:
    """Whether the lines, and not the rows, are dependent."""
    return kernel_vector(incidence(as_class(rows).codes).T, field=field) is not None


@claim(
    "dimension.parity.kernel",
    statement=r"\exists \varphi: V \to F, \; \varphi \ne 0, \;"
    r" \textstyle\sum_{v \in \ell} \varphi(v) = 0 \; \forall \ell"
    r" \iff \text{peeling and elimination find one}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#definitions"),
    assumes={},
    teeth={
        "dependent lines": has_dependent_lines,
        "as many rows as a cube": lambda rows, _: len(rows) >= 2 ** len(rows[0]),
    },
)
def kernel_by_trying(case: Over, found: Callable[[Rows, int], bool] = has_kernel) -> Sides:
    """Peeling, counting and eliminating miss no function, and what they find is one."""
    functions = annihilators(case.rows, len(case.rows[0]) - 1, case.field)
    return Sides(found(case.rows, case.field), functions > 1)


@claim(
    "dimension.parity.at_least_natarajan",
    statement=r"\mathrm{Nat}(H) \le \mathrm{pdim}_F(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={"graph": "graph", "direction swapped": Tooth(relation=Relation.AT_LEAST)},
    tight=Tight(Over(CUBE_3, 2)),
)
def natarajan_at_most_parity(case: Over, notion: str = "natarajan") -> Sides:
    """All mixtures of two patterns carry signs that cancel on each line."""
    return Sides(dimension_of(case.rows, notion), parity(case.rows, case.field))


@claim(
    "dimension.parity.at_most_ds",
    statement=r"\mathrm{pdim}_F(H) \le \mathrm{DS}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={"Natarajan": "natarajan", "direction swapped": Tooth(relation=Relation.AT_LEAST)},
    tight=Tight(Over(HEXAGON, 2)),
)
def parity_at_most_ds(case: Over, notion: str = "ds") -> Sides:
    """A function that sums to 0 on each line is 0 or has two values that are not on each."""
    return Sides(parity(case.rows, case.field), dimension_of(case.rows, notion))


TWO_ROWS = "at least two hypotheses"


@claim(
    "dimension.parity.factor_two",
    statement=r"\mathrm{DS}(H) \le 2\, \mathrm{pdim}_F(H) - 1",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#factor-two"),
    assumes={TWO_ROWS: lambda case: len(case.rows) > 1},
    teeth={
        "the parity dimension itself": lambda dimension: dimension,
        "three halves, rounded down less one": lambda dimension: 3 * dimension // 2 - 1,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={TWO_ROWS: Counterexample(Over(ONE_ROW, 2), "both dimensions are 0")},
    tight=Tight(Over(EDGE, 2)),
)
def ds_at_most_twice_parity(
    case: Over, most: Callable[[int], int] = lambda dimension: 2 * dimension - 1
) -> Sides:
    """Parity and DS dimension agree up to a factor below two.

    The excess of a pseudo-cube is half of its incidences at least, and less than its size times
    the parity dimension.
    """
    return Sides(dimension_of(case.rows, "ds"), most(parity(case.rows, case.field)))


@claim(
    "dimension.parity.field_independent",
    statement=r"\mathrm{pdim}_2(H) = \mathrm{pdim}_3(H)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#fields"),
    assumes={},
    repairs={"both at most DS": Tooth("ds", Relation.AT_MOST)},
    declared=Verdict.REFUTED,
    repaired_by="dimension.parity.at_most_ds",
)
def field_independence(case: Rows, other: str = "modulo 3") -> Sides:
    """The parity dimension does not depend on the field.

    False: a projective plane has 3 modulo 2 and 2 modulo 3, and the unique smallest gap modulo 2
    the reverse (T4). Each is a lower bound on DS, and each may be used in an upper bound.
    """
    right = parity(case, 3) if other == "modulo 3" else dimension_of(case, other)
    return Sides(parity(case, 2), right)


@claim(
    "dimension.parity.named_values",
    statement=r"\mathrm{pdim}_F = 3 \text{ for the projective plane iff } F = \mathbb{F}_2,"
    r" \text{ for the gap modulo 2 iff } F = \mathbb{F}_3,"
    r" \text{ for the gap in all fields never; else } 2",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#fields"),
    assumes={},
    teeth={
        "modulo 2 always": lambda rows, _: parity(rows, 2),
        "DS": lambda rows, _: dimension_of(rows, "ds"),
        "Natarajan": lambda rows, _: dimension_of(rows, "natarajan"),
    },
)
def named_values(case: Copied, dimension: Callable[[Rows, int], int] = parity) -> Sides:
    """Three classes of DS dimension 3 tell the fields apart."""
    expected = 3 if case.field in _THREE[case.name] else 2
    return Sides((dimension(case.rows, case.field), dimension_of(case.rows, "ds")), (expected, 3))


def dropped(case: Dropping) -> list[Rows]:
    """The patterns at the other points."""
    return [distinct(row[: case.column] + row[case.column + 1 :] for row in case.rows)]


def cut(case: Dropping) -> list[Rows]:
    """For each label at the point, the patterns at the others that go with it."""
    labels = {row[case.column] for row in case.rows}
    held = [tuple(row for row in case.rows if row[case.column] == label) for label in labels]
    return [dropped(Dropping(rows, case.column))[0] for rows in held]


def odd_marginals(case: Dropping) -> list[Rows]:
    """The patterns at the other points that an odd number of members goes with."""
    shorter = [row[: case.column] + row[case.column + 1 :] for row in case.rows]
    return [distinct(row for row in shorter if shorter.count(row) % 2)]


def all_even(parts: Iterable[Iterable[Row]]) -> bool:
    """Whether each is an even pseudo-cube."""
    return all(is_even(part) for part in parts)


@claim(
    "dimension.parity.even_projection",
    statement=r"B \text{ even} \implies B|_{S \setminus x} \text{ even}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    repairs={"slices": cut},
    declared=Verdict.REFUTED,
    repaired_by="dimension.parity.even_slices",
)
def even_projections(case: Dropping, shorter: Callable[[Dropping], list[Rows]] = dropped) -> Sides:
    """An even pseudo-cube without one of its points is even.

    False: the hexagon has three labels at each of its points (T2). Slices are even.
    """
    return Sides(all_even(shorter(case)), True)


@claim(
    "dimension.parity.even_slices",
    statement=r"B \text{ even} \implies \{b_{-x} : b \in B, b_x = y\} \text{ even for every label}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    teeth={"projections": dropped, "marginals modulo 2": odd_marginals},
)
def even_slices(case: Dropping, parts: Callable[[Dropping], list[Rows]] = cut) -> Sides:
    """The members of an even pseudo-cube with one label at a point are even at the others.

    The marginals modulo 2, on the other hand, are empty.
    """
    return Sides(all_even(parts(case)), True)


@cache
def boundary(rows: Rows) -> tuple[tuple[tuple[Row, int], ...], ...]:
    """The facets of each row with their signs: the row without one point, and which point."""
    return tuple(
        tuple(((i, *row[:i], *row[i + 1 :]), (-1) ** i) for i in range(len(row))) for row in rows
    )


def betti_number(rows: Rows, field: int) -> int:
    """The rank of the top homology: rows less the rank of the boundary, facet by facet."""
    pivots: dict[Row, dict[Row, int]] = {}
    for faces in boundary(rows):
        chain = {face: sign % field for face, sign in faces}
        while chain:
            lead = min(chain)
            if lead not in pivots:
                inverse = pow(chain[lead], -1, field)
                pivots[lead] = {face: value * inverse % field for face, value in chain.items()}
                break
            factor = chain[lead]
            for face, value in pivots[lead].items():
                chain[face] = (chain.get(face, 0) - factor * value) % field
                if not chain[face]:
                    del chain[face]
    return len(rows) - len(pivots)


def by_euler(rows: Rows, _: int) -> int:
    """What it would be if all other homology were trivial."""
    faces = [{face for row in boundary(rows) for face, _ in row}, set(rows)]
    return max(len(faces[1]) - len(faces[0]) + 1, 0)


@claim(
    "dimension.parity.homology",
    statement=r"\dim \{ \text{zero-sum functions on } V \} = \dim H_{d-1}(\Delta(V); F)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#topology"),
    assumes={},
    teeth={
        "ridges alone": by_euler,
        "modulo 2 always": lambda rows, _: betti_number(rows, 2),
    },
)
def homology(case: Over, betti: Callable[[Rows, int], int] = betti_number) -> Sides:
    """Zero-sum functions are the top cycles of the complex whose facets are the rows.

    Its vertices are points with labels; with signs by the place of a point, lines are ridges.
    """
    lines = incidence(as_class(case.rows).codes)
    return Sides(len(case.rows) - rank(lines, field=case.field), betti(case.rows, case.field))


@cache
def smith_form(rows: Rows) -> tuple[int, ...]:
    """The invariant factors of the boundary map over the integers, those that are not 0."""
    from sympy import ZZ
    from sympy.matrices.normalforms import invariant_factors
    from sympy.polys.matrices import DomainMatrix

    columns = sorted({face for faces in boundary(rows) for face, _ in faces})
    place = {face: j for j, face in enumerate(columns)}
    dense = [[0] * len(columns) for _ in rows]
    for line, faces in zip(dense, boundary(rows), strict=True):
        for face, sign in faces:
            line[place[face]] = sign
    found = invariant_factors(DomainMatrix(dense, (len(rows), len(columns)), ZZ).to_Matrix())
    return tuple(sorted(abs(int(value)) for value in found if value))


def without_a_point(rows: Rows) -> tuple[int, ...]:
    """The same at all points but the last."""
    return smith_form(distinct(row[:-1] for row in rows))


@claim(
    "dimension.parity.smith_forms",
    statement=r"\dim \{ \text{zero-sum functions on } V \text{ over } \mathbb{F}_p \}"
    r" = |V| - \#\{ i : p \nmid s_i(\partial) \}, \quad"
    r" s = 1^{15} 2, \; 1^{23} 3, \; 1^{24} \text{ for the three named classes}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#fields"),
    assumes={},
    teeth={
        "a point less": without_a_point,
        "all ones": lambda rows: (1,) * len(rows),
        "the number of invariants": lambda rows: tuple(1 for _ in smith_form(rows)),
    },
)
def smith_forms(case: Copied, form: Callable[[Rows], tuple[int, ...]] = smith_form) -> Sides:
    """The torsion of the boundary map tells for which fields a class carries zero-sum functions."""
    rows, found = case.rows, form(case.rows)
    lines = incidence(as_class(rows).codes)
    independent = sum(value % case.field != 0 for value in found)
    return Sides((found, rank(lines, field=case.field)), (_TORSION[case.name], independent))
