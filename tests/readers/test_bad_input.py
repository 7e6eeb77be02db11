"""Whatever is in a file, the answer is a result or one clear ReaderError with its place."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolltheory.errors import ReaderError
from rolltheory.readers import containers, read_attempts

DATA = Path(__file__).parents[1] / "data" / "attempts"
FILES = {path.name: path.read_bytes() for path in sorted(DATA.rglob("*")) if path.is_file()}

MISSING_FIELD = {
    "human_eval": ('{"task_id": "a"}', "human-eval", "fields .'task_id'.; need human-eval: lines"),
    "tau_bench": ('[{"task_id": 0, "trial": 0}]', "tau-bench", "in item 1; need tau-bench"),
    "verl": ('{"uid": 0}', "verl", "need verl: rows of {uid, score}"),
    "count_table": ("task_id,n\na,3\n", "count-table", "line 2: .*need count-table: rows"),
    "multipl_e": (
        '{"name": "x", "results": [{"status": "OK"}]}',
        None,
        "found {'status': 'OK'}; need objects with the fields status, exit_code in results",
    ),
    "reasoning_gym": (
        '{"name": "x", "results": [{"question": "q", "completions": [{"model_answer": "1"}]}]}',
        None,
        "need objects with the fields score in completions",
    ),
    "reasoning_gym, no name": (
        '{"results": [{"question": "q", "completions": [{"score": 1}]}]}',
        None,
        "name = None; need a non-empty text or a whole number as name",
    ),
    "reasoning_gym, no datasets": (
        '{"categories": [{"name": "x"}]}',
        None,
        "need objects with the fields datasets in categories",
    ),
    "evalplus": ('{"eval": {"t": [{"plus_status": "pass"}]}}', None, "fields base_status in t"),
    "unknown": (
        '{"id": 1, "ok": true}',
        None,
        "fields .'id', 'ok'.; need one of the formats .* shows their fields$",
    ),
    "nearly human-eval": (
        '{"task": "a", "pass": true, "completion": "x"}',
        None,
        "the nearest is human-eval: lines of {task_id, passed, completion}; 'rolltheory pass-at-k",
    ),
    "a training log": (
        '{"global_step": 1, "actor/loss": 0.5}',
        None,
        "count-table; a training log is for 'rolltheory staleness audit'; ",
    ),
}

BAD = {
    "empty": ("", "found an empty file; need at least one problem"),
    "blank": (" \n\n\t\n", "found an empty file"),
    "only a byte order mark": ("\ufeff", "found an empty file"),
    "no tries": ("[]", "found no tries; need at least one problem"),
    "header only": ("uid,score\n", "found no tries"),
    "no tasks": ('{"eval": {}}', "found no tries"),
    "scalar": ("42", "column 1 = 42; need scores within .0, 1. in a bare matrix"),
    "lost header": ("17,1\n17,0\n", "line 1: found column 1 = 17"),
    "lost header of counts": ("0,200,3\n1,200,0\n", "line 1: found column 2 = 200"),
    "negative in a matrix": ("[[0, -1]]", "found column 2 = -1 in item 1"),
    "prose": ("Dear reader,\nthis is a letter.\n", "line 2: found 1 cells; need 2 cells"),
    "truncated document": ('[{"task_id": 0,\n "trial": 0, "rew', "line 2: found truncated JSON"),
    "truncated line": (
        '{"uid": 1, "score": 1}\n{"uid": 1, "sco\n',
        "line 2: found truncated JSON .* need one JSON value per line",
    ),
    "broken document": ('{"eval": {"a" 1}}', "line 1: found broken JSON .*column"),
    "broken first line": (
        '{"uid": 1 "score": 1}\n{"uid": 1, "score": 1}\n',
        "line 1: found broken",
    ),
    "two values in a line": ('{"uid": 1, "score": 1} {}\n{"uid": 1, "score": 1}\n', "line 1"),
    "deep": ("[" * 100_000, "JSON nested too deeply"),
    "deep line": ('{"a": 1}\n{"a": ' + "[" * 100_000, "line"),
    "deep yaml": ("is_correct: " + "[" * 100_000, "broken YAML"),
    "huge integer": ('{"uid": 1, "score": ' + "9" * 5000 + "}", "unusable JSON"),
    "repeated field": ('{"eval": {"a": [], "a": []}}', "the field 'a' twice in one object"),
    "repeated column": ("uid,score,score\na,1,0\n", "line 1: found a header that repeats a field"),
    "broken csv": ('uid,score\n"a"b,1\n', "line 2: found broken CSV"),
    "open quote": ('uid,score\n"a,1\nb,0\n', "found broken CSV"),
    "long cell": ("uid,score\n" + "a" * 200_000 + ",1\n", "line 2: found broken CSV .field larger"),
    "row too short": ("uid,score,x\na,1\n", "line 2: found 2 cells; need 3 cells"),
    "not utf-8": (b'{"uid": "\xff", "score": 1}', "bytes that are not UTF-8; need text in UTF-8"),
    "not utf-8, document": (b'[\n{"uid": "\xff"}]', "line 2: found bytes that are not UTF-8"),
    "not utf-8, csv": (b"uid,score\n\xe9,1\n", "line 2: found bytes that are not UTF-8"),
    "utf-16": ("uid,score\n".encode("utf-16"), "found binary content"),
    "binary": (b"\x7fELF\x02\x01\0\0\0\n\0", "found binary content; need text in UTF-8, .npy"),
    "damaged gzip": (gzip.compress(b"1,0,1\n" * 9)[:-9], "found a damaged gzip stream"),
    "not quite gzip": (b"\x1f\x8bjunk" * 9, "need a"),
    "damaged npy": (b"\x93NUMPY\x01\0v\0{'descr': ", "an unusable .npy file"),
    "mixed": (
        '{"uid": 1, "score": 1}\n{"task_id": 0, "passed": true}\n',
        "line 2: found an item of format human-eval; need verl: rows",
    ),
    "mixed list": (
        '[{"task_id": 0, "trial": 0, "reward": 1}, [1, 0]]',
        "an item of format matrix in item 2; need tau-bench",
    ),
    "list of scalars": ("[1, 0, 1]", "found 1 in item 1; need one of the formats"),
    "trial twice": (
        '[{"task_id": 3, "trial": 0, "reward": 1}, {"task_id": 3, "trial": 0, "reward": 1}]',
        "found 'task_id 3, trial 0' a second time in item 2",
    ),
    "task twice": ("task_id,n,c\na,3,1\nb,3,1\na,3,1\n", "line 4: found 'a' a second time"),
    "question twice": (
        '[{"question_id": 1, "graded_list": [true]}, {"question_id": 1, "graded_list": [true]}]',
        "found '1' a second time in item 2",
    ),
    "n zero": ("task_id,n,c\na,0,0\n", "line 2: found n = '0'; need a whole number, at least 1"),
    "n negative": ("task_id,n,c\na,-3,0\n", "found n = '-3'"),
    "n fractional": ("task_id,n,c\na,2.5,0\n", "found n = '2.5'"),
    "n too large": (f"task_id,n,c\na,{2**63},0\n", "found n = '9223372036854775808'"),
    "n infinite": ("task_id,n,c\na,1e999,0\n", "found n = '1e999'"),
    "n true": ('{"task_id": 1, "n": true, "c": 0}', "found n = True"),
    "n in quotes": ('{"task_id": 1, "n": "3", "c": 0}', "found n = '3'"),
    "c negative": ("task_id,n,c\na,3,-1\n", "found c = '-1'; need a whole number, at least 0"),
    "c above n": ("task_id,n,c\na,3,4\n", "line 2: found c = 4 of n = 3; need c <= n"),
    "no try": ('[{"question_id": 1, "graded_list": []}]', "at least one element as graded_list"),
    "no completion": (
        '{"name": "x", "results": [{"question": "q", "completions": []}]}',
        "at least one element as completions",
    ),
    "grades and outputs": (
        '[{"question_id": 1, "graded_list": [true], "output_list": ["a", "b"]}]',
        "found 1 grades of 2 outputs",
    ),
    "grades and samples": ("is_correct: [true]\nsamples: [a, b]\n", "found 1 grades of 2 samples"),
    "unknown status": (
        '{"eval": {"t": [{"base_status": "success"}]}}',
        "base_status = 'success'; need pass, fail, timeout",
    ),
    "ragged rows": ("1,0,1\n1,0\n", "line 2: found 2 columns; need 3, as in the rows before"),
    "ragged list": ("[[1, 0, 1], [1, 0]]", "found 2 columns in item 2; need 3"),
    "nested rows": ("[[1, 0], [[1], 0]]", "found .* in item 2"),
    "empty name": ("uid,score\n ,1\n", "uid = ' '; need a non-empty text or a whole number"),
    "null name": ('{"uid": null, "score": 1}', "uid = None"),
    "fractional name": ('{"uid": 1.5, "score": 1}', "uid = 1.5"),
    "true name": ('{"uid": true, "score": 1}', "uid = True"),
    "half a character": (r'{"uid": "\ud800", "score": 1}', "uid = "),
}

repeatable = settings(deadline=None, derandomize=True)

BAD_SCORES = ["NaN", "Infinity", "-Infinity", "1e999", '"1"', '"pass"', "null", "[1]", "{}"]
BAD_CELLS = ["nan", "inf", "-inf", "1e999", "yes", "", "1_0", "0x1", "١", "None"]


def read_text(folder: Path, content: str | bytes, **options: Any) -> Any:
    path = folder / "file"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_attempts(path, **options)


def refused(folder: Path, content: str | bytes, match: str, **options: Any) -> ReaderError:
    with pytest.raises(ReaderError, match=match) as caught:
        read_text(folder, content, **options)
    message = str(caught.value)
    assert message.startswith(str(folder / "file"))
    assert "\n" not in message
    assert len(message) < 500
    return caught.value


@pytest.mark.parametrize("name", MISSING_FIELD)
def test_missing_field(name: str, tmp_path: Path) -> None:
    content, kind, match = MISSING_FIELD[name]
    refused(tmp_path, content, match, format=kind)


@pytest.mark.parametrize("name", BAD)
def test_bad_content(name: str, tmp_path: Path) -> None:
    content, match = BAD[name]
    refused(tmp_path, content, match)


@pytest.mark.parametrize("value", BAD_SCORES)
@pytest.mark.parametrize(
    "template",
    [
        '{"uid": 1, "score": 1}\n{"uid": 1, "score": %s}\n',
        '{"task_id": 1, "passed": true}\n{"task_id": 1, "passed": %s}\n',
        '[{"task_id": 1, "trial": 0, "reward": 1}, {"task_id": 1, "trial": 1, "reward": %s}]',
        '[{"question_id": 1, "graded_list": [true, %s]}]',
        '{"name": "x", "results": [{"question": "q", "completions": [{"score": %s}]}]}',
        "[[0, 1], [1, %s]]",
    ],
)
def test_a_score_is_a_finite_number(template: str, value: str, tmp_path: Path) -> None:
    error = refused(tmp_path, template % value, "need a finite number, true or false as")
    assert error.line == (2 if "\n" in template else None)


@pytest.mark.parametrize("cell", BAD_CELLS)
def test_a_cell_is_a_finite_number(cell: str, tmp_path: Path) -> None:
    refused(tmp_path, f"uid,score\na,1\na,{cell}\n", "line 3: found score = ")
    refused(tmp_path, f"1,0\n1,{cell}\n", "line 2: found column 2 = ")


def test_numbers_elsewhere_may_be_anything(tmp_path: Path) -> None:
    text = '{"uid": 1, "score": 1, "loss": NaN, "note": "\\ud800", "big": 1e999}'
    assert read_text(tmp_path, text).scores[0].tolist() == [1]


@pytest.mark.parametrize("array", [np.zeros(3), np.zeros((2, 0)), np.zeros((1, 2, 2))])
def test_an_array_has_two_dimensions(array: np.ndarray, tmp_path: Path) -> None:
    refused(tmp_path, npy(array), "an array of float64 of shape .*; need a matrix of numbers")


def test_an_array_holds_numbers(tmp_path: Path) -> None:
    refused(tmp_path, npy(np.array([["1", "0"]])), "an array of <U1")
    refused(tmp_path, npy(np.array([[1j]])), "an array of complex128")
    refused(tmp_path, npy(np.array([[0, np.nan]])), "column 2 = nan in item 1")
    pickled = io.BytesIO()
    np.save(pickled, np.array([[None]]), allow_pickle=True)
    refused(tmp_path, pickled.getvalue(), "an unusable .npy file")


def test_an_array_larger_than_its_file_is_not_allocated(tmp_path: Path) -> None:
    shape = (10**7, 10**6)
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, header)
    refused(tmp_path, stream.getvalue() + bytes(64), "an unusable .npy file")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="nothing: found no such file; need a read"):
        read_attempts(tmp_path / "nothing")


def test_directories(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="found no tries"):
        read_attempts(tmp_path)
    with pytest.raises(ReaderError, match="found a directory; need one file of format verl"):
        read_attempts(tmp_path, format="verl")
    task = {"status": "OK", "exit_code": 0}
    for name in ("a", "b"):
        text = json.dumps({"name": name, "results": [task]})
        (tmp_path / f"{name}.results.json").write_text(text)
    assert read_attempts(tmp_path).problem_ids == ("a", "b")
    (tmp_path / "stale").mkdir()
    (tmp_path / "stale" / "a.results.json").write_text(json.dumps({"name": "a", "results": [task]}))
    with pytest.raises(ReaderError, match=r"stale/a.results.json: found 'a' a second time"):
        read_attempts(tmp_path)
    (tmp_path / "stale" / "a.results.json").write_text('{"uid": 1, "score": 1}')
    with pytest.raises(ReaderError, match=r"stale/a.results.json.* an item of format verl"):
        read_attempts(tmp_path)
    (tmp_path / "c.results.json").write_text("{")
    attempts = read_attempts(tmp_path, skip_bad_lines=True)
    assert attempts.problem_ids == ("a", "b")
    assert [("c.results.json" in why, "stale" in why) for why in attempts.skipped] == [
        (True, False),
        (False, True),
    ]


def test_good_lines_are_used_only_when_asked_for(tmp_path: Path) -> None:
    lines = [
        '{"uid": "a", "score": 1',
        '{"uid": "a", "score": 0}',
        '{"uid": "b", "score": NaN}',
        '{"task_id": 1, "passed": true}',
        '{"uid": "b", "score": 1}',
    ]
    refused(tmp_path, "\n".join(lines), "line 1: ")
    attempts = read_text(tmp_path, "\n".join(lines), skip_bad_lines=True)
    assert attempts.problem_ids == ("a", "b")
    assert attempts.counts().successes.tolist() == [0, 1]
    assert [why.split(": ")[0].split(", ")[-1] for why in attempts.skipped] == [
        "line 1",
        "line 3",
        "line 4",
    ]
    assert attempts.counts().skipped == attempts.skipped


def test_good_rows_are_used_only_when_asked_for(tmp_path: Path) -> None:
    text = b'task_id,n,c\na,3,4\nb,3\nc,3,"1\n\xff",\nd,3,1\nd,2,2\n'
    table = read_text(tmp_path, text, skip_bad_lines=True)
    assert (table.problem_ids, table.successes.tolist()) == (("d",), [1])
    assert len(table.skipped) == 4
    matrix = read_text(tmp_path, "1,x\n1,0\n1\n0,0\n", skip_bad_lines=True)
    assert matrix.problem_ids == ("2", "4")
    assert len(matrix.skipped) == 2


def test_a_file_of_bad_lines_alone_is_refused_with_the_first(tmp_path: Path) -> None:
    text = '{"uid": 1, "score": NaN}\n{"uid": 1}\n'
    refused(tmp_path, text, "no tries; first, .*line 1: found score = nan", skip_bad_lines=True)


def test_a_bad_part_of_a_document_is_never_skipped(tmp_path: Path) -> None:
    refused(tmp_path, "[[1, 0], [1, NaN]]", "in item 2", skip_bad_lines=True)


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"[",
        b'{"uid": "',
        b'{"uid": 1, "score": 1}\n{"uid": "',
        b"[[1, 0],\n",
        b"uid,score\n",
        b'uid,score\na,1\nb,"',
        b"is_correct: ",
        b"\x93NUMPY",
    ],
)
@pytest.mark.parametrize("fill", [b"a", b'a","\n', b"["])
@pytest.mark.parametrize("packed", [False, True])
def test_a_record_over_the_limit_is_refused_without_being_held(
    start: bytes, fill: bytes, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "RECORD_LIMIT", 2**16)
    content = start + fill * (2**23 // len(fill))
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content, 1) if packed else content)
    del content
    tracemalloc.start()
    with pytest.raises(ReaderError) as caught:
        read_attempts(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**21
    if b"\n" not in fill:
        assert "found a line or document of more than 0.0625 MiB" in str(caught.value)


def test_a_long_file_of_short_lines_is_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "RECORD_LIMIT", 64)
    for header, line in (("", '{"uid": 1, "score": 1}\n'), ("uid,score\n", "1,1\n")):
        assert read_text(tmp_path, header + line * 100).samples.tolist() == [100]
    refused(tmp_path, '{"uid": 1, "score": 1}\n' * 9 + "[" * 65, "line 10: found a line")


def outcome(content: bytes) -> Any:
    """A result that can be counted, or a ReaderError; anything else fails the test."""
    with NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        for skip_bad_lines in (False, True):
            try:
                counts = read_attempts(file.name, skip_bad_lines=skip_bad_lines).counts()
            except ReaderError:
                continue
            assert (counts.successes <= counts.samples).all()
            assert skip_bad_lines or not counts.skipped


@pytest.mark.parametrize("name", FILES)
def test_every_truncation(name: str) -> None:
    for length in range(len(FILES[name])):
        outcome(FILES[name][:length])


@repeatable
@given(st.sampled_from(sorted(FILES)), st.data())
def test_flipped_bytes(name: str, data: st.DataObject) -> None:
    content = bytearray(FILES[name])
    flips = st.lists(
        st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), min_size=1, max_size=4
    )
    for position, byte in data.draw(flips):
        content[position] = byte
    outcome(bytes(content))


@repeatable
@given(st.binary(max_size=64), st.sampled_from([b"", b"{", b"[", b"a: ", b"a,b\n", b"\x93NUMPY"]))
def test_junk(content: bytes, start: bytes) -> None:
    outcome(start + content)


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()
