"""The theory pages hold every proof that a claim sends its reader to, and name every claim."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from rolltheory.claims import THEORIES, Claim, Source, registry
from rolltheory.graph_world import horizon_factor_exact

ROOT = Path(__file__).parents[2]
CLAIMS = list(registry().claims.values())
PAGE = re.compile(r"(docs/\S+\.md)(?:#(\S+))?$")


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, made as GitHub and MyST make them."""
    headings = re.findall(r"^#{1,3} (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


WORDS = re.compile(r"\\(?:text|mathrm|mathtt|operatorname|begin|end)\{[^}]*\}")
GREEK = re.compile(
    r"\\(?:alpha|beta|gamma|delta|varepsilon|epsilon|lambda|mu|sigma|rho|pi|tau|theta|phi|eta|Delta|Gamma)\b"
)


def symbols(formula: str) -> set[str]:
    """Letters, Latin and Greek, that stand for something in a formula."""
    formula = WORDS.sub(" ", formula)
    return {*GREEK.findall(formula), *re.findall("[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", formula))}


def missing_place(claim: Claim) -> str | None:
    """What is wrong with the place of the proof, if the claim names one of our pages."""
    source = claim.source
    place = source.reference if source.kind == "derived here" else source.place
    if not place.startswith("docs/"):
        return f"{place!r} is no page" if source.kind == "derived here" else None
    match = PAGE.fullmatch(place)
    if match is None or not (ROOT / match[1]).is_file():
        return f"{place!r} is no page"
    return None if match[2] in anchors(ROOT / match[1]) else f"{place!r} is no heading"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_is_proved_where_it_says(claim: Claim) -> None:
    assert missing_place(claim) is None


@pytest.mark.parametrize("theory", [theory.name for theory in THEORIES])
def test_a_theory_page_names_its_claims(theory: str) -> None:
    text = (ROOT / "docs" / "theory" / f"{theory}.md").read_text("utf-8")
    named = set(re.findall(rf"`({theory}\.[\w.]+)`", text))
    assert {claim.id for claim in CLAIMS if claim.theory == theory} - named == set()
    assert named - {claim.id for claim in CLAIMS} == set()


@pytest.mark.parametrize("theory", [theory.name for theory in THEORIES])
def test_a_theory_page_has_a_table_of_notation(theory: str) -> None:
    assert "notation" in anchors(ROOT / "docs" / "theory" / f"{theory}.md")


@pytest.mark.parametrize("theory", ["reachability", "action_gap", "graph_world", "dimension"])
def test_the_notation_covers_the_claims(theory: str) -> None:
    text = (ROOT / "docs" / "theory" / f"{theory}.md").read_text("utf-8")
    section = text.partition("## Notation")[2].partition("\n## ")[0]
    table = re.sub(r"^(?!\|).*$", "", section, flags=re.MULTILINE)
    defined = symbols(" ".join(re.findall(r"\$(.+?)\$", table)))
    unknown = {
        claim.id: symbols(claim.statement) - defined for claim in CLAIMS if claim.theory == theory
    }
    assert {name: new for name, new in unknown.items() if new} == {}


def test_the_notation_covers_the_operator_of_the_paper() -> None:
    text = (ROOT / "docs" / "theory" / "graph_world.md").read_text("utf-8")
    table = text.partition("## Notation")[2].partition("\n## ")[0]
    names = re.compile(r"\b[LMR]_[AX]\b|\bGEAF\b")
    assert set(names.findall(text)) == set(names.findall(table))


def test_the_bounds_of_a_certificate_stand_on_the_page() -> None:
    text = (ROOT / "docs" / "theory" / "graph_world.md").read_text("utf-8")
    assert "by-powers" in anchors(ROOT / "docs" / "theory" / "graph_world.md")
    for column in ("by norm", "by radius", "by powers"):
        assert f"*{column}*" in text


@pytest.mark.parametrize("discount", [Fraction(n, 10) for n in (0, 3, 5, 6, 9, 10)])
@pytest.mark.parametrize("growth", [Fraction(n, 10) for n in (0, 5, 9, 10, 12, 15, 20, 23)])
def test_the_page_says_when_the_revised_sum_is_too_small(
    discount: Fraction, growth: Fraction
) -> None:
    def too_small(horizon: int) -> bool:
        revised = sum((discount * growth) ** k for k in range(horizon))
        factor = horizon_factor_exact(horizon, discount=discount, spectral_radius=growth)
        return revised < factor

    never = discount <= Fraction(1, 2) or growth >= 2
    assert [too_small(horizon) for horizon in (60, 80)] == [not never] * 2
    assert not (never and any(map(too_small, range(1, 12))))
    text = (ROOT / "docs" / "theory" / "graph_world.md").read_text("utf-8")
    assert r"too small over long horizons [if $\gamma > \frac12$ and $\rho < 2$]" in text


def test_symbols_are_letters_outside_words() -> None:
    found = symbols(
        r"\text{mean of } \mathrm{Var}\,x_{(i)} \le \tfrac{\sigma^2}{2}, \quad p_{\min}"
    )
    assert found == {"x", "i", "p", r"\sigma"}


def test_an_anchor_is_made_as_in_the_built_page() -> None:
    assert {"estimating-passk", "the-plug-in-estimate"} <= anchors(
        ROOT / "docs" / "theory" / "reachability.md"
    )


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("docs/theory/reachability.md#nowhere", "no heading"),
        ("docs/theory/reachability.md", "no heading"),
        ("docs/theory/nothing.md#variance", "no page"),
        ("a drawer", "no page"),
    ],
)
def test_a_missing_proof_is_found(place: str, fault: str) -> None:
    assert fault in str(missing_place(replace(CLAIMS[0], source=Source.derived(place))))
