"""Files of one sample per line, one file per step: every ratio from its tokens, and versions.

NeMo-RL names them ``train_data_step{N}.jsonl``; prime-rl's token export and slime's samples have
the same shape under other names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rolltheory.errors import ReaderError
from rolltheory.readers.logs.blocks import LARGEST, Block, Request, number
from rolltheory.readers.logs.json_lines import decoded, open_bytes
from rolltheory.readers.records import excerpt
from rolltheory.staleness.divergences import k1_estimate, k2_estimate, k3_estimate
from rolltheory.staleness.run_log import FloatArray
from rolltheory.staleness.weights import effective_sample_fraction

__all__ = ["SampleFiles", "is_sample_file"]

_VERSIONS = "weight_versions"
_STEP_IN_NAME = re.compile(r"(\d+)\.jsonl(\.gz)?$")


@dataclass(frozen=True, slots=True)
class _Columns:
    sampler: str
    trainer: str
    mask: str


_KNOWN = (
    _Columns("generation_logprobs", "prev_logprobs", "token_loss_mask"),
    _Columns("inference_logprobs", "trainer_logprobs", "loss_mask"),
    _Columns("rollout_log_probs", "log_probs", "loss_mask"),
)


def is_sample_file(path: Path) -> bool:
    """Whether the first line is a sample: with log-probabilities of tokens, or weight versions.

    Parameters
    ----------
    path : a file
    """
    with open_bytes(path) as stream:
        try:
            record = decoded(stream.readline(2**28))
        except ValueError:
            return False
    return isinstance(record, dict) and (_columns(record) is not None or _VERSIONS in record)


class SampleFiles:
    """One file per step, or a folder of them."""

    def __init__(self, path: Path, *, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        self._on_progress = on_progress
        files = path.iterdir() if path.is_dir() else [path]
        numbered = ((_STEP_IN_NAME.search(file.name), file) for file in files)
        self._files = sorted((int(found[1]), file) for found, file in numbered if found)
        if not self._files:
            raise ReaderError(path, "no step in the file's name", "train_data_step{N}.jsonl")
        self.keys = dict.fromkeys(["step", *_STATISTICS, *_OTHERS])

    def blocks(self, request: Request) -> Iterator[Block]:
        """One row for each file."""
        for step, file in self._files:
            found = _statistics(file, list(self._records(file)))
            row = {key: value for key, value in found.items() if key in request.keys}
            columns = {
                key: np.array([value]) for key, value in row.items() if abs(value) <= LARGEST
            }
            odd = dict.fromkeys(row.keys() - columns.keys(), 1)
            yield Block(np.array([1]), np.array([float(step)]), columns, odd)

    def _records(self, file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        with open_bytes(file) as stream:
            for place, line in enumerate(stream, 1):
                self._on_progress(len(line))
                try:
                    record = decoded(line)
                except ValueError:
                    if line.endswith(b"\n"):
                        raise ReaderError(
                            file, "broken JSON", "a JSON object per line", line=place
                        ) from None
                    self.notes.append(f"{file.name}, line {place}, is cut short and was left out")
                else:
                    if not isinstance(record, dict):
                        raise ReaderError(file, "no object", "an object per line", line=place)
                    yield place, record


def _statistics(file: Path, records: list[tuple[int, dict[str, Any]]]) -> dict[str, float]:
    ratios = [_log_ratio(file, *pair) for pair in records if _columns(pair[1]) is not None]
    found = {}
    if ratios:
        tokens = np.concatenate(ratios)
        if not tokens.size:
            raise ReaderError(file, "no token that counts", "at least one")
        found = {name: float(measure(tokens)) for name, measure in _STATISTICS.items()}
        found["response_length"] = tokens.size / len(ratios)
    rewards = [record.get("rewards", record.get("reward")) for _, record in records]
    numbers = [number(reward) for reward in rewards if isinstance(reward, int | float)]
    found |= {"reward": float(np.mean(numbers))} if numbers else {}
    return found | _version_statistics([_version_list(file, *pair) for pair in records])


def _version_statistics(versions: list[list[int]]) -> dict[str, float]:
    held = [each for each in versions if each]
    if not held:
        return {}
    return {
        "oldest_sample_version": float(min(map(min, held))),
        "newest_sample_version": float(max(map(max, held))),
        "mixed_version_fraction": sum(len(set(each)) > 1 for each in held) / len(held),
    }


def _version_list(file: Path, number: int, record: dict[str, Any]) -> list[int]:
    """Versions as numbers; an engine may write them as text."""
    versions = record.get(_VERSIONS) or []
    try:
        return [int(str(version).removeprefix("v")) for version in versions]
    except (TypeError, ValueError):
        found = f"{_VERSIONS} = {excerpt(versions)}"
        raise ReaderError(file, found, "a list of whole numbers", line=number) from None


def _columns(record: dict[str, Any]) -> _Columns | None:
    return next((known for known in _KNOWN if {known.sampler, known.trainer} <= set(record)), None)


def _log_ratio(file: Path, number: int, record: dict[str, Any]) -> FloatArray:
    """Log-ratios of the tokens that count, trainer over sampler."""
    known = next(known for known in _KNOWN if known.sampler in record and known.trainer in record)
    try:
        trainer = np.array(record[known.trainer], dtype=float)
        sampler = np.array(record[known.sampler], dtype=float)
        mask = np.array(record.get(known.mask, np.ones(sampler.size)), dtype=bool)
        ratio: FloatArray = (trainer - sampler)[mask]
    except (TypeError, ValueError, IndexError, OverflowError):
        allowed = f"numbers of one length in {known.sampler}, {known.trainer}, {known.mask}"
        raise ReaderError(file, "lists that do not fit", allowed, line=number) from None
    if not np.isfinite(ratio).all():
        raise ReaderError(file, "a log-probability that is not finite", "finite ones", line=number)
    return ratio


def _ratio(reduce: Callable[[FloatArray], Any]) -> Callable[[FloatArray], Any]:
    def measure(tokens: FloatArray) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):  # what is infinite is counted as such
            return reduce(np.exp(tokens))

    return measure


_STATISTICS: dict[str, Callable[[FloatArray], Any]] = {
    "sampler_kl_k1": lambda tokens: k1_estimate(tokens).mean(),
    "sampler_kl_k2": lambda tokens: k2_estimate(tokens).mean(),
    "sampler_kl_k3": lambda tokens: k3_estimate(tokens).mean(),
    "log_probability_gap_mean": lambda tokens: np.abs(tokens).mean(),
    "log_probability_gap_max": lambda tokens: np.abs(tokens).max(),
    "sampler_ratio_mean": _ratio(np.mean),
    "sampler_ratio_min": _ratio(np.min),
    "sampler_ratio_max": _ratio(np.max),
    "sampler_ratio_p99": _ratio(lambda ratio: np.quantile(ratio, 0.99)),
    "ess_fraction": effective_sample_fraction,
}

_OTHERS = (
    "reward",
    "response_length",
    "oldest_sample_version",
    "newest_sample_version",
    "mixed_version_fraction",
)
