"""``python -m privrl_core release``: both files or none, one sentence for each mistake, no promise that was not asked for."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from privrl_core import command_line
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import Guarantee, PrivacyStatement, gaussian_epsilon, gaussian_mu, guarantees
from privrl_core.world import Episodes, read_log

WARDS = "emergency,surgery,home"
PUBLISHED = ["release.json", "statement.json", "statement.md"]


@pytest.fixture
def log(tmp_path) -> Path:
    """Two stays of each of 200 patients: an emergency, at most one operation, and home."""
    rng = np.random.default_rng(0)
    lines = ["patient,stay,day,ward,treatment,cost,next_ward"]
    for stay in range(400):
        operated = rng.random() < 0.5
        lines.append(f"p{stay // 2},s{stay},1,emergency,{'operate' if operated else 'wait'},{-rng.integers(50, 150)},"
                     f"{'surgery' if operated else 'home'}")
        if operated:
            lines.append(f"p{stay // 2},s{stay},2,surgery,wait,{-rng.integers(500, 900)},home")
    path = tmp_path / "stays.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def options(log, into, **changes) -> list[str]:
    given = {"into": into, "episode": "stay", "time": "day", "state": "ward", "action": "treatment", "reward": "cost",
             "next-state": "next_ward", "patient": "patient", "states": WARDS, "return-range": (-1000, 0), "unit": "stay",
             "stays-per-patient": 2, "epsilon": 1, "delta": 1e-5, "about": "St Mary's", "noise": "gaussian", "seed": 3} | changes
    words = [["--" + name, *map(str, value if isinstance(value, tuple) else (value,))] for name, value in given.items() if value is not None]
    return ["release", str(log), *sum(words, [])]


def test_it_releases_what_python_releases(log, tmp_path, capsys):
    assert command_line.main(options(log, tmp_path / "out")) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == PUBLISHED
    made = json.loads((tmp_path / "out" / "release.json").read_text())

    frame = read_log(log, time="day", reward="cost")
    episodes = Episodes.from_frame(frame, episode="stay", time="day", state="ward", action="treatment", reward="cost",
                                   next_state="next_ward", states=WARDS.split(","))
    statistics = first_visit_statistics(episodes, 3, 1.0, return_range=(-1000, 0))
    epsilon_of_one = gaussian_epsilon(1e-5, gaussian_mu(1, 1e-5) / 2)  # two stays have twice the μ
    release = dp_sufficient_statistics(statistics, np.eye(3), return_range=(-1000, 0), epsilon=epsilon_of_one, delta=1e-5,
                                       noise_rng=np.random.default_rng(3))
    assert list(made["values"]) == WARDS.split(",")
    assert list(made["values"].values()) == pytest.approx(release.parameters.tolist())
    assert made["published"]["visits"] == pytest.approx(release.visits.tolist())
    assert made["published"]["return_sums"] == pytest.approx(release.return_sums.tolist())
    assert made["noise"] == {"law": "Gaussian", "scale": pytest.approx(release.noise_scale)}
    assert "wrote release.json, statement.json and statement.md" in (said := capsys.readouterr().out)
    assert said.startswith("ONLY FOR TRYING OUT") and made["remark"].startswith("ONLY FOR TRYING OUT")
    schema = json.loads(Path(guarantees.__file__).with_name("schema.json").read_text("utf-8"))
    for name in ("release.json", "statement.json"):
        jsonschema.validate(json.loads((tmp_path / "out" / name).read_text()), schema)


def test_the_promise_is_for_all_stays_of_a_patient(log, tmp_path):
    for k, into in (1, tmp_path / "one"), (2, tmp_path / "two"):
        assert command_line.main(options(log, into, **{"stays-per-patient": k, "patient": None})) == 0
        statement = PrivacyStatement.from_json((into / "statement.json").read_text())
        assert (statement.guarantee.epsilon, statement.guarantee.delta) == (pytest.approx(1), 1e-5)
        assert str(statement.guarantee.unit) == ("one stay" if k == 1 else "one person with at most 2 stays")
        assert statement.guarantee.data == "St Mary's"
        made, _ = json.loads((into / "release.json").read_text())["guarantees"]
        guarantee = Guarantee.from_data(made)
        assert str(guarantee.unit) == "one stay" and guarantee.group(k).epsilon == pytest.approx(1)
    scales = [json.loads((tmp_path / name / "release.json").read_text())["noise"]["scale"] for name in ("one", "two")]
    assert scales[1] == pytest.approx(2 * scales[0])


def test_noise_is_exact_unless_another_is_asked_for(log, tmp_path):
    pytest.importorskip("opendp")
    made = []
    for into in tmp_path / "one", tmp_path / "two":
        assert command_line.main(options(log, into, noise=None, seed=None)) == 0
        made.append(json.loads((into / "release.json").read_text()))
        assert "TRYING OUT" not in (into / "statement.md").read_text()
    assert made[0]["noise"]["law"] == made[1]["noise"]["law"] == "discrete Gaussian"
    assert made[0]["values"] != made[1]["values"]


def test_a_seeded_release_says_that_it_is_for_trying_out(log, tmp_path):
    command_line.main(options(log, tmp_path / "out"))
    assert "ONLY FOR TRYING OUT, NOT TO BE PUBLISHED" in (tmp_path / "out" / "statement.md").read_text()


@pytest.mark.parametrize("states, assumed", [(WARDS, False), (None, True)])
def test_the_statement_says_where_the_labels_are_from(log, tmp_path, states, assumed):
    command_line.main(options(log, tmp_path / "out", states=states))
    assert ("labels of the states, taken from the data" in (tmp_path / "out" / "statement.md").read_text()) == assumed


def test_states_may_stand_in_a_file_and_episodes_may_end_alike(log, tmp_path):
    (tmp_path / "wards.txt").write_text(WARDS.replace(",", "\n") + "\n")
    changes = {"states": None, "states-file": tmp_path / "wards.txt", "next-state": None, "end-state": "home"}
    assert command_line.main(options(log, tmp_path / "out", **changes)) == 0
    command_line.main(options(log, tmp_path / "again"))
    one, other = (json.loads((tmp_path / name / "release.json").read_text()) for name in ("out", "again"))
    assert one["published"] == other["published"] and one["values"] == other["values"]


@pytest.mark.parametrize("changes, sentence", [
    ({"epsilon": 0}, "--epsilon must be larger for 2 stays together at this delta, got 0"),
    ({"epsilon": -1}, "epsilon must be at least 0, got -1.0"),
    ({"epsilon": "nan"}, "epsilon must be finite, got nan"),
    ({"delta": 0}, "delta must be strictly between 0 and 1, got 0.0"),
    ({"delta": 1}, "delta must be strictly between 0 and 1, got 1.0"),
    ({"return-range": (0, 0)}, "return_range must be two numbers (low, high) with low < high"),
    ({"stays-per-patient": 0}, "--stays-per-patient must be a whole number of at least 1, got 0"),
    ({"discount": 2}, "discount must be in [0, 1], got 2.0"),
    ({"noise": "exact"}, "--seed must be left out for exact noise"),
    ({"states": "emergency,home"}, "column 'ward' must be one of states, 'emergency', 'home', got 'surgery' in line"),
    ({"states": "home,home"}, "states must be a list of different labels"),
    ({"state": "station"}, "line 1 must name a column 'station' once, got it 0 times among 'patient'"),
    ({"patient": "who"}, "--patient must be a column of the log, got 'who'"),
    ({"stays-per-patient": 1}, "a patient must have at most 1 stays (--stays-per-patient), got another one in line"),
    ({"patient": "next_ward"}, "each stay must belong to one patient, got another one in line"),
    ({"delimiter": ";;"}, "delimiter must be one character, got ';;'"),
    ({"states": None, "states-file": "nowhere.txt"}, "nowhere.txt: No such file or directory"),
])
def test_a_mistake_gives_one_sentence_and_no_file(log, tmp_path, capsys, changes, sentence):
    before = sorted(tmp_path.iterdir())
    assert command_line.main(options(log, tmp_path / "out", **changes)) == 1
    said = capsys.readouterr()
    assert sentence in said.err and said.err.count("\n") == 1 and said.err.endswith("; nothing was written\n") and not said.out
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_there_is_not_written_over(log, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    assert command_line.main(options(log, tmp_path / "out")) == 1
    assert "--into must be a new folder" in capsys.readouterr().err and not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize("error, code, sentence", [(OSError(28, "No space left on device", "out"), 1, "out: No space left on device"),
                                                   (KeyboardInterrupt(), 130, "interrupted")])
def test_a_failure_in_the_middle_leaves_nothing(log, tmp_path, capsys, monkeypatch, error, code, sentence):
    before, write = sorted(tmp_path.iterdir()), Path.write_text

    def fail(path, *arguments, **options):
        if path.name == "statement.md":
            raise error
        return write(path, *arguments, **options)

    monkeypatch.setattr(Path, "write_text", fail)
    assert command_line.main(options(log, tmp_path / "out")) == code
    assert capsys.readouterr().err == f"privrl_core: {sentence}; nothing was written\n"
    assert sorted(tmp_path.iterdir()) == before


def test_progress_is_for_terminals(log, tmp_path, capsys, monkeypatch):
    command_line.main(options(log, tmp_path / "one"))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    command_line.main(options(log, tmp_path / "two"))
    said = capsys.readouterr().err
    assert "reading" in said and "checking its rows" in said and "adding noise to the sums of 3 states" in said
    assert "400" not in said, "how many there are is private"


def test_a_missing_file_or_package_is_a_sentence(tmp_path, capsys, monkeypatch):
    assert command_line.main(options(tmp_path / "none.csv", tmp_path / "out")) == 1
    assert capsys.readouterr().err == f"privrl_core: {tmp_path / 'none.csv'}: No such file or directory; nothing was written\n"
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert command_line.main(options(tmp_path / "none.csv", tmp_path / "out")) == 1
    assert capsys.readouterr().err == 'privrl_core: pandas is missing: pip install "privrl-core[logs]"; nothing was written\n'


def test_it_runs_as_a_module(log, tmp_path):
    def run(*words):
        return subprocess.run([sys.executable, "-m", "privrl_core", *words], capture_output=True, text=True)

    shown = run("release", "--help")
    assert shown.returncode == 0 and "--stays-per-patient" in shown.stdout and "--return-range LOW HIGH" in shown.stdout
    assert run("release", str(log)).returncode == 2
    done = run(*options(log, tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    failed = run(*options(log, tmp_path / "out"))
    assert failed.returncode == 1 and "Traceback" not in failed.stderr and failed.stdout == ""


def test_stays_that_cannot_be_counted_are_refused_and_uncounted_ones_are_assumed(log, tmp_path, capsys):
    untidy = tmp_path / "untidy.csv"
    for text, message in ((log.read_text().replace("\np0,s1,", "\n p0,s1,"), "column 'patient' must be text without blanks at its ends"),
                          (log.read_text().replace("\np0,s1,", "\n,s1,"), "column 'patient' must be given in each row")):
        untidy.write_text(text)
        assert command_line.main(options(untidy, tmp_path / "none", **{"stays-per-patient": 1})) == 1
        assert message in capsys.readouterr().err
    command_line.main(options(log, tmp_path / "out", patient=None))
    assumed = PrivacyStatement.from_json((tmp_path / "out" / "statement.json").read_text()).guarantee.assumes
    assert "no person has more than 2 stays, which was not checked" in assumed
    command_line.main(options(log, tmp_path / "checked"))
    assert "not checked" not in (tmp_path / "checked" / "statement.md").read_text()
