"""Labels are text as it stands, and what is equal as text is one label."""

import pytest

from rolltheory.errors import ReaderError
from rolltheory.readers.rules import read_rules


def table(tmp_path, text, *, encoding="utf-8"):
    path = tmp_path / "rules.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_numbers_are_text(tmp_path):
    found = read_rules(table(tmp_path, "rule,x\na,1\nb,1.0\nc,01\nd,NaN\ne,nan\n"))
    assert found.labels == (("1", "1.0", "01", "NaN", "nan"),)


def test_marks_line_ends_quotes_and_blanks(tmp_path):
    text = '\ufeffrule,"x,1","y\nz"\r\n\r\na,"0,0", 1 \r\nb,é,😀\r\n'
    found = read_rules(table(tmp_path, text))
    assert found.points == ("x,1", "y\nz")
    assert found.rows == [("0,0", "1"), ("é", "😀")]


@pytest.mark.parametrize(
    ("text", "encoding", "said"),
    [
        ("rule;x\na;1\n", "utf-8", "a header rule,POINT,POINT"),
        ("rule,é\na,1\n", "latin-1", "not UTF-8"),
        ('rule,x\na,"1\n', "utf-8", "malformed CSV"),
    ],
)
def test_other_files(tmp_path, text, encoding, said):
    with pytest.raises(ReaderError, match=said):
        read_rules(table(tmp_path, text, encoding=encoding))


def test_a_wide_table(tmp_path):
    """Comparing each point with all others would take minutes."""
    width = 50_000
    rows = [["rule", *map(str, range(width))], ["a", *"0" * width], ["b", *"1" * width]]
    found = read_rules(table(tmp_path, "\n".join(map(",".join, rows))))
    assert len(found.points) == width


def test_deep_nesting_is_malformed(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    with pytest.raises(ReaderError, match="malformed JSON"):
        read_rules(path)
