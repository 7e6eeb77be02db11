"""
What does a consistent rule cost?
=================================

A learner that picks any rule which agrees with its sample can do much worse than one inclusion, and
only the second has a guarantee that ignores the length of the traces. Both risks are exact here:
all samples are enumerated, in rational numbers.
"""

import matplotlib.pyplot as plt

from rolltheory.dimension import (
    OneInclusionLearner,
    ds_dimension,
    exact_risk,
    needle,
    parity_dimension,
    rollout_class,
    samples_for_expected_error,
    worst_consistent_risk,
)
from rolltheory.plots.dimension import plot_risk
from rolltheory.plots.style import dressed

# %%
# Five prompts, drawn evenly, and 32 rules, one for each set of them: a rule writes its one 1 after
# zeros of its number, at the prompts of its set. The true rule has the empty set: zeros only.
# Whatever prompts were seen, the rule of all the others agrees with them and is wrong on them all.

family = needle(5)
traces = rollout_class(family.local, family.prompts, steps=31)
zeros = traces.rows[0]
p, ds = parity_dimension(traces).value, ds_dimension(traces).value
print(f"{len(traces)} rules, parity dimension {p}, DS dimension {ds}")

# %%
# One inclusion bets on zeros, and is never wrong about that rule. Another rule is its worst target,
# and the risk that is drawn is that of the worst: it stays below the bound, as it must. The bound
# is a promise of one inclusion only. Rules that merely agree lie on its forbidden side.

samples = [1, 2, 3, 4, 6, 8]
learner = OneInclusionLearner(traces)
careful = [max(exact_risk(learner, row, samples=m) for row in traces.rows) for m in samples]
careless = [worst_consistent_risk(traces, zeros, samples=m) for m in samples]
figure, ax = plt.subplots(layout="constrained")
ax = plot_risk(
    samples,
    [careful, careless],
    ["one inclusion, worst target", "worst rule that agrees"],
    parity_dimension=p,
    ds_dimension=ds,
    ax=dressed(ax),
)
print("one inclusion on zeros:", exact_risk(learner, zeros, samples=1))
for m, low, high in zip(samples, careful, careless, strict=True):
    print(f"m = {m}: one inclusion {float(low):.4f}, any rule that agrees {float(high):.4f}")

# %%
# How many traces are enough? The number is that of the bound, and knows nothing about length.

for error in (0.1, 0.01):
    print(f"expected error {error}: {samples_for_expected_error(p, error)} traces")
