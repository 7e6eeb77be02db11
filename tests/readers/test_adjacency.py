"""Graphs in four formats, all to one convention, and what each kind of broken file gets."""

import os
import re

import networkx as nx
import numpy as np
import pytest
from scipy import io, sparse

from rolltheory.errors import ReaderError
from rolltheory.readers.adjacency import read_adjacency

MESSAGES = np.array([[0.0, 4.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]])  # [to, from]


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def same_messages(path, names, **options):
    """Whether the file holds `MESSAGES`, whatever the order of the nodes."""
    read = read_adjacency(path, **options)
    order = [read.names.index(name) for name in names]
    np.testing.assert_array_equal(read.matrix.toarray()[np.ix_(order, order)], MESSAGES)


def test_every_format_of_matrices_keeps_the_entries(tmp_path):
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csc_array(MESSAGES))
    np.savez(tmp_path / "dense.npz", adjacency=MESSAGES, names=["a", "b", "c"], other=[1])
    np.savez(tmp_path / "single.npz", anything=MESSAGES)
    io.mmwrite(tmp_path / "graph.mtx", sparse.coo_array(MESSAGES))
    same_messages(tmp_path / "sparse.npz", "012")
    same_messages(tmp_path / "dense.npz", "abc")
    same_messages(tmp_path / "single.npz", "012")
    same_messages(tmp_path / "graph.mtx", "123")


def test_every_format_of_edges_turns_senders_into_columns(tmp_path, file):
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "a", 4.0), ("b", "c", 0.5)])
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    same_messages(tmp_path / "graph.graphml", "abc")
    text = "\ufeffsource,target,weight\nb,a,4\n\na, b ,1\r\nb,c,0.5\n"
    same_messages(file("graph.csv", text), "abc")


def test_edges_without_weights_weigh_one(tmp_path, file):
    nx.write_graphml(nx.path_graph(3), tmp_path / "path.graphml")
    path = nx.to_numpy_array(nx.path_graph(3))
    np.testing.assert_array_equal(read_adjacency(tmp_path / "path.graphml").matrix.toarray(), path)
    listed = file("path.csv", "source,target\n0,1\n1,2\n")
    np.testing.assert_array_equal(read_adjacency(listed, undirected=True).matrix.toarray(), path)
    assert read_adjacency(listed).matrix.nnz == 2


def test_a_line_without_target_declares_a_node(file):
    read = read_adjacency(file("graph.csv", "source,target,weight\na,b,2\nspare,,\n"))
    assert read.names == ("a", "b", "spare")
    assert read.matrix.shape == (3, 3)


def test_an_undirected_self_loop_counts_once(file):
    path = file("graph.csv", "source,target\na,a\n")
    assert read_adjacency(path, undirected=True).matrix.toarray().tolist() == [[1.0]]


def test_parallel_edges_of_graphml_add_up(tmp_path):
    graph = nx.MultiDiGraph([("a", "b"), ("a", "b")])
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    assert read_adjacency(tmp_path / "graph.graphml").matrix.toarray()[1, 0] == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "found an empty file"),
        ("from,to\na,b\n", "line 1: found header 'from,to'"),
        ("source,target,weight\na,b,x\n", "line 2: found weight 'x'; need a finite number"),
        ("source,target,weight\na,b,nan\n", "line 2: found weight 'nan'"),
        ("source,target,weight\na,b,1e999\n", "line 2: found weight '1e999'"),
        ("source,target,weight\na,b\n", "line 2: found 2 cells; need 3, as in the header"),
        ("source,target\n,b\n", "line 2: found an empty cell"),
        ("source,target,weight\na,,2\n", "line 2: found an empty cell"),
        ("source,target\na,b\nb,a\na,b\n", "line 4: found the edge from 'a' to 'b' again, as on"),
        ('source,target\na,"b\n', "found malformed CSV"),
        ("source,target\n", "found a matrix of shape (0, 0)"),
        (b"source,target\n\xff,b\n", "found bytes that are not UTF-8"),
        ("a" * (2**20 + 1), "line 1: found a line that starts with 'aaaaaaaaaaaaaaaaaaaa'"),
    ],
)
def test_broken_csv(file, body, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_adjacency(file("graph.csv", body))


def test_an_undirected_edge_listed_both_ways_is_refused(file):
    with pytest.raises(ReaderError, match="line 3: found the edge from 'b' to 'a' again"):
        read_adjacency(file("graph.csv", "source,target\na,b\nb,a\n"), undirected=True)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("hello\n", "line 1: found no Matrix Market file (Not a Matrix Market file"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "line 3: found no"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1\n", "line 3: found no"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "Truncated file"),
        ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", "shape (2, 3)"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "nan from node 2 to"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "complex128"),
    ],
)
def test_broken_matrix_market(file, body, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_adjacency(file("graph.mtx", body))


def test_broken_archives(tmp_path, file):
    def saved(**arrays):
        np.savez(tmp_path / "graph.npz", **arrays)
        return tmp_path / "graph.npz"

    def refused(path, message):
        with pytest.raises(ReaderError, match=re.escape(message)):
            read_adjacency(path)

    refused(file("graph.npz", "no archive"), "found an unusable .npz file")
    refused(saved(a=np.eye(2), b=np.eye(2)), "found the arrays a, b; need an array 'adjacency'")
    refused(saved(a=np.array([None])), "found an unusable .npz file (Object arrays cannot be")
    refused(saved(a=np.ones((2, 3))), "found a matrix of shape (2, 3)")
    refused(saved(a=np.ones(3)), "found a matrix of shape (3,)")
    refused(saved(a=np.eye(2) * 1j), "found array 'a' of complex128")
    refused(saved(a=np.array([[0, np.inf], [0, 0]])), "found inf from node 1 to node 0")
    refused(saved(adjacency=np.eye(2), names=["a"]), "found 1 names; need 2")
    parts = {"data": [1.0], "indices": [7], "indptr": [0, 1, 1]}
    outside = {key: np.array(value) for key, value in parts.items()}
    damaged = saved(format=b"csr", shape=np.array([2, 2]), _is_array=True, **outside)
    refused(damaged, "found a damaged sparse matrix")


def test_broken_graphml(tmp_path, file):
    def refused(path, message):
        with pytest.raises(ReaderError, match=re.escape(message)):
            read_adjacency(path)

    refused(file("graph.graphml", "<graphml>\n<graph"), "line 2: found broken XML")
    refused(file("graph.graphml", "<graphml/>"), "found unusable GraphML")
    nx.write_graphml(nx.DiGraph(), tmp_path / "graph.graphml")
    refused(tmp_path / "graph.graphml", "found a matrix of shape (0, 0)")
    graph = nx.DiGraph()
    graph.add_edge("a", "b", weight="heavy")
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    refused(tmp_path / "graph.graphml", "found unusable GraphML")


def test_what_cannot_be_a_graph_at_all(tmp_path, file):
    os.mkfifo(tmp_path / "pipe.csv")
    for path, message in [
        (tmp_path / "missing.csv", "need a readable file"),
        (tmp_path / "pipe.csv", "found a pipe or a device"),
        (file("graph.txt", "source,target\n"), "found the ending '.txt'; need .npz, .mtx,"),
    ]:
        with pytest.raises(ReaderError, match=re.escape(message)):
            read_adjacency(path)
    with pytest.raises(ReaderError, match=re.escape("need .csv for undirected edges")):
        read_adjacency(file("graph.mtx", ""), undirected=True)
