"""The site needs no network to be read."""

from pathlib import Path
from runpy import run_path

CONF = Path(__file__).parents[2] / "docs" / "conf.py"


def test_formulas_are_set_by_a_file_of_the_site() -> None:
    conf = run_path(str(CONF))
    copied = [Path(path) for path in conf["html_static_path"]]
    assert conf["mathjax_path"] in [path.name for path in copied if path.is_file()]
