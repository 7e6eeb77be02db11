"""Audit of verl logs beside polars, which merely reads them: a million lines, or long ones; memory.

Run with ``make bench``. The ratio of times is printed and kept in ``extra_info``.
"""

import json
import subprocess
import sys
from time import perf_counter

import numpy as np
import polars
import pytest

from rolltheory.readers.logs import read_run_log
from rolltheory.readers.logs.verl import FRAMEWORK
from rolltheory.staleness.audit import audit_run

LINES = 10**6
MANY_LINES = 10**7
DISTINCT = 4096
SHORT = ("actor/ppo_kl", "rollout_corr/k3_kl", "fully_async/trajectory_staleness/mean")
KNOWN = tuple(key.raw for key in FRAMEWORK.keys)
OTHERS = tuple(f"timing_per_token_ms/stage_{stage}/mean" for stage in range(250))
LOGS = {
    "three keys": (LINES, SHORT),
    "all known keys": (LINES, KNOWN),
    "hundreds of keys": (LINES // 20, KNOWN + OTHERS),
}


def verl_log(path, lines, keys):
    """A log of so many lines; steps differ, values repeat after some thousands of them."""
    values = np.random.default_rng(0).uniform(0, 1, (DISTINCT, len(keys))).round(6).tolist()
    bodies = [json.dumps(dict(zip(keys, row, strict=True))) for row in values]
    with path.open("w") as stream:
        for step in range(lines):
            stream.write(f'{{"step": {step}, "data": {bodies[step % DISTINCT]}}}\n')
    return path


def audited(path):
    return audit_run(read_run_log(path))


@pytest.mark.parametrize("name", LOGS)
def test_beside_polars(benchmark, tmp_path, name):
    lines, keys = LOGS[name]
    path = verl_log(tmp_path / "log.jsonl", lines, keys)
    start = perf_counter()
    assert polars.read_ndjson(path).height == lines
    reading = perf_counter() - start
    found = benchmark.pedantic(audited, (path,), rounds=3)
    path.unlink()
    assert found.rows == lines
    if benchmark.stats:  # none with --benchmark-disable
        ratio = benchmark.stats.stats.median / reading
        benchmark.extra_info.update(polars_seconds=reading, time_ratio=ratio)
        print(f"\naudit, {name}: {ratio:.2f} times the time of polars.read_ndjson")  # noqa: T201


def test_memory_stays_flat_over_ten_million_lines(tmp_path):
    path = verl_log(tmp_path / "many.jsonl", MANY_LINES, SHORT)
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from rolltheory.readers.logs import read_run_log\n"
        "from rolltheory.staleness.audit import audit_run\n"
        "print(audit_run(read_run_log(sys.argv[1])).rows)\n"
        # not ru_maxrss, which a child inherits from its parent
        "status = Path('/proc/self/status').read_text()\n"
        "print(status.partition('VmHWM:')[2].split()[0])\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    rows, kibibytes = map(int, printed)
    assert rows == MANY_LINES
    assert kibibytes < 500e6 / 1024
