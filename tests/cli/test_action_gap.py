"""Certificates of planners and the maze study on the command line."""

import csv
import json
import re

import pytest

FAN = "source,target\ngoal,y\ny,b\nb,leaf\n" + "".join(
    f"via{number},{end}\n" for number in range(5) for end in "yt"
)
LABELS = "vertex,value\ngoal,0\nb,2\nt,3\n"
HARMONIC = ("--extension", "harmonic")


@pytest.fixture
def fan(tmp_path):
    (tmp_path / "fan.csv").write_text(FAN)
    (tmp_path / "labels.csv").write_text(LABELS)
    return "action-gap", "certify", tmp_path / "fan.csv", "--goal", "goal"


@pytest.fixture
def labelled(fan, tmp_path):
    return *fan, "--labels", tmp_path / "labels.csv"


@pytest.fixture
def maze(data):
    return "action-gap", "certify", data / "mazes" / "medium.txt"


def test_an_extension_that_reaches_exits_with_zero(answer, labelled):
    record = answer(*labelled)
    assert record["success"] == {"all": 1.0, "some": 1.0, "lowest_index": 1.0, "random": 1.0}
    assert record["certified"] == 1.0
    assert set(record["starts"]["reasons"]) == {None}
    names = [verdict["name"] for verdict in record["certificates"]]
    assert names[0] == "half gap"
    assert names[-1] == "sink-free"


def test_an_extension_that_misses_exits_with_one(rolltheory, labelled):
    result = rolltheory(*labelled, *HARMONIC, "--json", "-")
    assert result.exit_code == 1
    record = json.loads(result.stdout)
    starts = record["starts"]
    lost = {
        name: reason
        for name, reason in zip(starts["names"], starts["reasons"], strict=True)
        if reason
    }
    assert lost == {"b": "label sink", "leaf": "label sink"}
    assert record["suggestion"] == {"vertices": ["y"], "values": [1.0], "irreducible": True}


def test_the_text_names_starts_reasons_and_what_would_help(rolltheory, labelled):
    lines = rolltheory(*labelled, *HARMONIC).stdout.splitlines()
    text = " ".join(lines)
    assert (
        "10 vertices, 13 edges, unit cost; goal goal; 3 labels, exact, at least one a sink" in text
    )
    assert "2 starts of 9 not certified." in lines
    rows = [line.split() for line in lines]
    assert ["label", "sink", "2", "b", "leaf"] in rows
    assert ["all", "0.7778"] in rows
    assert "- Not applicable: excess, fill distance. Needed there: values lie between the" in text
    assert "1 label more (y=1) would let every start reach the goal, however ties break" in text
    assert "however ties break; no fewer would do." in text


def test_the_text_of_a_certified_planner(rolltheory, labelled):
    text = " ".join(rolltheory(*labelled).stdout.split())
    assert "none can become a sink while all move by less than 0.5" in text
    assert "All 9 starts are certified." in text
    assert "However ties break, every start reaches the goal." in text


def test_the_text_says_what_noise_costs(rolltheory, tmp_path):
    (tmp_path / "path.csv").write_text("source,target\ngoal,x\nx,a\na,c\nc,end\n")
    (tmp_path / "labels.csv").write_text("vertex,value\ngoal,0\na,2.6\nc,2.5\n")
    options = ("--goal", "goal", "--labels", tmp_path / "labels.csv", "--noise", "0.3")
    result = rolltheory("action-gap", "certify", tmp_path / "path.csv", *options)
    text = " ".join(result.stdout.split())
    assert "3 labels, off by at most 0.6, at least one a sink" in text
    assert "label sink, by label noise 2 c end" in text
    assert "Exact values in place of the labels would let every start reach the goal" in text


def test_a_plateau_leaves_random_ties(rolltheory, tmp_path):
    (tmp_path / "corridor.txt").write_text("." * 60)
    options = ("--goal", "0,0", "--label-fraction", "0")
    result = rolltheory("action-gap", "certify", tmp_path / "corridor.txt", *options)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert "60 vertices, 59 edges, unit cost; goal 0,0; 1 label, exact" in lines
    assert "Ties broken at random reach the goal from every start." in lines
    assert "59 starts of 59 not certified." in lines
    assert ["plateau", "59", *(f"0,{n}" for n in range(1, 9)), "..."] in map(str.split, lines)


def test_a_long_list_of_labels_is_cut(rolltheory, tmp_path):
    comb = "source,target\n" + "".join(
        f"s{n},s{n + 1}\ns{n},t{n}\nt{n},u{n}\nt{n},v{n}\nv{n},w{n}\n" for n in range(12)
    )
    labels = "vertex,value\n" + "".join(f"s{n},{n}\nt{n},{n + 1}\n" for n in range(12))
    (tmp_path / "comb.csv").write_text(comb)
    (tmp_path / "labels.csv").write_text(labels)
    options = ("--goal", "s0", "--labels", tmp_path / "labels.csv")
    text = " ".join(
        rolltheory("action-gap", "certify", tmp_path / "comb.csv", *options).stdout.split()
    )
    assert "12 labels more (w0=3 " in text
    assert " ...; --json FILE holds all) would let every start" in text


def test_several_labels_may_not_be_the_fewest(rolltheory, maze):
    options = ("--goal", "26,26", "--refinement", "4", "--label-fraction", "0.02", *HARMONIC)
    text = " ".join(rolltheory(*maze, *options).stdout.split())
    assert "3 labels more (" in text
    assert "none can be spared alone, yet a smaller set may exist" in text


def test_a_search_can_be_left_out(rolltheory, labelled):
    text = " ".join(rolltheory(*labelled, *HARMONIC, "--suggest-seconds", "0").stdout.split())
    assert "No labels that would do were found in the time given" in text


def test_lengths_and_the_planner_of_steepest_slope(rolltheory, tmp_path):
    ring = "source,target,length\na,b,1\nb,c,4\nc,d,1\nd,a,4\n"
    (tmp_path / "ring.csv").write_text(ring)
    (tmp_path / "labels.csv").write_text("vertex,value\na,0\nb,1\n")
    options = ("--goal", "a", "--labels", tmp_path / "labels.csv")
    short = rolltheory("action-gap", "certify", tmp_path / "ring.csv", *options)
    assert short.exit_code == 1
    assert "- descent is about the planner steepest_slope." in short.stdout.splitlines()
    steep = ("--planner", "steepest_slope")
    result = rolltheory("action-gap", "certify", tmp_path / "ring.csv", *options, *steep)
    assert result.exit_code == 0
    assert "- half gap is about the planner argmin_q." in result.stdout.splitlines()


def test_drawn_labels_depend_on_the_seed_alone(answer, maze):
    options = ("--goal", "13,13", "--refinement", "2", "--label-fraction", "0.1")
    first, again, other = (answer(*maze, *options, "--seed", seed) for seed in (0, 0, 1))
    assert first == again
    assert first["starts"]["values"] != other["starts"]["values"]
    assert first["vertices"] == 4 * 26
    assert first["labels"] in (10, 11)
    assert first["noise"]["error"] == 0.0


def test_a_maze_may_have_diagonal_steps(rolltheory, maze):
    options = ("--goal", "6,6", "--label-fraction", "0.2")
    results = (rolltheory(*maze, *options, "--connectivity", size) for size in (4, 8))
    straight, diagonal = (int(re.search(r"(\d+) edges", result.stdout)[1]) for result in results)
    assert straight == 28
    assert diagonal == 28 + 4  # two squares are open


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_maze_can_be_drawn(rolltheory, maze, tmp_path, ending):
    options = ("--goal", "6,6", "--label-fraction", "0.1", "--plot", tmp_path / f"out.{ending}")
    assert rolltheory(*maze, *options).exit_code == 1  # a plateau
    opening = (tmp_path / f"out.{ending}").read_bytes()[:5]
    assert opening == {"svg": b"<?xml", "png": b"\x89PNG\r"}[ending]


def test_only_a_maze_can_be_drawn(refusal, labelled, maze, tmp_path):
    plot = ("--plot", tmp_path / "out.svg")
    assert "a maze drawn in text as FILE" in refusal(*labelled, *plot)
    eight = ("--goal", "6,6", "--label-fraction", "0.1", "--connectivity", "8")
    assert "4-connected" in refusal(*maze, *eight, *plot)
    assert "a name that ends in .svg" in refusal(*labelled, "--plot", tmp_path / "out.txt")
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("b,2\nt,3\n", "labels.csv: found no label at 'goal'; need the goal is labelled"),
        (
            "goal,1\nb,1\n",
            "labels.csv: found 1 at 'b', 1 at the goal 'goal'; need the goal has the",
        ),
        ("goal,0\nb,2\nb,3\n", "labels.csv, line 4: found the label 3 for 'b', which has 2"),
        ("goal,0\nb,nan\n", "line 3: found label 'nan'; need a finite number"),
        ("goal,0\nb,inf\n", "line 3: found label 'inf'; need a finite number"),
        ("goal,0\nzzz,1\n", "line 3: found vertex 'zzz'; need a vertex of the graph"),
        ("goal,0\nb,2.5\n", "labels.csv: found 2.5 at 'b' and 0 at 'goal'"),
    ],
)
def test_bad_labels_are_refused_and_nothing_is_written(refusal, labelled, tmp_path, labels, found):
    (tmp_path / "labels.csv").write_text("vertex,value\n" + labels)
    before = sorted(tmp_path.iterdir())
    assert found in refusal(*labelled, "--json", tmp_path / "out.json")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("edge", "found"),
    [
        ("b,leaf,-1", "length '-1'; need one above 0"),
        ("b,leaf,0", "length '0'; need one above 0"),
        ("b,leaf,nan", "length 'nan'; need a finite number"),
        ("b,leaf,inf", "length 'inf'; need a finite number"),
        ("p,q,1", "fan.csv with "),
        ("p,q,1", "labels.csv: found no way from 'p'; need every vertex can reach the goal"),
        ("t,b,2", "fan.csv, line 5: found length 2 from 't' to 'b', 1 on line 4; need one"),
    ],
)
def test_bad_graphs_are_refused(refusal, labelled, tmp_path, edge, found):
    graph = f"source,target,length\ngoal,y,1\ny,b,1\nb,t,1\n{edge}\n"
    (tmp_path / "fan.csv").write_text(graph)
    assert found in refusal(*labelled)
    (tmp_path / "fan.csv").write_text(graph.replace("length", "weight"))
    assert "(a conductance w is the length 1 / w, in a p-harmonic sum w ** (-1 / p))" in refusal(
        *labelled
    )


def test_a_directed_graph_is_refused(refusal, tmp_path):
    path = tmp_path / "graph.graphml"
    path.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
        '<node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'
    )
    options = ("--goal", "a", "--label-fraction", "1")
    line = refusal("action-gap", "certify", path, *options)
    assert "still unique if each vertex has a directed path to a label" in line
    assert "no rollout is certified" in line


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), "labels = None is not allowed: need either --labels or --label-fraction"),
        (("--label-fraction", "2"), "label_fraction"),
        (("--label-fraction", "nan"), "label_fraction"),
        (("--label-fraction", "1", "--p", "4"), "p = 4.0 is not allowed"),
        (("--label-fraction", "1", "--extension", "p-harmonic"), "p = None is not allowed"),
        (("--label-fraction", "1", "--tie-tolerance", "-1"), "twice the error bound"),
        (("--label-fraction", "1", "--noise", "-1"), "noise = "),
        (("--label-fraction", "1", "--suggest-seconds", "nan"), "seconds = "),
        (("--label-fraction", "1", "--lengths", "cost"), "no lengths 'cost'"),
        (("--label-fraction", "1", "--connectivity", "8"), "connectivity = 8 is not allowed"),
        (("--label-fraction", "1", "--json", "/missing/out"), "json = '/missing/out' is not"),
    ],
)
def test_bad_options_are_refused(refusal, fan, options, found):
    assert found in refusal(*fan, *options)


@pytest.mark.parametrize("labels", [("--label-fraction", "1"), ("--labels", "labels.csv")])
def test_an_unknown_goal_is_refused(refusal, fan, tmp_path, labels):
    flag, value = labels
    value = tmp_path / value if flag == "--labels" else value
    options = (*fan[:-1], "nowhere", flag, value)
    assert "goal = 'nowhere' is not allowed: need a vertex of the graph" in refusal(*options)


SMALL = ("--layouts", "umaze", "--refinements", "2,3", "--fractions", "0.1", "--seeds", "0,1,2")


def test_the_study_writes_rows_figure_and_summary(rolltheory, tmp_path):
    files = {name: tmp_path / f"out.{name}" for name in ("csv", "svg", "json")}
    written = ("--rows", files["csv"], "--plot", files["svg"], "--json", files["json"])
    result = rolltheory("action-gap", "study", *SMALL, "--methods", "harmonic,p=4,amle", *written)
    assert (result.exit_code, result.stderr) == (0, "")
    with files["csv"].open() as file:
        rows = list(csv.DictReader(file))
    record = json.loads(files["json"].read_text())
    assert len(rows) == len(record["rows"]) == 2 * 3 * 3
    assert [float(row["success"]) for row in rows] == [row["success"] for row in record["rows"]]
    assert [method["method"] for method in record["methods"]] == ["harmonic", "p = 4", "amle"]
    assert record["methods"][2]["success"] == 1.0
    assert files["svg"].read_bytes().startswith(b"<?xml")
    lines = result.stdout.splitlines()
    assert "6 maze problems; means over them, every start" in lines
    assert any(line.startswith("p = 4") and " 0.9030 " in line for line in lines)
    assert "they are shown but not compared" in " ".join(lines)


def test_one_problem_has_no_standard_error(rolltheory, answer):
    single = ("--layouts", "umaze", "--refinements", "2", "--fractions", "0.1", "--seeds", "0")
    run = ("action-gap", "study", *single, "--methods", "amle")
    assert answer(*run)["methods"][0]["standard_error"] is None
    row = next(line for line in rolltheory(*run).stdout.splitlines() if line.startswith("amle"))
    assert row.split()[2] == "-"


@pytest.mark.parametrize(
    ("option", "value", "found"),
    [
        ("--layouts", "medium,labyrinth", "name = 'labyrinth' is not allowed"),
        ("--layouts", "teleport", "a layout whose free cells are connected"),
        ("--refinements", "0", "refinement = "),
        ("--refinements", "two", "refinements = 'two' is not allowed: need numbers with commas"),
        ("--fractions", "1.5", "fraction = "),
        ("--seeds", "-1", "seed = "),
        (
            "--methods",
            "amle,spline",
            "methods = 'spline' is not allowed: need names among harmonic",
        ),
        ("--plot", "out.txt", "a name that ends in"),
    ],
)
def test_bad_studies_are_refused(refusal, tmp_path, monkeypatch, option, value, found):
    monkeypatch.chdir(tmp_path)
    written = ("--rows", "rows.csv", "--json", "out.json")
    assert found in refusal("action-gap", "study", *SMALL, option, value, *written)
    assert list(tmp_path.iterdir()) == []


def test_the_help_says_how_to_convert_conductances(rolltheory):
    text = " ".join(rolltheory("action-gap", "certify", "--help").stdout.split())
    assert (
        "A conductance w is not one: it is the length 1 / w, in p-harmonic sums w ** (-1 / p)."
        in text
    )
    assert "Draw FILE, if it is a maze drawn in text and 4-connected, as svg, png or pdf." in text
    assert "Exits with 1 if some way to break ties misses the goal from some start." in text
