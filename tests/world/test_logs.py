"""Logs from outside: what comes in is what stands in the file, and what is broken says where."""

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.command_line import main
from privrl_core.world import Episodes, read_log

COLUMNS = dict(episode="stay", time="hour", state="ward", action="treatment", reward="gain")
WARDS = ["emergency", "surgery", "home"]
GOOD = """\
stay,hour,ward,treatment,gain,next_ward,ends_in
anna,0,emergency,operate,-120.5,surgery,home
anna,1,surgery,wait,-30,surgery,home
ben,7,surgery,wait,-30,home,home
anna,2,surgery,wait,0,home,home
cleo,3,emergency,wait,5,home,home
"""


def read(path: Path, **options):
    frame = read_log(path, time="hour", reward="gain")
    return Episodes.from_frame(frame, **{**COLUMNS, "next_state": "next_ward", "states": WARDS, "ends": ["home"], **options})


def written(folder: Path, text) -> Path:
    path = folder / "log.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lists(episodes):
    """Each episode as lists of labels and rewards."""
    return [([episodes.state_labels[s] for s in states[: n + 1]], [episodes.action_labels[a] for a in actions[:n]],
             rewards[:n].tolist()) for states, actions, rewards, n in
            zip(episodes.states, episodes.actions, episodes.rewards, episodes.lengths, strict=True)]


STAYS = [(["emergency", "surgery", "surgery", "home"], ["operate", "wait", "wait"], [-120.5, -30, 0]),
         (["surgery", "home"], ["wait"], [-30]), (["emergency", "home"], ["wait"], [5])]


@pytest.mark.parametrize("options", [
    {}, dict(next_state=None, end_state="ends_in"), dict(next_state=None, end_state="home", ends=None),
    dict(actions=["operate", "pray", "wait"]),
], ids=["next_state", "a column of ends", "a common end", "actions"])
def test_a_file_is_read_as_it_stands(tmp_path, options):
    episodes = read(written(tmp_path, GOOD), **options)
    assert lists(episodes) == STAYS
    assert episodes.state_labels == tuple(WARDS)
    assert episodes.action_labels == tuple(options.get("actions", ["operate", "wait"]))
    assert episodes.labels_from_data == (() if "actions" in options else ("actions",))


@pytest.mark.parametrize("text", [
    "\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("wait", '"wait"'), GOOD.replace("stay", "note,stay").replace(
        "\nanna", '\n"not, a\nname",anna').replace("\nben", "\n,ben").replace("\ncleo", "\n7,cleo")],
    ids=["byte order mark", "Windows", "quoted", "a column more"])
def test_the_shape_of_a_file_changes_nothing(tmp_path, text):
    assert lists(read(written(tmp_path, text))) == STAYS


def test_labels_that_are_not_given_are_those_that_occur_and_are_said_to_be(tmp_path):
    episodes = read(written(tmp_path, GOOD), states=None)
    assert lists(episodes) == STAYS
    assert episodes.state_labels == ("emergency", "home", "surgery") and episodes.labels_from_data == ("states", "actions")


def test_text_is_not_taken_for_a_number(tmp_path):
    text = GOOD.replace("emergency", "01").replace("surgery", "1").replace("home", "NA")
    assert read(written(tmp_path, text), states=None, ends=["NA"]).state_labels == ("01", "1", "NA")


@pytest.mark.parametrize("times", [
    [0.5, 1.25, 7, 30.75, 3], ["2024-01-01", "2024-01-03T12:00", "2024-01-02", "2024-02-01T00:00:00Z", "2024-01-01"]])
def test_times_that_are_no_whole_numbers_may_leave_gaps(tmp_path, times):
    head, *rows = GOOD.splitlines()
    rows = [row.replace(f",{hour},", f",{time},", 1) for row, hour, time in zip(rows, [0, 1, 7, 2, 3], times, strict=True)]
    assert lists(read(written(tmp_path, "\n".join([head, *rows, ""])))) == STAYS


def frame() -> pd.DataFrame:
    return pd.DataFrame(dict(stay=[4, 4, 9], hour=[0, 1, 0], ward=["a", "b", "b"], treatment=[1.5, 2, 2], gain=[1, -2, 3],
                             next_ward=["b", "c", "c"]), index=["x", "y", "z"])


@pytest.mark.parametrize("change", [
    lambda df: df, lambda df: df.iloc[[2, 1, 0]], lambda df: df.astype({"ward": "category", "next_ward": "category"}),
    lambda df: df.astype({"ward": "string", "hour": "Int64", "gain": "Float64"}), lambda df: df.astype(object),
    lambda df: df.assign(hour=pd.to_datetime(df["hour"], unit="h", utc=True)),
    lambda df: df.assign(hour=[dt.datetime(2024, 1, 1 + hour) for hour in df["hour"]]),
    lambda df: df.assign(hour=pd.to_timedelta(df["hour"], unit="D")), lambda df: df.assign(stay=["4", "4", "9"]),
    lambda df: df.assign(ward=pd.Categorical(df["ward"], ["z", "b", "a"])),
], ids=["as is", "reversed", "categories", "extension types", "objects", "dates with a zone", "dates", "durations", "text", "unused category"])
def test_any_type_of_pandas_will_do(change):
    episodes = Episodes.from_frame(change(frame()), **COLUMNS, next_state="next_ward")
    assert sorted(lists(episodes)) == [(["a", "b", "c"], [1.5, 2], [1, -2]), (["b", "c"], [2], [3])]
    assert episodes.state_labels == ("a", "b", "c") and episodes.action_labels == (1.5, 2)


def test_large_whole_numbers_stay_apart():
    df = frame().assign(stay=[2**53, 2**53, 2**53 + 1], ward=[2**60, 2**60 + 1, 2**60 + 1], next_ward=[2**60 + 1, 2**60 + 2, 2**60 + 2])
    assert Episodes.from_frame(df, **COLUMNS, next_state="next_ward").state_labels == (2**60, 2**60 + 1, 2**60 + 2)


@given(st.lists(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.floats(-5, 5)), min_size=1, max_size=6),
                min_size=1, max_size=6), st.randoms())
def test_the_order_of_rows_does_not_matter(stays, random):
    rows = [(i, t, *step, stay[t + 1][0] if t + 1 < len(stay) else "end")
            for i, stay in enumerate(stays) for t, step in enumerate(stay)]
    random.shuffle(rows)
    df = pd.DataFrame(rows, columns=[*COLUMNS.values(), "next_ward"])
    episodes = Episodes.from_frame(df, **COLUMNS, next_state="next_ward", states=[*"abc", "end"], actions=range(4))
    expected = [([s for s, _, _ in stay] + ["end"], [a for _, a, _ in stay], [r for _, _, r in stay]) for stay in stays]
    assert sorted(lists(episodes)) == sorted(expected)


# ------------------------------------------------------------------------------------------------ what is broken

def swap(old, new, times=1):
    assert old in GOOD
    return GOOD.replace(old, new, times)


BROKEN = {  # what is wrong: the file, the row that is named, what else is said
    "empty": ("", "line 1", "empty file"),
    "blank lines alone": ("\n\n\n", "line 1", "empty file"),
    "no rows": (GOOD[: GOOD.index("\n") + 1], "line 2", "first decision"),
    "no line with names": (GOOD.split("\n", 1)[1], "line 1", "a column 'stay' once, got it 0 times"),
    "a missing column": (swap("ward,treat", "station,treat"), "line 1", "a column 'ward' once, got it 0 times among 'stay', 'hour', 'station'"),
    "a column with a blank in its name": (swap("hour", " hour"), "line 1", "a column 'hour' once"),
    "a column twice": (swap("ends_in", "ward"), "line 1", "'ward' 2 times"),
    "another delimiter": (GOOD.replace(",", ";"), "line 1", "among 'stay;hour"),
    "tabs": (GOOD.replace(",", "\t"), "line 1", "a column 'stay' once"),
    "UTF-16": (GOOD.encode("utf-16"), "line 1", "UTF-8 text, got the byte 0xff"),
    "Latin 1": (GOOD.replace("ben", "ren\u00e9").encode("latin-1"), "line 4", "UTF-8 text, got the byte 0xe9"),
    "a zero byte": (swap("ben", "b\0n"), "line 4", "zero byte"),
    "cut in a row": (GOOD[:-20], "line 6", "may have been cut"),
    "cut in the last number": (GOOD.replace(",home\n", "\n")[:-8], "line 6", "may have been cut"),
    "cut, and ended": (GOOD[:-10] + "\n", "line 6", "'next_ward' must be given in each row, got ''"),
    "a field too few": (swap("-30,home,home", "home,home"), "line 4", "'gain' must be a number, got 'home'"),
    "a field too many": (swap("-30,home,home", "-30,home,home,home"), "line 4", "7 fields like the names in line 1, got 8"),
    "a field too many in all rows": (GOOD.replace(",home\n", ",home,x\n"), "line 2", "7 fields"),
    "a comma in a number": (swap("-120.5", "-120,5"), "line 2", "7 fields"),
    "an open quotation mark": (swap("ben", '"ben'), "line 4", "close the quotation mark"),
    "an empty line": (swap("ben", "\nben"), "line 4", "got ''"),
    "an empty episode": (swap("ben", ""), "line 4", "'stay' must be given in each row, got ''"),
    "an empty state": (swap("1,surgery", "1,"), "line 3", "'ward' must be given in each row, got ''"),
    "an empty action": (swap("operate", ""), "line 2", "'treatment' must be given in each row"),
    "an empty reward": (swap("-120.5", ""), "line 2", "'gain' must be a number, got ''"),
    "an empty time": (swap("ben,7", "ben,"), "line 4", "'hour' must be a number or a date"),
    "a reward that is not a number": (swap("-120.5", "much"), "line 2", "got 'much'"),
    "a reward of nan": (swap("-120.5", "nan"), "line 2", "got 'nan'"),
    "an infinite reward": (swap("-120.5", "-inf"), "line 2", "'gain' must be a finite number, got -inf"),
    "a reward beyond all floats": (swap("-120.5", "1e999"), "line 2", "'gain' must be a finite number, got inf"),
    "true rewards": (GOOD.replace("-120.5", "True").replace("-30", "False").replace("wait,0", "wait,True").replace("wait,5", "wait,True"),
                     "line 2", "'gain' must be a finite number, got True"),
    "a reward in euros": (swap("-120.5", "-120.5 €"), "line 2", "'gain' must be a number"),
    "an unknown state": (swap("7,surgery", "7,surgrey"), "line 4", "one of states, 'emergency', 'surgery', 'home', got 'surgrey'"),
    "an unknown next state": (swap("0,home", "0,moon"), "line 4", "'next_ward' must be one of states"),
    "a blank in a label": (swap("operate", "operate "), "line 2", "without blanks at its ends, got 'operate '"),
    "a state in capitals": (swap("7,surgery", "7,Surgery"), "line 4", "got 'Surgery'"),
    "an episode without an end": (swap("wait,0,home", "wait,0,"), "line 5", "'next_ward' must be given in each row, got ''"),
    "cut between two rows": (GOOD[:GOOD.rindex("anna")], "line 3", "one of ends, 'home', at the last step of an episode, got 'surgery'"),
    "next state contradicts": (swap("-120.5,surgery", "-120.5,home"), "line 2", "the 'ward' of the step after it, got 'home' in line 2 and 'surgery' in line 3"),
    "a duplicated step": (swap("anna,1,", "anna,0,"), "line 2", "different at each step of an episode, got 0 in line 2 and 0 in line 3"),
    "a duplicated row": (GOOD + GOOD.splitlines()[2] + "\n", "line 3", "got 1 in line 3 and 1 in line 7"),
    "two copies of the log": (GOOD + GOOD.split("\n", 1)[1], "line 2", "got 0 in line 2 and 0 in line 7"),
    "two logs with their names": (GOOD + GOOD, "line 7", "'hour' must be a number or a date like 2024-01-31T12:00, got 'hour'"),
    "a gap in time": (swap("anna,2", "anna,3"), "line 3", "got 1 in line 3 and 3 in line 5"),
    "a time that is not one": (swap("ben,7", "ben,late"), "line 4", "got 'late'"),
    "a time of infinity": (swap("ben,7", "ben,inf"), "line 4", "'hour' must be a finite number or a date, got inf"),
    "a date that does not exist": (GOOD.replace("anna,2", "anna,2024-03-01").replace("anna,0", "anna,2024-01-01").replace("anna,1", "anna,2024-02-30").replace(
        "ben,7", "ben,2024-01-01").replace("cleo,3", "cleo,2024-01-01"), "line 3", "got '2024-02-30'"),
    "numbers and dates": (swap("ben,7", "ben,2024-01-01"), "line 4", "got '2024-01-01'"),
    "within a row of several lines": (GOOD.replace("ben,7,surgery", '"b\ne\nn",7,surgrey'), "line 4", "got 'surgrey'"),
    "after rows of several lines": (GOOD.replace("anna", '"an\nna"').replace("7,surgery", "7,surgrey"), "line 6", "got 'surgrey'"),
}


WORDS = [word for name, column in COLUMNS.items() for word in (f"--{name}", column)] + (
    f"--next-state next_ward --ends home --states {','.join(WARDS)} --unit stay --stays-per-patient 1 --epsilon 1 --delta 1e-5 "
    "--return-range -500 0").split()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_gives_one_sentence_that_names_the_row_and_writes_nothing(tmp_path, capsys, name):
    text, row, said = BROKEN[name]
    with pytest.raises(ValueError) as error:
        read(written(tmp_path, text))
    sentence = str(error.value)
    assert f"{row} " in f"{sentence} ".replace(",", " ") and said in sentence
    assert "\n" not in sentence and len(sentence) < 400
    assert main(["release", str(tmp_path / "log.csv"), "--into", str(tmp_path / "out"), *WORDS]) == 1
    assert capsys.readouterr() == ("", f"privrl_core: {sentence}; nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]


ENDS = {"an end that changes": (swap("surgery,home\nben", "surgery,surgery\nben"), "line 3", "the same at each step of an episode"),
        "no end": (swap("wait,0,home,home", "wait,0,home,"), "line 5", "'ends_in' must be given in each row"),
        "an unknown end": (swap("5,home,home", "5,home,heaven"), "line 6", "got 'heaven'")}


@pytest.mark.parametrize("name", ENDS)
def test_a_broken_end_gives_one_sentence_that_names_the_row(tmp_path, name):
    text, row, said = ENDS[name]
    with pytest.raises(ValueError, match=said) as error:
        read(written(tmp_path, text), next_state=None, end_state="ends_in")
    assert row in str(error.value)


@pytest.mark.parametrize("changes, message", [
    (dict(ward=["a", 1, "b"]), "column 'ward' must be text in each row, as in row x, got 1 in row y"),
    (dict(ward=["a", None, "b"]), "column 'ward' must be given in each row, got nan in row y|got None in row y"),
    (dict(ward=["a", np.nan, "b"]), "column 'ward' must be given in each row, got nan in row y"),
    (dict(ward=[True, False, True]), "column 'ward' must be text or a number, got True in row x"),
    (dict(ward=[1, True, 2]), "column 'ward' must be text or a number, got True in row y"),
    (dict(ward=[0.5, np.inf, 1]), "column 'ward' must be finite, got inf in row y"),
    (dict(ward=[b"a", b"b", b"b"]), "column 'ward' must be text or a number, got b'a' in row x"),
    (dict(next_ward=[1, 2, 2]), "columns 'ward' and 'next_ward' must both hold text or both numbers, got 'a' and 1 in row x"),
    (dict(gain=[1, None, 2]), "column 'gain' must be a finite number, got nan in row y"),
    (dict(gain=[1, True, 2]), "column 'gain' must be a finite number, got True in row y"),
    (dict(gain=["1", "2", "3"]), "column 'gain' must be a finite number, got '1' in row x"),
    (dict(gain=[1, 1j, 2]), r"column 'gain' must be a finite number, got \(1\+0j\) in row x"),
    (dict(gain=pd.array([1, None, 2], "Int64")), "column 'gain' must be a finite number, got <NA> in row y"),
    (dict(hour=["0", "1", "0"]), "column 'hour' must be a finite number or a date, got '0' in row x"),
    (dict(hour=[True, False, True]), "column 'hour' must be a finite number or a date, got True in row x"),
    (dict(hour=[0, None, 0]), "column 'hour' must be given in each row, got nan in row y"),
    (dict(stay=[4, "4", 9]), "column 'stay' must be a number in each row, as in row x, got '4' in row y"),
])
def test_a_broken_frame_names_its_row(changes, message):
    with pytest.raises(ValueError, match=message):
        Episodes.from_frame(frame().assign(**changes), **COLUMNS, next_state="next_ward")


def test_rows_of_one_name_are_counted():
    with pytest.raises(ValueError, match=r"got inf in row number 1 from the top \(counted from 0\)"):
        Episodes.from_frame(frame().assign(gain=[1, np.inf, 2]).set_axis([0, 0, 0]), **COLUMNS, next_state="next_ward")


@pytest.mark.parametrize("options, message", [
    (dict(), "one of next_state and end_state must be given, got None and None"),
    (dict(next_state="next_ward", end_state="c"), "one of next_state and end_state must be given, got 'next_ward' and 'c'"),
    (dict(end_state="c"), "end_state must be a column of the log or one of states, got 'c'"),
    (dict(end_state="d", states=["a", "b", "c"]), "end_state must be a column of the log or one of states, got 'd'"),
    (dict(next_state="where"), "the log must have a column 'where' once, got it 0 times among 'stay', 'hour'"),
    (dict(end_state="c", states=["a", "b", "c"], ends=["c"]), r"ends must be left out if all episodes end in 'c', got \['c'\]"),
    (dict(next_state="next_ward", ends=["d"]), "ends must be among the states, 'a', 'b', 'c', got 'd'"),
    (dict(next_state="next_ward", ends="c"), "ends must be a list of different labels, all text or all numbers, got 'c'"),
    (dict(next_state="next_ward", states="abc"), "states must be a list of different labels, all text or all numbers, got 'abc'"),
    (dict(next_state="next_ward", states=["a", "b", "c", "c"]), "states must be a list of different labels"),
    (dict(next_state="next_ward", states=["a", "b", "c", 1]), "states must be a list of different labels"),
    (dict(next_state="next_ward", states=[]), "states must be a list of different labels"),
    (dict(next_state="next_ward", actions=[1.5, 3]), "column 'treatment' must be one of actions, 1.5, 3, got 2.0 in row y"),
])
def test_wrong_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Episodes.from_frame(frame(), **COLUMNS, **options)


def test_what_is_no_frame_is_refused():
    with pytest.raises(ValueError, match="the log must be a pandas DataFrame, got dict"):
        Episodes.from_frame({}, **COLUMNS, next_state="next_ward")
    with pytest.raises(ValueError, match="the log must have rows, got none"):
        Episodes.from_frame(frame().iloc[:0], **COLUMNS, next_state="next_ward")


@pytest.mark.parametrize("labels", [("a",), ("a", "b", "a")])
def test_labels_that_do_not_fit_the_numbers_are_refused(labels):
    states, actions = np.array([[0, 2]]), np.array([[0]])
    with pytest.raises(ValueError, match="state_labels must be different, one for each number up to 2"):
        Episodes(states, actions, np.zeros((1, 1)), np.array([1]), labels)


def test_a_delimiter_is_one_character(tmp_path):
    path = written(tmp_path, GOOD.replace(",", ";"))
    assert len(Episodes.from_frame(read_log(path, time="hour", reward="gain", delimiter=";"), **COLUMNS, next_state="next_ward")) == 3
    with pytest.raises(ValueError, match="delimiter must be one character, got ';;'"):
        read_log(path, time="hour", reward="gain", delimiter=";;")


def test_parquet_needs_a_package_or_is_read(tmp_path):
    path = tmp_path / "log.parquet"
    try:
        frame().to_parquet(path)
    except ImportError:
        with pytest.raises(ModuleNotFoundError, match="a Parquet file needs the package pyarrow"):
            read_log(path, time="hour", reward="gain")
    else:
        pd.testing.assert_frame_equal(read_log(path, time="hour", reward="gain"), frame())
