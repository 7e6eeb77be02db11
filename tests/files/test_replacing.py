"""A file is written whole or not at all."""

import os
import signal
import subprocess
import sys

import pytest

from rolltheory.errors import DomainError
from rolltheory.files import replacing, write_text


def test_text_replaces_what_was_there(tmp_path):
    target = tmp_path / "out.json"
    write_text(target, "old")
    write_text(target, "new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "out.svg"
    target.write_text("old")

    def draw():
        with replacing(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError("the drawing failed")

    with pytest.raises(RuntimeError):
        draw()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    script = (
        "import os, signal\n"
        "from rolltheory.files import replacing\n"
        f"with replacing({str(target)!r}) as temporary:\n"
        "    temporary.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=os.getcwd(), check=False)
    assert run.returncode == -signal.SIGKILL
    assert target.read_text() == "old"


@pytest.mark.parametrize("place", ["", "missing/out.txt"])
def test_an_impossible_place_is_refused_before_any_work(tmp_path, place):
    worked = []
    with pytest.raises(DomainError, match="output"), replacing(tmp_path / place):
        worked.append(True)
    assert not worked


def test_the_new_file_has_ordinary_permissions(tmp_path):
    target = tmp_path / "out.txt"
    write_text(target, "text")
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask
