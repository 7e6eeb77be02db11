"""Verify: the matrix, its files and its exit codes."""

from xml.etree import ElementTree

import pytest

from rolltheory.claims import verification
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.verdicts import Verdict

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


def test_the_matrix_fits_80_columns(rolltheory):
    lines = rolltheory("verify", *QUICK, width=80).stdout.splitlines()
    assert max(map(len, lines)) <= 80
