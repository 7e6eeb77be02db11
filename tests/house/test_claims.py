"""Every claim stands on evidence of two kinds, one of them exact, and the ledger is fresh."""

import pytest

from rolltheory.claims import EXACT_KINDS, examine, registry
from rolltheory.claims.ledger import recorded

CLAIMS = list(registry().claims.values())


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_has_two_kinds_of_evidence_one_of_them_exact(claim):
    assert registry().lacks(claim) == ()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claims_own_examples_do_what_they_say(claim):
    assert examine(claim) == ()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_ledger_holds_fresh_evidence_of_every_check(claim):
    evidence = {piece.check_id: piece for piece in recorded(registry())[claim.id]}
    for check in registry().checks_of(claim):
        assert check.id in evidence, "record it: rolltheory verify --record"
        assert evidence[check.id].verdict is claim.declared


def test_exact_checks_live_with_the_proofs_and_the_others_do_not():
    for check in registry().checks.values():
        exact = check.kind in EXACT_KINDS
        assert check.supply.__module__.startswith("proofs_checks.") == exact, check.id
