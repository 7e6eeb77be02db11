"""Write a file whole or not at all; read none that may never end."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rolltheory.errors import DomainError, ReaderError

__all__ = ["replacing", "require_regular", "require_writable", "write_text"]


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends well.

    Raises
    ------
    DomainError
        on entry, before any work, if nothing can be written there.
    """
    target = Path(os.path.realpath(path))  # a link stays a link to what is written
    temporary = _beside(target, str(path))
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def require_regular(path: str | os.PathLike[str], *, streams: bool = False) -> None:
    """Nothing, if reading the path cannot wait forever: a regular file or a folder.

    With ``streams`` also what the shell has opened already, as ``/dev/stdin`` or ``/dev/fd/63``.

    Raises
    ------
    ReaderError
        for a pipe or a device, or if there is no such file.
    """
    if not os.path.exists(path):
        raise ReaderError(path, "no such file", "a readable file")
    opened = str(path) == "/dev/stdin" or str(path).startswith("/dev/fd/")
    known = os.path.isfile(path) or os.path.isdir(path)
    if not (known or (streams and opened)):
        raise ReaderError(path, "a pipe or a device", "a regular file")


def require_writable(path: str | os.PathLike[str]) -> None:
    """Nothing, if a file can be written there.

    Raises
    ------
    DomainError
        if it cannot.
    """
    _beside(Path(os.path.realpath(path)), str(path)).unlink()


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _beside(target: Path, name: str) -> Path:
    """A new empty file in the folder of the target, which may be missing or a regular file."""
    if target.exists() and not target.is_file():
        kind = "a directory" if target.is_dir() else "a device"
        raise DomainError("output", name, f"the name of a file, not of {kind}")
    try:
        handle, temporary = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=target.suffix
        )
    except OSError as error:
        raise DomainError("output", name, f"a writable place ({error.strerror})") from error
    os.close(handle)
    return Path(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
