"""Graphs, weights and series on the command line; the tests write every file."""

import json
import os
import pickle
import zipfile

import networkx as nx
import numpy as np
import pytest
from safetensors.numpy import save_file
from scipy import io, sparse

STAR = nx.to_numpy_array(nx.star_graph(4))


@pytest.fixture
def star(tmp_path):
    sparse.save_npz(tmp_path / "star.npz", sparse.csr_array(STAR))
    return tmp_path / "star.npz"


@pytest.fixture
def swap(tmp_path):
    return written(tmp_path / "swap.csv", "source,target,weight\nb,a,4\na,b,1\n")


@pytest.fixture
def weights(tmp_path):
    save_file({"layer.weight": np.float32(0.4) * np.eye(3, dtype="f4")}, tmp_path / "w.safetensors")
    return tmp_path / "w.safetensors"


@pytest.fixture
def figures(monkeypatch):
    """What is drawn, in place of files."""
    drawn = []
    monkeypatch.setattr(
        "rolltheory.plots.style.save_figure", lambda drawing, _: drawn.append(drawing)
    )
    return drawn


def written(path, text):
    path.write_text(text)
    return path


# -------------------------------------------------------------------- certify


def test_the_worked_star(answer, star, weights):
    options = ("--errors", 0.01, "--initial-error", 0.1, "--horizon", "10,1", "--tolerance", 0.2)
    found = answer(
        "graph-world", "certify", star, "--weights", weights, "--activation", "tanh", *options
    )
    assert [row["horizon"] for row in found["bounds"]] == [1, 10]
    assert found["bounds"][1]["bound"] == pytest.approx(0.05536870912, rel=1e-6)
    assert found["lipschitz"] == pytest.approx(2 * np.float32(0.4), rel=1e-12)
    assert found["lipschitz"] > 2 * float(np.float32(0.4)) > 0.8
    assert found["stable"]
    assert (found["valid_steps"], found["valid_steps_at_least"]) == (10, True)
    assert found["transient"] == {
        "rate": found["radius"]["upper"],
        "constant": 1.0,
        "assumption": "A >= 0, symmetric",
    }


def test_the_table_and_the_sentence_about_the_naive_bound(rolltheory, swap):
    result = rolltheory("graph-world", "certify", swap, "--horizon", "1,3", "--tolerance", 8)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert (
        "2 messages per layer; plain, slope 1: unit weight 1 (norm 1). One step: Lipschitz" in text
    )
    assert "period 2" in text
    assert "3 9.0000 21.0000 14.0000 9.0000 7.0000" in text
    assert "by radius: 2 times the powers of 2;" in text
    assert (
        "It is false here, once an error has travelled a step: one step stretches some error"
        " 4-fold, which exceeds the spectral radius, 2, by 2; messages" in text
    )
    assert "Not certified stable. That is no evidence of divergence" in text
    assert "stays within 8 for 2 steps; beyond, no promise." in text
    assert "b 9.0000 a 9.0000" in text


def test_one_step_carries_no_error_to_another_node(rolltheory, swap):
    text = " ".join(rolltheory("graph-world", "certify", swap, "--horizon", 1).stdout.split())
    assert "In one step no error reaches another node: a longer horizon says where" in text
    assert "hurts most at" not in text


def test_the_ends_of_a_model_are_printed(rolltheory, star, tmp_path):
    np.savez(tmp_path / "w.npz", into=2 * np.eye(3), w=np.eye(3), out=3 * np.eye(3))
    options = ("--architecture", "residual", "--input", "into", "--output", "out")
    result = rolltheory("graph-world", "certify", star, "--weights", tmp_path / "w.npz", *options)
    text = " ".join(result.stdout.split())
    assert "w (norm 1), into them into (norm 2), out of them out (norm 3). One step" in text


def test_a_matrix_in_place_of_edges_is_told_where_to_go(refusal, tmp_path):
    path = written(tmp_path / "matrix.csv", "0.5,0\n0,0.5\n")
    message = "matrix.csv, line 1: found a row of numbers in place of a header; need source,target"
    assert message in refusal("graph-world", "certify", path)
    assert "a matrix goes as .npz or .mtx" in refusal("graph-world", "certify", path)


def test_a_symmetric_graph_says_why_the_naive_bound_holds(rolltheory, star):
    text = " ".join(rolltheory("graph-world", "certify", star).stdout.split())
    assert "It bounds every rollout here: the messages are symmetric" in text


def test_a_reducible_graph_asks_for_a_rate(rolltheory, answer, tmp_path):
    path = written(tmp_path / "g.csv", "source,target,weight\na,a,0.5\nb,b,0.5\nb,a,10\n")
    text = " ".join(rolltheory("graph-world", "certify", path).stdout.split())
    assert "reducible, 2 cyclic parts" in text
    assert "--rate Q, above 0.5, gives a transient constant for Q" in text
    assert "Certified stable: the spectral radius of a step is at most 0.5" in text
    assert answer("graph-world", "certify", path, "--rate", 0.75)["transient"]["rate"] <= 0.75


def test_a_graph_without_a_cycle(rolltheory, tmp_path):
    path = written(tmp_path / "g.csv", "source,target\na,b\nb,c\n")
    text = " ".join(rolltheory("graph-world", "certify", path, "--tolerance", 5).stdout.split())
    assert "spectral radius exactly 0, no cycle" in text
    assert "the graph has no cycle" in text
    assert "The error stays within 5 at every horizon." in text


def test_a_bound_that_never_ends(rolltheory, tmp_path, weights):
    path = written(tmp_path / "g.csv", "source,target\na,a\n")
    options = ("--weights", weights, "--tolerance", 2)
    text = rolltheory("graph-world", "certify", path, *options).stdout
    assert "The error stays within 2 at every horizon." in text
    one = rolltheory("graph-world", "certify", path, "--tolerance", 1.5).stdout
    assert "for 1 step; beyond" in one


def test_one_answer_whatever_the_format(answer, tmp_path):
    graph = nx.star_graph(4)
    io.mmwrite(tmp_path / "g.mtx", sparse.coo_array(STAR))
    nx.write_graphml(graph, tmp_path / "g.graphml")
    edges = "".join(f"{a},{b}\n" for a, b in graph.edges)
    written(tmp_path / "g.csv", "source,target\n" + edges)
    np.savez(tmp_path / "g.npz", adjacency=STAR)
    bounds = [
        answer("graph-world", "certify", tmp_path / name, *options)["bounds"]
        for name, options in [
            ("g.mtx", ()),
            ("g.graphml", ()),
            ("g.npz", ()),
            ("g.csv", ("--undirected",)),
        ]
    ]
    assert all(other == bounds[0] for other in bounds)


def test_errors_per_step_from_files(answer, refusal, star, tmp_path):
    rows = "step,error\n0,0.5\n1,0.25\n"
    table = written(tmp_path / "e.csv", rows)
    lines = written(tmp_path / "e.jsonl", '{"error": 0.5}\n{"error": 0.25}\n')
    np.savez(tmp_path / "e.npz", error=[0.5, 0.25])
    for path in (table, lines, tmp_path / "e.npz"):
        found = answer("graph-world", "certify", star, "--errors", path, "--horizon", 2)
        assert found["bounds"][0]["bound"] == pytest.approx(2 * 0.5 + 0.25)
    refused = refusal("graph-world", "certify", star, "--errors", table, "--horizon", 3)
    assert "e.csv: found 2 steps; need at least 3 steps, the longest horizon" in refused
    two = written(tmp_path / "two.csv", "a,b\n1,2\n")
    assert "two.csv: found the channels a, b; need one channel" in refusal(
        "graph-world", "certify", star, "--errors", two
    )
    negative = {
        "bad.csv": (3, "step,error\n-1,0.5\n0,-1\n"),
        "bare.csv": (2, "0.5\n-1\n"),
        "first.csv": (1, "-1\n0.5\n"),
        "bad.jsonl": (2, '{"error": 0.5}\n{"error": -1}\n'),
    }
    for name, (line, text) in negative.items():
        path = written(tmp_path / name, text)
        refused = refusal("graph-world", "certify", star, "--errors", path)
        assert f"{name}, line {line}: found " in refused
        assert "need a finite number, at least 0" in refused
    np.savez(tmp_path / "bad.npz", step=[-1, 0], error=[0.5, -1])
    refused = refusal("graph-world", "certify", star, "--errors", tmp_path / "bad.npz")
    assert "bad.npz: found -1 in channel error at step 1; need numbers of at least 0" in refused


def test_named_tensors_and_architectures(answer, star, tmp_path):
    ends = {"into": 2 * np.eye(3), "out": np.eye(3)}
    np.savez(tmp_path / "w.npz", skip=9 * np.eye(3), a=np.eye(3), b=np.eye(3), **ends)
    options = ("--architecture", "residual_blocks", "--tensor", "a", "--tensor", "b")
    options += ("--input", "into", "--output", "out", "--normalisation", "symmetric")
    found = answer("graph-world", "certify", star, "--weights", tmp_path / "w.npz", *options)
    assert found["lipschitz"] == pytest.approx(1 + 2 * (1 + 1) * (1 + 1))
    assert found["radius"]["upper"] == pytest.approx(9)
    ends = [found["model"][end] for end in ("input", "output")]
    assert [end["name"] for end in ends] == ["into", "out"]
    assert [end["norm"] for end in ends] == pytest.approx([2, 1])
    deep = answer("graph-world", "certify", star, "--layers", 3, "--slope", 0.5)
    assert deep["lipschitz"] == pytest.approx(1)


def test_plots_are_drawn(rolltheory, star, swap, tmp_path):
    for graph in (star, swap):
        for verb, options in (("certify", ()), ("repair", ("--budget", 1))):
            target = tmp_path / f"{verb}.svg"
            result = rolltheory("graph-world", verb, graph, *options, "--plot", target)
            assert result.exit_code == 0, result.output
            assert "<svg" in target.read_text()


def test_the_plot_draws_the_bound_of_the_table_and_the_tolerance(answer, swap, tmp_path, figures):
    options = ("--horizon", "1,2,3", "--tolerance", 8, "--plot", tmp_path / "a.svg")
    found = answer("graph-world", "certify", swap, *options)
    lines = {line.get_label(): line.get_ydata() for line in figures[0].axes[0].lines}
    assert lines["bound: the lowest"].tolist() == [row["bound"] for row in found["bounds"]]
    assert lines["by powers"][1:].tolist() == [row["by_powers"] for row in found["bounds"]]
    assert lines["tolerance 8"] == [8, 8]


def test_a_reducible_graph_is_drawn_without_a_radius(rolltheory, tmp_path):
    path = written(tmp_path / "g.csv", "source,target\na,b\n")
    for verb, *options in (["certify"], ["repair", "--budget", 1]):
        target = tmp_path / f"{verb}.png"
        result = rolltheory("graph-world", verb, path, *options, "--plot", target)
        assert result.exit_code == 0, result.output
        assert target.read_bytes().startswith(b"\x89PNG")


# --------------------------------------------------------------------- repair


def test_a_repair(answer, rolltheory, star, tmp_path):
    found = answer("graph-world", "repair", star, "--budget", 1)
    assert found["chosen"]["region"] == ["0"]
    assert found["chosen"]["guarantee"] == pytest.approx(1 - np.exp(-1))
    assert (found["optimum"], found["gap"]) == (0, 0)
    text = " ".join(rolltheory("graph-world", "repair", star, "--budget", 1).stdout.split())
    assert "Spectral radius of a step before repair: 2. " in text
    assert "The best of all regions leaves 0; the first is 0 above it." in text
    options = ("--budget", 2, "--connected", "--objective", "radius")
    text = " ".join(rolltheory("graph-world", "repair", star, *options).stdout.split())
    assert "This choice has no guarantee, under the constraint" in text
    assert "walks, unconnected" in text
    io.mmwrite(tmp_path / "g.mtx", sparse.coo_array(nx.to_numpy_array(nx.star_graph(80))))
    result = rolltheory("graph-world", "repair", tmp_path / "g.mtx", "--budget", 20)
    text = " ".join(result.stdout.split())
    assert "Too many regions to try them all" in text
    assert "and 8 more" in text


def test_repairs_that_are_refused(refusal, star):
    assert "budget = 6 is not allowed" in refusal("graph-world", "repair", star, "--budget", 6)
    assert "Missing option '--budget'" in refusal("graph-world", "repair", star)


# -------------------------------------------------------------------- regimes


@pytest.fixture
def series(tmp_path):
    days = np.arange(730)
    rng = np.random.default_rng(0)
    calm = np.sin(2 * np.pi * days / 365) + 0.1 * rng.normal(size=730)
    np.savez(tmp_path / "run.npz", time=days, calm=calm, leaning=calm + 0.005 * days)
    np.savez(tmp_path / "truth.npz", calm=calm, leaning=calm)
    return tmp_path / "run.npz"


def test_regimes(answer, rolltheory, series, tmp_path):
    options = ("--period", 365, "--reference", tmp_path / "truth.npz")
    found = answer("graph-world", "regimes", series, *options)
    labels = [regime["label"] for regime in found["regimes"]]
    assert (found["channels"], labels) == (["calm", "leaning"], ["stable", "drift"])
    text = rolltheory("graph-world", "regimes", series, "--period", 365).stdout
    assert "730 steps, period 365; against its own first period" in text
    assert "interval 0.99" in text
    rows = [line.split()[:2] for line in text.splitlines() if line]
    assert ["leaning", "drift"] in rows


def test_an_infinite_rollout_is_a_blow_up(answer, tmp_path):
    rows = "".join(f"{np.sin(step)},{'nan' if step == 35 else 0}\n" for step in range(40))
    path = written(tmp_path / "run.csv", "a,b\n" + rows)
    found = answer("graph-world", "regimes", path, "--period", 6.283)
    assert found["regimes"][1]["label"] == "blow-up"
    assert found["regimes"][1]["largest_deviation"] == "inf"


def test_a_first_period_of_few_steps_is_said_to_be_a_poor_reference(rolltheory, answer, tmp_path):
    path = written(tmp_path / "line.csv", "".join(f"{0.01 + 0.0005 * k}\n" for k in range(100)))
    found = answer("graph-world", "regimes", path, "--period", 5)
    assert found["regimes"][0]["variance_ratio"] is None
    assert found["caution"].startswith(
        "the first period has 5 steps, too few to know what is usual"
    )
    text = " ".join(rolltheory("graph-world", "regimes", path, "--period", 5).stdout.split())
    assert text.endswith("A longer --reference is to be trusted more.")
    assert "-: a share of nothing." in text
    assert "nan" not in text
    assert answer("graph-world", "regimes", path, "--period", 30)["caution"] is None


def test_series_that_are_refused(refusal, series, star, tmp_path):
    short = refusal("graph-world", "regimes", series, "--period", 400)
    assert "run.npz: found series = 730; need at least 800 steps: two periods of 400" in short
    few = written(tmp_path / "few.csv", "1\n2\nnan\n")
    message = (
        "few.csv: found series = 3; need at least 5 steps: two periods of 2, and 5 in any case"
    )
    assert message in refusal("graph-world", "regimes", few, "--period", 2)
    assert "period = 1.0 is not allowed: need at least 2 steps, the shortest" in refusal(
        "graph-world", "regimes", few, "--period", 1
    )
    names = written(tmp_path / "names.csv", "calm,leaning\n" + "1,2\n" * 9)
    reference = ("--period", 365, "--reference", names)
    assert "names.csv: found reference = 9; need at least 365 steps: one period" in refusal(
        "graph-world", "regimes", series, *reference
    )
    other = written(tmp_path / "other.csv", "calm\n" + "1\n" * 365)
    assert "other.csv: found reference = ['leaning']; need the channels of the series" in refusal(
        "graph-world", "regimes", series, "--period", 365, "--reference", other
    )
    assert "period = 0.0 is not allowed" in refusal("graph-world", "regimes", series, "--period", 0)
    assert "array" in refusal("graph-world", "regimes", star, "--period", 1)


# ------------------------------------------------------------------ bad input


class Evil:
    def __reduce__(self):
        return os.system, ("true",)


def refused_files(folder):
    """(name, what to write there, what the refusal says)."""
    graph = "source,target,weight\n"
    return [
        ("empty.csv", "", "found an empty file"),
        ("a.xyz", "x", "found the ending '.xyz'"),
        ("a.csv", graph + "a,b,-1\n", "found entry -1; --absolute bounds a signed matrix"),
        ("b.csv", graph + "a,b,nan\n", "line 2: found weight 'nan'"),
        ("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n9 1 1\n", "line 3"),
        ("b.graphml", "<graphml>", "found broken XML"),
        ("b.npz", "PK", "found an unusable .npz file"),
    ]


@pytest.mark.parametrize("case", range(7))
@pytest.mark.parametrize("verb", [("certify",), ("repair", "--budget", 1)])
def test_graphs_that_are_refused(refusal, tmp_path, case, verb):
    name, text, message = refused_files(tmp_path)[case]
    assert message in refusal("graph-world", *verb, written(tmp_path / name, text))


def test_a_signed_graph_is_bounded_by_its_absolute_value(answer, tmp_path):
    path = written(tmp_path / "a.csv", "source,target,weight\na,b,-1\nb,a,1\n")
    found = answer("graph-world", "certify", path, "--absolute")
    assert found["radius"]["upper"] == pytest.approx(1)


def test_weights_that_are_refused(refusal, star, tmp_path):
    def certify(path):
        return refusal("graph-world", "certify", star, "--weights", path)

    with zipfile.ZipFile(tmp_path / "evil.pt", "w") as archive:
        archive.writestr("evil/data.pkl", pickle.dumps({"w": Evil()}))
    message = certify(tmp_path / "evil.pt")
    assert "found pickled code (" in message
    assert "safetensors.torch.save_file" in message
    np.savez(tmp_path / "w.npz", a=np.ones((2, 3)), b=np.ones((4, 2)))
    assert "shapes that chain from a state to a state" in certify(tmp_path / "w.npz")
    np.savez(tmp_path / "w.npz", **{"attention.weight": np.eye(2)})
    assert "a global constant of attention (tensor 'attention.weight') is not supported" in certify(
        tmp_path / "w.npz"
    )
    np.savez(tmp_path / "w.npz", w=np.eye(2), **{"norm.weight": np.ones(2)})
    assert "bound the variance from below" in certify(tmp_path / "w.npz")
    np.savez(tmp_path / "w.npz", w=np.array([[np.nan]]))
    assert "found nan in tensor 'w'" in certify(tmp_path / "w.npz")
    assert "found the ending '.onnx'" in certify(written(tmp_path / "w.onnx", "x"))
    os.mkfifo(tmp_path / "w.pt")
    assert "found a pipe or a device" in certify(tmp_path / "w.pt")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--horizon", "0"), "horizon = '0' is not allowed"),
        (("--horizon", "1,x"), "horizon = 'x' is not allowed"),
        (("--errors", "-1"), "errors = -1.0 is not allowed"),
        (("--errors", "nan"), "errors = nan is not allowed"),
        (("--errors", "missing.csv"), "missing.csv: found no such file"),
        (("--tolerance", "0"), "tolerance = 0.0 is not allowed"),
        (("--rate", "1.5"), "rate = 1.5 is not allowed: need above the spectral radius"),
        (("--activation", "attention"), "a global constant of attention is not supported"),
        (("--activation", "maxout"), "activation 'maxout' is not supported"),
        (("--slope", "1", "--activation", "tanh"), "either a slope or an activation"),
        (("--tensor", "w"), "a file of weights that holds the named tensors"),
        (("--undirected",), "need .csv for undirected edges"),
        (("--plot", "a.bmp"), "plot = 'a.bmp' is not allowed"),
        (("--plot", "{folder}/a.svg", "--errors", "0"), "need a bound above 0 that floats can"),
        (("--json", "/missing/out.json"), "json = '/missing/out.json' is not allowed: need a writ"),
        (("--plot", "/missing/a.svg"), "plot = '/missing/a.svg' is not allowed: need a writable"),
    ],
)
def test_options_that_are_refused(refusal, star, tmp_path, options, message):
    options = [option.format(folder=tmp_path) for option in options]
    assert message in refusal("graph-world", "certify", star, *options)


def test_the_json_file_holds_what_is_printed_to_stdout(rolltheory, answer, star, tmp_path):
    target = tmp_path / "out.json"
    assert "bound" in rolltheory("graph-world", "certify", star, "--json", target).stdout
    assert json.loads(target.read_text()) == answer("graph-world", "certify", star)
