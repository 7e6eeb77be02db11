"""Every outside format, read as its harness writes it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolltheory.errors import DomainError, MissingExtraError, ReaderError
from rolltheory.readers import (
    FORMATS,
    ScoredAttempts,
    SuccessCounts,
    matrix,
    read_attempts,
    repeated_tries,
    threshold_sensitivity,
)
from rolltheory.readers.records import Item, ItemError

DATA = Path(__file__).parents[1] / "data" / "attempts"

EXPECTED: dict[str, tuple[str, dict[str, list[float]], tuple[str, ...]]] = {
    "reasoning_gym_run.json": (
        "reasoning-gym",
        {
            "1 + 1? [sums]": [1, 0, 3e-8],
            "2 + 2? [sums]": [0.999, 0.999, 0.999],
            "cat? [rhymes]": [1],
            "cat? #2 [rhymes]": [0],
        },
        ("2 + 2? [sums]",),
    ),
    "reasoning_gym_task.json": ("reasoning-gym", {"1 + 1? [sums]": [1, 0.5]}, ()),
    "tau_bench.json": ("tau-bench", {"0": [0, 1], "1": [1, 1]}, ("0",)),
    "livecodebench.json": ("livecodebench", {"abc301_a": [1, 1, 0], "2727": [0]}, ()),
    "human_eval.jsonl": ("human-eval", {"HumanEval/0": [1, 0], "HumanEval/1": [0]}, ()),
    "large_language_monkeys/0.yaml": ("large-language-monkeys", {"0": [1, 0, 1]}, ()),
    "large_language_monkeys": (
        "large-language-monkeys",
        {"0": [1, 0, 1], "1": [0, 0]},
        ("1",),
    ),
    "evalplus.json": ("evalplus", {"HumanEval/0": [1, 0.5, 0], "HumanEval/1": [1]}, ()),
    "multipl_e/HumanEval_1.results.json": ("multipl-e", {"HumanEval_1": [1, 0, 0]}, ()),
    "multipl_e": ("multipl-e", {"HumanEval_0": [1, 0, 0], "HumanEval_1": [1, 0, 0]}, ()),
    "verl.jsonl": ("verl", {"a": [1, 0.25], "b": [-1]}, ("a",)),
    "verl.csv": ("verl", {"a": [1, 1], "b": [0]}, ()),
    "matrix.csv": ("matrix", {"1": [1, 0, 1], "2": [0, 0, 0]}, ()),
    "matrix.json": ("matrix", {"1": [1, 0, 1], "2": [0, 0, 0.5]}, ()),
}


def as_dict(attempts: object) -> dict[str, list[float]]:
    assert isinstance(attempts, ScoredAttempts)
    rows = zip(attempts.problem_ids, attempts.scores, strict=True)
    return {problem: row.tolist() for problem, row in rows}


def read_text(folder: Path, content: str | bytes, name: str = "file", **options: Any) -> Any:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_attempts(path, **options)


@pytest.mark.parametrize("name", EXPECTED)
def test_each_format(name: str) -> None:
    kind, scores, repeated = EXPECTED[name]
    attempts = read_attempts(DATA / name)
    assert (attempts.source, attempts.format, attempts.skipped) == (str(DATA / name), kind, ())
    assert as_dict(attempts) == scores
    assert repeated_tries(attempts) == repeated
    assert as_dict(read_attempts(DATA / name, format=kind)) == scores


def test_count_table() -> None:
    table = read_attempts(DATA / "count_table.csv")
    assert isinstance(table, SuccessCounts)
    assert (table.format, table.problem_ids) == ("count-table", ("HumanEval/0", "HumanEval/1"))
    assert (table.samples.tolist(), table.successes.tolist()) == ([200, 10**12], [3, 0])


def test_every_format_is_tried_here() -> None:
    assert {kind for kind, _, _ in EXPECTED.values()} | {"count-table"} == set(FORMATS)
    assert all(module.SHAPE for module in FORMATS.values())


@pytest.mark.parametrize(
    "name", sorted({*EXPECTED, "count_table.csv"} - {"multipl_e", "large_language_monkeys"})
)
def test_name_gzip_bom_and_carriage_returns_change_nothing(name: str, tmp_path: Path) -> None:
    content = (DATA / name).read_bytes()
    # A YAML file lends its name to the problem.
    target = "0.txt" if name.endswith("yaml") else "renamed.txt"
    expected = read_attempts(DATA / name).counts()
    for variant in (
        content,
        gzip.compress(content),
        b"\xef\xbb\xbf" + content,
        content.replace(b"\n", b"\r\n"),
        content + b"\n \n\r\n",
        b"\n" + content,
        content.rstrip(),
    ):
        found = read_text(tmp_path, variant, target).counts()
        assert (found.format, found.problem_ids) == (expected.format, expected.problem_ids)
        np.testing.assert_array_equal(found.successes, expected.successes)
        np.testing.assert_array_equal(found.samples, expected.samples)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_matrix(dtype: type, order: str, tmp_path: Path) -> None:
    matrix = np.array([[0, 1, 1], [1, 0, 0]], dtype=dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "m.npy", matrix)
    assert as_dict(read_attempts(tmp_path / "m.npy")) == {"1": [0, 1, 1], "2": [1, 0, 0]}


def test_json_may_be_lines_a_list_or_indented(tmp_path: Path) -> None:
    records = json.loads((DATA / "tau_bench.json").read_text())
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    for text in (
        lines,
        json.dumps(records),
        json.dumps(records, indent=2),
        json.dumps(records, indent=0),
    ):
        assert as_dict(read_text(tmp_path, text)) == {"0": [0, 1], "1": [1, 1]}
    run = json.loads((DATA / "reasoning_gym_run.json").read_text())
    pretty = read_text(tmp_path, json.dumps(run, indent=4))
    assert as_dict(pretty) == EXPECTED["reasoning_gym_run.json"][1]


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 1], [1, 1]]",
        "[[0, 1],\n[1, 1]]",
        "[\n[0, 1],\n[1, 1]\n]",
        "[0, 1]\n[1, 1]\n",
        "0,1\n1,1",
    ],
)
def test_ways_to_write_a_matrix(text: str, tmp_path: Path) -> None:
    assert as_dict(read_text(tmp_path, text)) == {"1": [0, 1], "2": [1, 1]}


def test_verl_dumps_are_grouped_by_prompt(tmp_path: Path) -> None:
    rows = [("p", "x", 1.0), ("q", "y", 0.0), ("p", "z", 0.0)]
    keys = ("input", "output", "score")
    text = "\n".join(json.dumps({**dict(zip(keys, row, strict=True)), "step": 3}) for row in rows)
    attempts = read_text(tmp_path, text)
    assert attempts.format == "verl"
    assert as_dict(attempts) == {"p": [1, 0], "q": [0]}


def test_csv_cells_may_hold_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'uid,score,output\n"a,b",1,"x\n\ny"\n"a,b",.5e0,"x\n\ny"\n"say ""c""",FALSE,\n'
    attempts = read_text(tmp_path, text)
    assert as_dict(attempts) == {"a,b": [1, 0.5], 'say "c"': [0]}
    assert repeated_tries(attempts) == ("a,b",)


def test_evalplus_thresholds_are_its_two_numbers() -> None:
    plus, base = threshold_sensitivity(read_attempts(DATA / "evalplus.json"), [1.0, 0.5])
    assert (plus, base) == pytest.approx(((1 / 3 + 1) / 2, (2 / 3 + 1) / 2))


def test_a_problem_without_all_of_its_texts_has_no_fingerprints(tmp_path: Path) -> None:
    rows = [{"task_id": "t", "passed": True, "completion": text} for text in ("same", "same", "")]
    attempts = read_text(tmp_path, "\n".join(map(json.dumps, rows)))
    assert attempts.fingerprints == (None,)
    assert repeated_tries(attempts) == ()


def test_fingerprints_tell_texts_apart_and_do_not_change(tmp_path: Path) -> None:
    rows = [{"uid": "u", "score": 0, "output": text} for text in ("a", "b", "a", "\ud800")]
    first = read_text(tmp_path, "\n".join(map(json.dumps, rows)))
    again = read_text(tmp_path, "\n".join(map(json.dumps, rows)))
    a, b, same, odd = first.fingerprints[0].tolist()
    assert a == same
    assert len({a, b, odd}) == 3
    np.testing.assert_array_equal(first.fingerprints[0], again.fingerprints[0])


def test_monkeys_older_field_name(tmp_path: Path) -> None:
    assert as_dict(read_text(tmp_path, "is_correct: [true]\n", "7.yaml")) == {"7": [1]}
    assert as_dict(read_text(tmp_path, '{"is_correct": [true]}', "8.json")) == {"8": [1]}


def test_yaml_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtraError, match=r"rolltheory\[formats\]"):
        read_attempts(DATA / "large_language_monkeys" / "0.yaml")


def test_an_unknown_format_name_is_refused() -> None:
    with pytest.raises(DomainError, match=r"format = 'humaneval' .* human-eval"):
        read_attempts(DATA / "human_eval.jsonl", format="humaneval")


def test_an_ambiguous_item_is_not_guessed(tmp_path: Path) -> None:
    text = '{"task_id": 1, "passed": true, "n": 5, "c": 3}'
    with pytest.raises(ReaderError, match="human-eval and count-table both recognise"):
        read_text(tmp_path, text)
    assert as_dict(read_text(tmp_path, text, format="human-eval")) == {"1": [1]}
    assert read_text(tmp_path, text, format="count-table").samples.tolist() == [5]


repeatable = settings(deadline=None, derandomize=True)
ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53)


@repeatable
@given(st.dictionaries(ids, st.lists(finite, min_size=1, max_size=4), min_size=1, max_size=5))
def test_what_is_written_is_what_is_read(problems: dict[str, list[float]]) -> None:
    rows = [{"uid": uid, "score": score} for uid, scores in problems.items() for score in scores]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, ["uid", "score"])
    writer.writeheader()
    writer.writerows(rows)
    questions = [{"question_id": uid, "graded_list": scores} for uid, scores in problems.items()]
    for text in ("\n".join(map(json.dumps, rows)), table.getvalue(), json.dumps(questions)):
        assert as_dict(read_bytes(text.encode())) == problems


@repeatable
@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_a_matrix_is_read_alike_from_every_container(
    data: st.DataObject, problems: int, tries: int
) -> None:
    row = st.lists(st.floats(0, 1), min_size=tries, max_size=tries)
    matrix = data.draw(st.lists(row, min_size=problems, max_size=problems))
    npy = io.BytesIO()
    np.save(npy, np.array(matrix))
    commas = "\n".join(",".join(map(repr, row)) for row in matrix)
    expected = {str(number): row for number, row in enumerate(matrix, 1)}
    for content in (npy.getvalue(), commas.encode(), json.dumps(matrix).encode()):
        assert as_dict(read_bytes(content)) == expected


@repeatable
@given(st.dictionaries(ids, st.tuples(st.integers(1, 2**62), st.floats(0, 1)), min_size=1))
def test_counts_of_any_size_are_read_exactly(table: dict[str, tuple[int, float]]) -> None:
    counts = {uid: (n, int(n * share) if share < 1 else n) for uid, (n, share) in table.items()}
    counts = {uid: (n, min(c, n)) for uid, (n, c) in counts.items()}
    text = io.StringIO(newline="")
    csv.writer(text).writerows(
        [("task_id", "n", "c"), *((u, n, c) for u, (n, c) in counts.items())]
    )
    found = read_bytes(text.getvalue().encode())
    pairs = zip(found.samples.tolist(), found.successes.tolist(), strict=True)
    assert dict(zip(found.problem_ids, pairs, strict=True)) == counts


def read_bytes(content: bytes) -> Any:
    with NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return read_attempts(file.name)


@pytest.mark.parametrize(("score", "accepted"), [(1.0, True), (1.25, False), (-0.25, False)])
def test_a_bare_matrix_ends_at_scores_of_one(score, accepted):
    item = Item([0.0, score], "1")
    if accepted:
        assert next(matrix.parse(item)).scores == [0.0, score]
    else:
        with pytest.raises(ItemError, match=f"column 2 = {score:g}; need scores within"):
            next(matrix.parse(item))
