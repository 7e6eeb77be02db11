"""Each warning appears where it is due, and only there."""

import numpy as np
import pytest

from rolltheory.readers import ScoredAttempts, SuccessCounts
from rolltheory.report.pass_at_k_warnings import pass_at_k_warnings


def counts(samples, successes):
    names = tuple(f"p{number}" for number in range(len(samples)))
    return SuccessCounts("f", "count-table", names, np.array(samples), np.array(successes))


def scored(*rows, texts=None):
    names = tuple(f"p{number}" for number in range(len(rows)))
    prints = tuple(None if texts is None else np.array(texts, np.uint64) for _ in rows)
    return ScoredAttempts("f", "matrix", names, rows, prints)


def warnings(attempts, *tries, threshold=1.0):
    return pass_at_k_warnings(attempts, tries, threshold=threshold, confidence=0.95)


MANY = counts([50] * 30, [*range(1, 31)])


def test_good_data_need_no_warning():
    assert warnings(MANY, 1, 8, 25) == ()


def test_large_k_is_named():
    found = warnings(MANY, 25, 26, 50)
    assert found[0].startswith("k = 26, 50: more than half of the 50 tries.")


def test_failures_say_what_they_show():
    (found,) = warnings(counts([50] * 30, [0, 0, *range(1, 29)]), 1, 25)
    assert found.startswith("No success in 2 of 30 problems.")
    assert "after 50 failures the exact interval still reaches up to Pass@1 = 0.07112 and" in found
    assert found.endswith("To show Pass@25 <= 0.05 (one-sided, 0.95) takes 1461 failures in a row.")


def test_failures_of_fifty_tries_say_nothing_about_fifty():
    found = warnings(counts([50] * 30, [0, *range(1, 30)]), 50)
    assert "Pass@50 = 0.975. To show Pass@50 <= 0.05 (one-sided, 0.95) takes 2921" in found[1]


def test_unequal_numbers_of_tries_are_named():
    (found,) = warnings(counts([50] * 29 + [12], [*range(1, 30), 3]), 1)
    assert found.startswith("Problems have from 12 ('p29') to 50 tries; k goes up to 12 only")


def test_one_try_tells_pass_at_1_only():
    found = warnings(counts([1] * 30, [1] * 20 + [0] * 10), 1)
    assert found[0].startswith("One try per problem: ")
    assert not any("more than half" in line for line in found)


@pytest.mark.parametrize(
    ("threshold", "used"),
    [
        (1.0, "Pass@1 is 0.2500 with it, 0.7500 with any score > 0, 0.5000 with score >= 0.5."),
        (0.5, "Pass@1 is 0.5000 with it, 0.7500 with any score > 0, 0.2500 with score >= 1."),
        (0.9, "Pass@1 is 0.5000 with it, 0.7500 with any score > 0, 0.5000 with score >= 0.5,"),
    ],
)
def test_the_threshold_and_its_effect_are_named(threshold, used):
    attempts = scored(*([[3e-8, 0.0, 0.999, 1.0]] * 25))
    found = warnings(attempts, 1, threshold=threshold)[0]
    assert f"a try counts as a success if score >= {threshold:g}." in found
    assert used in found


@pytest.mark.parametrize(("threshold", "word"), [(0.0, "every"), (-1.0, "every"), (2.0, "no")])
def test_a_threshold_outside_of_binary_scores_is_named(threshold, word):
    found = warnings(scored([0.0, 1.0], [1.0, 0.0]), 1, threshold=threshold)[0]
    assert f"the threshold {threshold:g} counts {word} try as a success" in found


def test_identical_texts_are_no_tries():
    found = warnings(scored([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], texts=[7, 7, 7]), 1)
    assert found[0].startswith("All tries are the same text in 2 problems, such as 'p0'")
    assert not any("the same way" in line for line in found)


def test_identical_outcomes_raise_a_doubt():
    found = warnings(counts([4] * 30, [4] * 15 + [0] * 15), 1, 2)
    assert found[0].startswith("Within every problem all tries end the same way")


def test_a_bootstrap_without_spread_is_named():
    found = warnings(counts([4] * 30, [0] * 30), 1, 2)
    assert found[-1].startswith("k = 1, 2: every problem has the same estimate")


def test_few_problems_are_named():
    (found,) = warnings(counts([8] * 4, [1, 2, 3, 4]), 1)
    assert found.startswith("Only 4 problems: ")
    assert warnings(counts([8], [3]), 1) == ()


def test_failures_are_counted_where_there_are_most_of_them():
    attempts = counts([50, 8, 12, *[50] * 27], [3, 0, 0, *range(1, 28)])
    found = warnings(attempts, 1, 4)
    line = next(line for line in found if line.startswith("No success in 2 of 30 problems."))
    assert "after 12 failures the exact interval still reaches up to Pass@1 = 0.2646 " in line
