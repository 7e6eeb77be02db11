"""Claims, listed and shown."""

import pytest

CLAIM = "reachability.pass_at_k.unbiased"


def test_every_claim_is_listed_with_its_title(rolltheory, answer):
    records = answer("claims", "list")
    text = rolltheory("claims", width=100).stdout
    assert rolltheory("claims", "list", width=100).stdout == text
    assert CLAIM in [record["id"] for record in records]
    for record in records:
        assert record["id"] in text
    assert "The estimator of Pass@k from n tries is unbiased" in text


def test_a_list_can_be_restricted(answer):
    assert [record["id"] for record in answer("claims", "list", CLAIM)] == [CLAIM]


def test_a_name_alone_is_a_list(rolltheory, answer, refusal):
    assert [record["id"] for record in answer("claims", CLAIM)] == [CLAIM]
    listed = rolltheory("claims", "reachability").stdout
    assert listed == rolltheory("claims", "list", "reachability").stdout
    assert "staleness." not in listed
    assert "did you mean reachability" in refusal("claims", "reachabilty")


def test_quotients_of_many_digits_are_decimals(rolltheory):
    def shown(claim):
        return " ".join(rolltheory("claims", "show", claim).stdout.split())

    sides = "the left side is 1.23727e-17, the right side 3/9007199254740992."
    assert sides in shown("reachability.success_probability.needed")
    assert "right side 1/2." in shown("reachability.plug_in.biased_low")


def test_what_a_check_overlooks_is_shown(rolltheory):
    text = rolltheory("claims", "show", "reachability.beta_binomial.tail").stdout
    assert "; within 0.0001" in " ".join(text.split())


def test_evidence_of_other_versions_says_so(rolltheory, monkeypatch):
    monkeypatch.setattr("rolltheory.claims.evidence.versions", lambda: {"numpy": "1.0"})
    text = rolltheory("claims", "show", CLAIM).stdout
    assert "(here 1.0)" in text


@pytest.mark.parametrize("width", [80, 100])
def test_lists_and_pages_fit_the_width(rolltheory, width):
    listed = rolltheory("claims", width=width).stdout
    shown = rolltheory("claims", "show", CLAIM, width=width).stdout
    assert max(len(line) for line in (listed + shown).splitlines()) <= width


def test_a_page_says_what_a_referee_asks(rolltheory, answer):
    record = answer("claims", "show", CLAIM)
    text = rolltheory("claims", "show", CLAIM).stdout
    assert record["statement"][:40] in text
    assert "Relation: equal." in text
    assert "2107.03374" in text
    assert "Assumes: 1 <= k <= n." in text
    assert "Without it: at " in text
    assert "the right side 3/4" in text
    for tooth in record["teeth"]:
        assert tooth in text


def test_a_false_claim_says_so_and_names_the_true_one(rolltheory):
    text = rolltheory("claims", "show", "reachability.limit.uniform").stdout
    assert text.startswith("reachability.limit.uniform (false as stated)\n")
    assert "The true statement: reachability.limit.tries_bound" in text


def test_evidence_is_shown_with_its_domain(rolltheory, answer):
    for record in answer("claims", "list"):
        text = rolltheory("claims", "show", record["id"]).stdout
        for kind in record["kinds"]:
            assert f"\n{kind}: " in text


@pytest.mark.parametrize("name", ["reachability", "reachability.pass_at_k.nothing"])
def test_only_one_claim_can_be_shown(refusal, name):
    assert "is not allowed: need" in refusal("claims", "show", name)
