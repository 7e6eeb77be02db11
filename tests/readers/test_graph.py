"""Graphs to plan on in five formats, their labels, and what each kind of bad input gets."""

import re

import networkx as nx
import numpy as np
import pytest
from scipy import io, sparse

from rolltheory.action_gap import as_labels
from rolltheory.errors import DomainError, ReaderError, UnsupportedError
from rolltheory.readers.graph import read_graph, read_labels

LENGTHS = np.array([[0.0, 2.5, 0.0], [2.5, 0.0, 4.0], [0.0, 4.0, 0.0]])
EDGES = {frozenset("ab"): 2.5, frozenset("bc"): 4.0}
LIST = "source,target,length\na,b,2.5\nb,c,4\n"


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def edges(read):
    graph = read.graph
    ends = zip(graph.sources, graph.neighbours, graph.lengths, strict=True)
    return {frozenset((graph.name(a), graph.name(b))): length for a, b, length in ends}


def lengthy(graph, attribute):
    graph.add_edge("a", "b", **{attribute: 2.5})
    graph.add_edge("b", "c", **{attribute: 4})
    return graph


def test_every_format_holds_the_same_graph(tmp_path, file):
    nx.write_graphml(lengthy(nx.Graph(), "length"), tmp_path / "graph.graphml")
    nx.write_graphml(lengthy(nx.Graph(), "metres"), tmp_path / "other.graphml")
    np.savez(tmp_path / "dense.npz", adjacency=LENGTHS, names=list("abc"))
    assert edges(read_graph(file("graph.csv", LIST))) == EDGES
    assert edges(read_graph(tmp_path / "graph.graphml")) == EDGES
    assert edges(read_graph(tmp_path / "other.graphml", lengths="metres")) == EDGES
    assert edges(read_graph(tmp_path / "dense.npz", lengths="stored")) == EDGES


def test_matrices_number_their_vertices(tmp_path):
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_array(LENGTHS))
    io.mmwrite(tmp_path / "graph.mtx", sparse.coo_array(LENGTHS))
    assert edges(read_graph(tmp_path / "sparse.npz", lengths="stored")) == {
        frozenset("01"): 2.5,
        frozenset("12"): 4.0,
    }
    assert read_graph(tmp_path / "graph.mtx", lengths="unit").graph.names == ("1", "2", "3")


def test_without_lengths_each_edge_counts_one(tmp_path, file):
    nx.write_graphml(nx.path_graph(["a", "b", "c"]), tmp_path / "graph.graphml")
    sparse.save_npz(tmp_path / "ones.npz", sparse.csr_array(LENGTHS > 0))
    short = re.sub(",[^,\n]*\n", "\n", LIST)
    for path in (file("graph.csv", short), tmp_path / "graph.graphml", tmp_path / "ones.npz"):
        assert read_graph(path).graph.is_unit_cost
    assert read_graph(file("graph.csv", LIST), lengths="unit").graph.is_unit_cost


@pytest.mark.parametrize("name", ["graph.csv", "graph.graphml", "graph.npz"])
def test_numbers_that_may_be_conductances_are_asked_about(tmp_path, file, name):
    file("graph.csv", LIST.replace("length", "weight"))
    nx.write_graphml(lengthy(nx.Graph(), "weight"), tmp_path / "graph.graphml")
    sparse.save_npz(tmp_path / "graph.npz", sparse.csr_array(LENGTHS))
    held = "stored" if name.endswith("npz") else "weight"
    with pytest.raises(ReaderError, match=rf"\({held}\); need lengths '{held}', if .* 1 / w"):
        read_graph(tmp_path / name)
    assert list(edges(read_graph(tmp_path / name, lengths=held)).values()) == [2.5, 4.0]
    with pytest.raises(ReaderError, match=f"no lengths 'cost'; need one of {held}, unit"):
        read_graph(tmp_path / name, lengths="cost")


def test_a_maze_is_drawn_in_text(file):
    path = file("maze.txt", "#####\r\n#.#.#\r\n#...#\r\n#####\r\n")
    read = read_graph(path)
    assert read.free.sum() == read.graph.vertex_count == 5
    assert frozenset(("1,1", "2,1")) in edges(read)
    assert read.graph.edge_count == 4
    fine = read_graph(path, refinement=2, connectivity=8)
    assert fine.graph.vertex_count == 20
    assert frozenset(("2,2", "3,3")) in edges(fine)


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("maze.txt", "##\n#X\n", "found 'X', line 2, column 2; need wall '1#'"),
        ("maze.txt", "###\n#.\n", "line 2; need 3 characters"),
        ("maze.txt", "###\n#.#\n###\n", "1 vertices without an edge"),
        ("maze.txt", "", "an empty file"),
        ("maze.txt", b"\xff\xfe#", "not UTF-8"),
        ("graph.csv", "from,to\na,b\n", "line 1: found header 'from,to'"),
        ("graph.csv", "source,target\n", "without an edge"),
        ("graph.csv", "source,target\na,b,1\n", "line 2: found 3 cells; need 2"),
        ("graph.csv", "source,target\na,a\n", "line 2: found the edge from 'a' to 'a'"),
        ("graph.csv", "source,target\na,\n", "line 2: found the edge from 'a' to ''"),
        ("graph.csv", LIST + "c,d,nan\n", "line 4: found length 'nan'; need a finite number"),
        ("graph.csv", LIST + "c,d,inf\n", "line 4: found length 'inf'; need a finite number"),
        ("graph.csv", LIST + "c,d,-1\n", "line 4: found length '-1'; need one above 0"),
        ("graph.csv", LIST + "c,d,0\n", "line 4: found length '0'; need one above 0"),
        ("graph.graphml", "<graphml>", "broken XML"),
        ("graph.graphml", "<html/>", "unusable GraphML"),
        ("graph.docx", "x", "the ending '.docx'; need .txt, .map, .csv, .graphml, .npz, .mtx"),
    ],
)
def test_bad_files_are_refused(file, name, content, found):
    with pytest.raises(ReaderError) as error:
        read_graph(file(name, content))
    assert found in str(error.value)


def test_a_directed_graph_is_refused_with_what_holds(tmp_path):
    nx.write_graphml(lengthy(nx.DiGraph(), "length"), tmp_path / "graph.graphml")
    np.savez(tmp_path / "graph.npz", np.triu(LENGTHS))
    for name in ("graph.graphml", "graph.npz"):
        with pytest.raises(UnsupportedError, match=r"still unique .* no rollout is certified"):
            read_graph(tmp_path / name, lengths="unit")


def test_bad_lengths_and_names_in_binary_files_are_refused(tmp_path):
    nx.write_graphml(lengthy(nx.Graph(), "length"), tmp_path / "graph.graphml")
    text = (tmp_path / "graph.graphml").read_text().replace(">2.5<", ">-2.5<")
    (tmp_path / "graph.graphml").write_text(text)
    with pytest.raises(ReaderError, match=r"graphml: found lengths = -2.5; .* numbers above 0"):
        read_graph(tmp_path / "graph.graphml")
    np.savez(tmp_path / "graph.npz", -LENGTHS)
    with pytest.raises(ReaderError, match=r"graph.npz: .* finite numbers above 0"):
        read_graph(tmp_path / "graph.npz", lengths="stored")
    np.savez(tmp_path / "names.npz", adjacency=LENGTHS, names=["a", "b", "a"])
    with pytest.raises(ReaderError, match="a name of two vertices"):
        read_graph(tmp_path / "names.npz", lengths="stored")
    np.savez(tmp_path / "graph.npz", LENGTHS * np.nan)
    with pytest.raises(ReaderError, match="found nan from node 0 to node 0; need finite"):
        read_graph(tmp_path / "graph.npz", lengths="stored")


def test_an_edge_may_stand_there_twice_with_one_length(file):
    assert edges(read_graph(file("graph.csv", LIST + "b,a,2.5\n"))) == EDGES
    again = r"graph.csv, line \d: found length 3 from 'b' to 'a', 2.5 on line 2; need one length"
    with pytest.raises(ReaderError, match=again):
        read_graph(file("graph.csv", LIST + "b,a,3\n"))


def test_a_matrix_in_place_of_edges_is_told_where_to_go(file):
    with pytest.raises(ReaderError, match=r"line 1: found a row of numbers .* as .npz or .mtx"):
        read_graph(file("graph.csv", "0,1\n1,0\n"))


def test_a_maze_has_no_lengths_and_only_a_maze_is_refined(file):
    with pytest.raises(ReaderError, match="a maze, and lengths 'metres'"):
        read_graph(file("maze.txt", "..\n"), lengths="metres")
    with pytest.raises(DomainError, match="refinement = 2 is not allowed: need 1, unless FILE is"):
        read_graph(file("graph.csv", LIST), refinement=2)
    with pytest.raises(DomainError, match="connectivity = 8 is not allowed: need 4, unless FILE"):
        read_graph(file("graph.csv", LIST), connectivity=8)


def test_labels_name_their_vertices(file):
    graph = read_graph(file("graph.csv", LIST)).graph
    labels = read_labels(file("labels.csv", "vertex,value\nc,6.5\na,0\nc,6.5\n"), graph)
    assert labels == {"c": 6.5, "a": 0.0}
    np.testing.assert_array_equal(as_labels(graph, labels)[0], [True, False, True])
    maze = read_graph(file("maze.txt", "...\n")).graph
    for text in ('vertex,value\n"0,2",2\n', "row,column,value\n0, 2,2\n"):
        assert read_labels(file("labels.csv", text), maze) == {"0,2": 2.0}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,0\n", "line 1: found header 'a,0'; need vertex,value"),
        ("vertex,value\na,0\nz,1\n", "line 3: found vertex 'z'; need a vertex of the graph"),
        ("vertex,value\na,nan\n", "line 2: found label 'nan'; need a finite number"),
        ("vertex,value\na,inf\n", "line 2: found label 'inf'; need a finite number"),
        ("vertex,value\na\n", "line 2: found 1 cells; need 2"),
        (
            "vertex,value\na,0\nb,1\na,2\n",
            "line 4: found the label 2 for 'a', which has 0; need one label for a vertex",
        ),
    ],
)
def test_bad_labels_are_refused(file, text, found):
    graph = read_graph(file("graph.csv", LIST)).graph
    with pytest.raises(ReaderError) as error:
        read_labels(file("labels.csv", text), graph)
    assert found in str(error.value)
