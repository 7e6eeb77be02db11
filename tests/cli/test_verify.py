"""Verify: the matrix, its files and its exit codes."""

import json
from xml.etree import ElementTree

import pytest

from rolltheory.claims import Kind, Registry, ledger, verification
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.verdicts import Verdict
from rolltheory.errors import DomainError

CLAIM = "reachability.pass_at_k.variance_estimate"
QUICK = (CLAIM, "--kind", "enumerated", "--jobs", "1")


def test_a_good_claim_exits_with_0(rolltheory):
    result = rolltheory("verify", *QUICK)
    assert result.exit_code == 0
    head, _, row, *rest = result.stdout.splitlines()
    assert head.split() == ["claim", "enum", "teeth", "verdict"]
    assert row.split() == [CLAIM, "✓", "2/2", "supported"]
    assert rest[0].startswith("1 of 1 claims as declared; 1 checks")


def test_a_false_claim_is_as_declared(rolltheory):
    result = rolltheory("verify", "reachability.limit.uniform", *QUICK[1:])
    assert result.exit_code == 0
    assert "refuted (declared)" in result.stdout


@pytest.fixture
def refuted(monkeypatch):
    """Make the check find a counterexample, with characters that XML cannot hold."""
    run_check = verification.run_check

    def refute(*arguments, **options):
        piece = run_check(*arguments, **options)
        changes = {"verdict": Verdict.REFUTED, "counterexample": "<bad\x00\x1b&>"}
        known = {name: getattr(piece, name) for name in Evidence.__dataclass_fields__}
        return Evidence(**(known | changes))

    monkeypatch.setattr(verification, "run_check", refute)


@pytest.mark.usefixtures("refuted")
def test_a_refuted_claim_exits_with_1_and_shows_the_counterexample(rolltheory, tmp_path):
    junit = tmp_path / "junit.xml"
    result = rolltheory("verify", *QUICK, "--junit", junit)
    assert result.exit_code == 1
    assert "counterexample <bad" in result.stdout
    suite = ElementTree.parse(junit).getroot()
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "1", "1")
    failure = suite.find("testcase/failure")
    assert failure.get("message") == "refuted"
    assert "<bad??&>" in failure.text


def test_files_hold_the_verdicts(rolltheory, answer, tmp_path):
    junit = tmp_path / "junit.xml"
    record = answer("verify", *QUICK, "--junit", junit)
    assert record["exit_code"] == 0
    assert [claim["verdict"] for claim in record["claims"]] == ["supported"]
    (case,) = ElementTree.parse(junit).getroot()
    assert (case.get("classname"), case.get("name").split("/")[0]) == (CLAIM, "enumerated")
    assert float(case.get("time")) >= 0


@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_a_file_that_cannot_be_written_is_refused_first(refusal, tmp_path, monkeypatch, option):
    monkeypatch.setattr(verification, "run_check", None)  # any check would fail
    found = refusal("verify", *QUICK, option, tmp_path / "missing" / "file")
    assert "need a writable place" in found


def test_a_ledger_that_cannot_be_written_is_refused_first(refusal, tmp_path, monkeypatch):
    monkeypatch.setattr(verification, "run_check", None)  # any check would fail
    monkeypatch.setattr(ledger, "files", lambda _: tmp_path / "missing")
    assert "need a writable place" in refusal("verify", *QUICK, "--record")


def test_a_chosen_seed_is_not_recorded(refusal):
    assert "need seed 0" in refusal("verify", *QUICK, "--record", "--seed", "7")


def test_an_output_that_fails_loses_no_other(rolltheory, tmp_path, monkeypatch):
    def full(*_):
        raise DomainError("output", "ledger.json", "a writable place (No space left on device)")

    monkeypatch.setattr(ledger, "files", lambda _: tmp_path)
    monkeypatch.setattr(ledger, "write_text", full)
    result = rolltheory("verify", *QUICK, "--record", "--json", tmp_path / "out.json")
    assert result.exit_code == 2
    assert "1 of 1 claims as declared" in result.stdout
    assert "No space left on device" in result.stderr
    assert json.loads((tmp_path / "out.json").read_text())["exit_code"] == 0


@pytest.fixture
def own_ledger(tmp_path, monkeypatch, rolltheory):
    """A ledger elsewhere, with fresh evidence of one claim; rewritten by what is yielded."""
    monkeypatch.setattr(ledger, "files", lambda _: tmp_path)
    rolltheory("verify", CLAIM, "--jobs", 1, "--record")

    def rewrite(**changes):
        data = json.loads((tmp_path / "ledger.json").read_text())
        for piece in data["evidence"]:
            piece |= changes
        (tmp_path / "ledger.json").write_text(json.dumps(data))

    return rewrite


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({}, ""),
        ({"cases": 7}, "ledger: 7 cases recorded, "),
        ({"versions": {"numpy": "1.0"}}, "ledger: recorded with numpy 1.0 (here "),
        ({"fingerprint": ""}, "ledger: stale recorded"),
    ],
)
def test_strict_holds_the_ledger_to_the_run(rolltheory, own_ledger, changes, complaint):
    own_ledger(**changes)
    result = rolltheory("verify", *QUICK, "--strict")
    assert result.exit_code == (3 if complaint else 0)
    assert complaint in result.stderr


def test_an_example_that_needs_an_extra_is_not_run(rolltheory, answer, monkeypatch):
    def needs_flint(_):
        raise ModuleNotFoundError(name="flint")

    monkeypatch.setattr(verification, "examine", needs_flint)
    result = rolltheory("verify", *QUICK)
    assert result.exit_code == 3
    assert f"{CLAIM}: not run (an example of {CLAIM} needs an extra" in result.stdout
    assert "rolltheory[exact]" in result.stdout


def test_an_example_that_breaks_down_is_a_fault(rolltheory, monkeypatch):
    monkeypatch.setattr(verification, "examine", lambda _: 1 / 0)
    result = rolltheory("verify", *QUICK)
    assert result.exit_code == 3
    assert "an example raised ZeroDivisionError" in result.stdout


def test_evidence_of_one_kind_is_not_enough(rolltheory, monkeypatch):
    kinds = {Kind.ENUMERATED}
    of = Registry.checks_of
    chosen = lambda known, claim: [c for c in of(known, claim) if c.kind in kinds]  # noqa: E731
    monkeypatch.setattr(Registry, "checks_of", chosen)
    result = rolltheory("verify", *QUICK)
    assert result.exit_code == 3
    assert f"{CLAIM}: stands on enumerated: need two kinds of evidence" in result.stdout


def test_the_matrix_fits_80_columns(rolltheory):
    lines = rolltheory("verify", *QUICK, width=80).stdout.splitlines()
    assert max(map(len, lines)) <= 80
