"""The command group: light help, one-line errors, quiet ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rolltheory.cli.options import KINDS

HEAVY = ("matplotlib", "networkx", "numba", "numpy", "rich", "scipy", "sympy", "torch")
COMMAND = [sys.executable, "-m", "rolltheory"]


@pytest.mark.parametrize(
    "arguments", [["--help"], *([verb, "--help"] for verb in ("claims", "state-graph", "verify"))]
)
def test_help_loads_nothing_heavy(arguments):
    code = (
        "import sys\nfrom rolltheory.cli import main\n"
        f"main({arguments}, standalone_mode=False)\n"
        f"print('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "loaded:"


def test_help_names_every_verb(rolltheory):
    result = rolltheory("--help")
    assert result.exit_code == 0
    for verb in ("claims", "pass-at-k", "state-graph", "verify"):
        assert f"\n  {verb} " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["pass-at-kk"], "No command 'pass-at-kk': did you mean 'pass-at-k'?"),
        (["zzz"], "No command 'zzz': there are action-gap, claims, dimension, "),
        (["pass-at-k"], "Missing argument 'FILE...'."),
        (["state-graph", "x", "--colour"], "No such option '--colour'."),
        (["verify", "reachability.pass_at_k.biased"], "name = 'reachability.pass_at_k.biased' is"),
    ],
)
def test_wrong_usage_is_one_line(refusal, arguments, line):
    assert refusal(*arguments).startswith(line)


def test_debug_shows_the_traceback(rolltheory):
    result = rolltheory("--debug", "pass-at-k", "missing.csv")
    assert type(result.exception).__name__ == "ReaderError"


def test_a_missing_extra_is_one_sentence(refusal, tmp_path, monkeypatch):
    (tmp_path / "0.yaml").write_text("is_correct: [true, false]\n")
    monkeypatch.setitem(sys.modules, "yaml", None)
    found = refusal("pass-at-k", tmp_path / "0.yaml")
    assert found == "reading YAML needs an extra: pip install 'rolltheory[formats]'"


def test_a_module_that_no_extra_brings_is_an_error_of_ours(rolltheory, monkeypatch):
    monkeypatch.setitem(sys.modules, "rolltheory.report", None)
    result = rolltheory("pass-at-k", "x.csv")
    assert isinstance(result.exception, ModuleNotFoundError)


def test_a_reader_that_stops_ends_the_run_quietly():
    with subprocess.Popen(
        [*COMMAND, "claims", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_an_interrupt_is_one_word():
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*COMMAND, "pass-at-k", "/dev/stdin"], **pipes) as process:
        process.stdin.write(b"\n" * 2**20)  # more than a pipe holds: waits until the command reads
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == b"Interrupted.\n"


@pytest.mark.parametrize(
    "verb", [["pass-at-k"], ["state-graph"], ["staleness", "audit"], ["pass-at-k", "/dev/null"]]
)
def test_a_pipe_that_may_never_end_is_refused(refusal, tmp_path, verb):
    fifo = tmp_path / "never-written"
    os.mkfifo(fifo)
    assert refusal(*verb, fifo).endswith("found a pipe or a device; need a regular file")


def test_counts_come_through_a_pipe(data):
    result = subprocess.run(
        [*COMMAND, "pass-at-k", "/dev/stdin"],
        input=(data / "aime24_step_400_counts.csv").read_bytes(),
        capture_output=True,
    )
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["claims"], ["claims", "list", "--json", "-"], ["--help"]])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_closed_stream_is_no_error(arguments, closed):
    command = " ".join([*COMMAND, *arguments, closed])
    result = subprocess.run(command, shell=True, capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_closed_stream_hides_no_failure():
    command = " ".join([*COMMAND, "pass-at-k", "missing.csv", ">&-"])
    result = subprocess.run(command, shell=True, capture_output=True)
    assert result.returncode == 2
    assert result.stderr.startswith(b"Error: missing.csv")


def test_a_character_outside_the_encoding_is_escaped(tmp_path):
    (tmp_path / "counts.csv").write_text("task_id,n,c\n✓,4,1\n", encoding="utf-8")
    result = subprocess.run(
        [*COMMAND, "pass-at-k", tmp_path / "counts.csv", "--problems"],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"'\u2713'" in result.stdout


def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*COMMAND, "claims"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 2
    assert result.stderr == "Error: the output cannot be written (No space left on device)\n"


def test_the_columns_are_the_kinds_of_evidence_that_checks_make():
    from rolltheory.claims import Kind

    assert list(KINDS) == [kind.value for kind in Kind if kind is not Kind.OBSERVED]
