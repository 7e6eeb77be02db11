"""Evidence on record: written whole, read back, and stale once the theory's code changes."""

from __future__ import annotations

import importlib
import sys
import textwrap
from dataclasses import replace

import pytest

from rolltheory.claims import Theory, Unbroken, Verdict, registry, run_check
from rolltheory.claims.fingerprint import fingerprint
from rolltheory.claims.ledger import recorded, write_ledger
from rolltheory.claims.registry import load
from rolltheory.errors import DomainError, ReaderError

CLAIMS = '''
from rolltheory.claims import Relation, Sides, Source, claim

def double(n):
    """Twice a number."""
    return 2 * n  # a comment

@claim(
    "toy.double", statement="2n = n + n", relation=Relation.EQUAL, source=Source.known("sums"),
    assumes={}, teeth={"triple": lambda n: 3 * n},
)
def doubling(case, function=double):
    """Twice a number is its sum with itself."""
    return Sides(function(case), case + case)
'''
CHECKS = """
from rolltheory.claims import Kind, check

@check("toy.double", kind=Kind.ENUMERATED, domain="n < 5")
def small(budget):
    return range(5)
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A theory of another distribution, in a folder of its own."""
    package = tmp_path / "toy_theory"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "claims.py").write_text(CLAIMS)
    (package / "checks.py").write_text(CHECKS)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    fingerprint.cache_clear()
    yield Theory("toy", package="toy_theory", check_modules=("toy_theory.checks",))
    forget()


def forget():
    """Let the next load see the files as they are."""
    for name in [name for name in sys.modules if name.startswith("toy_theory")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    fingerprint.cache_clear()


def evidence_of(theory):
    known = load([theory])
    return run_check(
        known.claims["toy.double"],
        known.checks["toy.double/enumerated/small"],
        fingerprint=known.fingerprint(known.claims["toy.double"]),
    )


def on_record(theory):
    return recorded(load([theory]))["toy.double"]


def edit(tmp_path, old, new):
    for name in ("claims.py", "checks.py"):
        path = tmp_path / "toy_theory" / name
        path.write_text(path.read_text().replace(old, new))
    forget()


def test_evidence_survives_the_round_trip(toy):
    piece = evidence_of(toy)
    assert piece.verdict is Verdict.SUPPORTED
    assert on_record(toy) == []
    write_ledger(toy, [piece], load([toy]))
    assert on_record(toy) == [piece]


def test_edited_code_makes_evidence_stale(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "2 * n  # a comment", "n + n")
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.STALE]


def test_comments_docstrings_and_layout_do_not(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "  # a comment", "")
    edit(tmp_path, '"""Twice a number."""', '"""The double."""\n')
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.SUPPORTED]


def test_other_words_make_evidence_stale(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    before = toy.fingerprint
    edit(tmp_path, "Twice a number is its sum", "Twice a number is the sum")
    assert toy.fingerprint == before
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.STALE]


@pytest.mark.parametrize("words", [{"statement": "2n"}, {"assumptions": {"n is small": bool}}])
def test_a_claim_in_other_words_is_another(toy, words):
    known = load([toy])
    claim = known.claims["toy.double"]
    breaks = dict.fromkeys(words.get("assumptions", ()), Unbroken("none is needed"))
    assert known.fingerprint(replace(claim, breaks=breaks, **words)) != known.fingerprint(claim)


def test_a_partial_record_keeps_what_others_had_on_record(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "2 * n  # a comment", "n + n")
    write_ledger(toy, [], load([toy]))
    edit(tmp_path, "return n + n", "return 2 * n")
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.SUPPORTED]


def test_a_record_drops_what_no_check_stands_for(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "def small", "def other")
    write_ledger(toy, [], load([toy]))
    assert on_record(toy) == []


def test_an_edited_check_makes_evidence_stale(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "range(5)", "range(1)")
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.STALE]


def test_evidence_of_a_check_that_is_gone_does_not_count(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "def small", "def other")
    assert on_record(toy) == []


@pytest.mark.parametrize(
    "forged",
    [
        {"cases": 0},
        {"teeth_caught": ()},
        {"domain": "every n"},
        {"profile": "nonsense"},
        {"seed": 17},
        {"undecided": 1},
        {"teeth_caught": (), "teeth_missed": ("triple",)},
        {"tolerance": 1e-9},
        {"within": 1e-9},
    ],
)
def test_a_record_that_no_run_leaves_is_not_believed(toy, forged):
    known = load([toy])
    write_ledger(toy, [replace(evidence_of(toy), **forged)], known)
    assert [piece.verdict for piece in recorded(known)["toy.double"]] == [Verdict.STALE]


def test_a_domain_in_the_same_words_may_not_shrink(toy, tmp_path):
    write_ledger(toy, [evidence_of(toy)], load([toy]))
    edit(tmp_path, "range(5)", "range(1, 3)")
    with pytest.raises(DomainError, match="as recorded for 'n < 5'"):
        write_ledger(toy, [evidence_of(toy)], load([toy]))


def test_a_supported_inequality_shows_no_ratio_above_one(toy, tmp_path):
    edit(tmp_path, "Relation.EQUAL", "Relation.AT_MOST")
    edit(tmp_path, "assumes={}", "assumes={}, tight=Tight(1)")
    edit(tmp_path, "import Relation", "import Tight, Relation")
    edit(tmp_path, "3 * n", "3 * n + 1")
    piece = evidence_of(toy)
    assert (piece.verdict, piece.tightness) == (Verdict.SUPPORTED, 1.0)
    write_ledger(toy, [piece], load([toy]))
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.SUPPORTED]
    write_ledger(toy, [replace(piece, tightness=1.0012)], load([toy]))
    assert [piece.verdict for piece in on_record(toy)] == [Verdict.STALE]


def test_a_theory_whose_checks_are_gone_is_refused(toy):
    with pytest.raises(ModuleNotFoundError, match="elsewhere"):
        load([replace(toy, check_modules=("toy_theory.elsewhere",))])


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', '{"schema": 9, "evidence": []}'])
def test_a_file_that_is_no_ledger_is_refused(toy, tmp_path, text):
    (tmp_path / "toy_theory" / "ledger.json").write_text(text)
    with pytest.raises(ReaderError, match=r"ledger\.json"):
        on_record(toy)


def test_a_check_of_an_unknown_claim_is_refused(toy, tmp_path):
    (tmp_path / "toy_theory" / "checks.py").write_text(CHECKS.replace("double", "treble"))
    with pytest.raises(DomainError, match=r"toy\.treble"):
        load([toy])


@pytest.mark.parametrize("named", ["claims.py", "checks.py"])
def test_what_is_of_another_theory_is_refused(toy, tmp_path, named):
    other = replace(toy, name="other", package="other_theory", check_modules=("other_checks",))
    (tmp_path / "other_theory").mkdir()
    (tmp_path / "other_theory" / "__init__.py").touch()
    (tmp_path / "other_theory" / "claims.py").write_text(CLAIMS * (named == "claims.py"))
    (tmp_path / "other_checks.py").write_text(CHECKS * (named == "checks.py"))
    with pytest.raises(DomainError, match="begins with its theory, other"):
        load([replace(toy, check_modules=("toy_theory",)), other])


def test_a_theory_is_named_once(toy):
    with pytest.raises(DomainError, match="used once"):
        load([toy, replace(toy)])


def test_a_repair_is_a_claim_that_is_declared_true(toy, tmp_path):
    edit(tmp_path, "teeth=", 'repaired_by="toy.nothing", teeth=')
    with pytest.raises(DomainError, match=r"toy\.nothing"):
        load([toy])


def test_a_claim_stands_on_two_kinds_one_of_them_exact(toy, tmp_path):
    lacks = {}
    for kind in ("ENUMERATED", "PROPERTY_TESTED"):
        known = load([toy])
        lacks[kind] = known.lacks(known.claims["toy.double"])
        edit(tmp_path, "ENUMERATED", "PROPERTY_TESTED")
    assert "stands on enumerated: need two kinds" in lacks["ENUMERATED"][0]
    assert "one of them exact" in lacks["PROPERTY_TESTED"][0]


def test_an_id_is_used_once(toy, tmp_path):
    claims = tmp_path / "toy_theory" / "claims.py"
    again = textwrap.dedent(CLAIMS).replace("def doubling", "def doubling_again")
    claims.write_text(CLAIMS + again)
    with pytest.raises(DomainError, match="used once"):
        load([toy])


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(DomainError, match="did you mean reachability"):
        registry().select(["reachabilty"])
