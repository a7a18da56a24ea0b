"""``python -m privrl_core release``: reads a log and writes a release with its privacy statement, or nothing.

The options cover every decision that must be made before looking at the data: who is protected, the range of returns,
epsilon and delta, and the names of the states. A mistake is reported in one sentence.
"""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from privrl_core.checks import whole_number
from privrl_core.policy_evaluation.first_visits import first_visit_statistics
from privrl_core.policy_evaluation.sufficient_statistics import SufficientStatisticsRelease, dp_sufficient_statistics
from privrl_core.privacy.guarantees import ADD_REMOVE_OR_REPLACE_ONE, Unit
from privrl_core.privacy.noise import DiscreteGaussianNoise, GaussianNoise
from privrl_core.privacy.statement import PrivacyStatement, privacy_statement
from privrl_core.world.episodes import Episodes
from privrl_core.world.logs import positions_of_labels, read_log

__all__ = ["main"]

TRIAL = "ONLY FOR TRYING OUT, NOT TO BE PUBLISHED (floating-point noise): "

EXAMPLE = """\
example:
  python -m privrl_core release stays.csv --into release_2025 \\
      --episode stay --time day --state ward --action treatment --reward cost --next-state next_ward \\
      --ends home --states emergency,surgery,home --return-range -50000 0 \\
      --unit stay --stays-per-patient 3 --patient patient \\
      --epsilon 1 --delta 1e-7 --about "St Mary's, 2019 to 2024"

It writes release.json (for each state the mean return from the first visit on, and the noisy sums behind that mean),
statement.json, and statement.md, the letter to sign: all three or none. Publish nothing else. An error message quotes
a row of the log and is therefore as private as the log.
"""


def _parser():
    """The options of the command line."""
    top = argparse.ArgumentParser(prog="python -m privrl_core", description=__doc__.splitlines()[0])
    release = top.add_subparsers(dest="command", required=True).add_parser(
        "release", help="release the value of each state, and write the statement", epilog=EXAMPLE,
        description="Release the value of each state of a log, with noise, and write its privacy statement.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    release.add_argument("log", type=Path, help="a CSV file (UTF-8, names in the first line) or a Parquet file")
    release.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="a new folder for what is written")

    columns = release.add_argument_group("columns of the log, one row for each decision")
    for name, words in (("episode", "the episode of the decision"), ("time", "the number or date of the decision"),
                        ("state", "the state before the decision"), ("action", "the action taken"),
                        ("reward", "the reward, negative for a cost")):
        columns.add_argument(f"--{name}", required=True, metavar="COLUMN", help=words)
    end = columns.add_mutually_exclusive_group(required=True)
    end.add_argument("--next-state", metavar="COLUMN", help="the state after the decision")
    end.add_argument("--end-state", metavar="COLUMN", help="the state where the episode ends, or the label where all end")
    columns.add_argument("--ends", metavar="A,B,C", help="the states in which an episode may end; any other end is an error")
    columns.add_argument("--patient", metavar="COLUMN", help="the patient of the episode, to check --stays-per-patient")
    columns.add_argument("--delimiter", default=",", help="the field separator of the CSV file (a comma)")

    promise = release.add_argument_group("the promise, to be decided before looking at the data")
    promise.add_argument("--unit", required=True, metavar="NOUN", help="what one episode is: stay, visit, trajectory")
    promise.add_argument("--stays-per-patient", type=int, required=True, metavar="K",
                         help="the most episodes of one person; the promise covers all of them together (1: one episode)")
    promise.add_argument("--epsilon", type=float, required=True)
    promise.add_argument("--delta", type=float, required=True, help="at most a hundredth of one over the number of people")
    promise.add_argument("--return-range", type=float, nargs=2, required=True, metavar=("LOW", "HIGH"),
                         help="the range of an episode's return; values outside are clipped to LOW or HIGH")
    known = promise.add_mutually_exclusive_group()
    known.add_argument("--states", metavar="A,B,C", help="the labels of all states, from public knowledge")
    known.add_argument("--states-file", type=Path, metavar="FILE", help="the same, one on each line; without either they "
                       "are taken from the log, and the statement says that it assumes them to be public")
    promise.add_argument("--discount", type=float, default=1.0, help="the weight of a reward one step later (1)")
    promise.add_argument("--about", metavar="WORDS", help="the name of the data set, for the statement")
    promise.add_argument("--noise", choices=["exact", "gaussian"], default="exact",
                         help="exact: discrete Gaussian noise from the system's randomness; gaussian: only for trying out")
    promise.add_argument("--seed", type=int, help="for --noise gaussian: makes the numbers reproducible")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns the exit code: 0, or 1 with one sentence on standard error (2 for wrong options)."""
    options = _parser().parse_args(arguments)
    try:
        _release(options)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"privrl_core: {_sentence(error)}; nothing was written", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("privrl_core: interrupted; nothing was written", file=sys.stderr)
        return 130
    return 0


def _sentence(error):
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _release(options):
    if options.into.exists():
        raise ValueError(f"--into must be a new folder, got {options.into}, which exists: "
                         "two releases of the same data must be added up in one statement")
    if options.seed is not None and options.noise == "exact":
        raise ValueError("--seed must be left out for exact noise, which cannot be reproduced")
    whole_number("--stays-per-patient", options.stays_per_patient, least=1)
    with _shown(f"reading {options.log}"):
        frame = read_log(options.log, time=options.time, reward=options.reward, delimiter=options.delimiter)
    with _shown("checking its rows"):
        episodes = Episodes.from_frame(
            frame, episode=options.episode, time=options.time, state=options.state, action=options.action,
            reward=options.reward, next_state=options.next_state, end_state=options.end_state, states=_states(options),
            ends=options.ends and options.ends.split(","))
        if options.patient is not None:
            _require_few_stays(frame, options)
    with _shown(f"adding noise to the sums of {len(episodes.state_labels):,} states"):
        release, statement = _released(episodes, options)
    _write(options.into, release, statement)
    trial = TRIAL if options.noise == "gaussian" else ""
    print(f"{trial}wrote release.json, statement.json and statement.md into {options.into}: {statement.guarantee}")


def _released(episodes: Episodes, options) -> tuple[SufficientStatisticsRelease, PrivacyStatement]:
    """The release and its statement, calibrated for all episodes of one person together."""
    k = options.stays_per_patient
    kind = DiscreteGaussianNoise if options.noise == "exact" else GaussianNoise
    of_all = kind.of_epsilon(options.epsilon, options.delta)
    of_one = kind(of_all.rho / k**2, options.delta).guarantee("one episode")
    statistics = first_visit_statistics(episodes, len(episodes.state_labels), options.discount,
                                        return_range=options.return_range)
    release = dp_sufficient_statistics(
        statistics, np.eye(statistics.visits.size), return_range=options.return_range, epsilon=of_one.epsilon,
        delta=options.delta, noise_rng=np.random.default_rng(options.seed), noise=kind)
    if release.guarantee.group(k).epsilon > options.epsilon * (1 + 1e-6):
        raise ValueError(f"--epsilon must be larger for {k} {options.unit}s together at this delta, got {options.epsilon:g}")
    unit = Unit(f"one {options.unit}", f"{options.unit}s")
    unchecked = () if k == 1 or options.patient is not None else (
        f"no person has more than {k} {unit.many}, which was not checked",)
    release = replace(release, guarantees=tuple(
        replace(one, unit=unit, assumes=one.assumes + unchecked).about(options.about or one.data)
        for one in release.guarantees))
    promise = release.under(ADD_REMOVE_OR_REPLACE_ONE).group(k)  # another person may have another number of them
    return release, privacy_statement(promise, released=(
        f"{'' if kind is DiscreteGaussianNoise else TRIAL}For each of {statistics.visits.size} states, once: how many "
        f"{unit.many} visit it, and the sum and the mean "
        f"of their returns from the first visit on, each return limited to "
        f"[{options.return_range[0]:g}, {options.return_range[1]:g}]."))


def _states(options):
    if options.states is not None:
        return options.states.split(",")
    return options.states_file and options.states_file.read_text("utf-8-sig").splitlines()


def _require_few_stays(frame, options):
    if options.patient not in frame.columns:
        raise ValueError(f"--patient must be a column of the log, got {options.patient!r}")
    patient, _ = positions_of_labels(frame, options.patient)
    stays = frame.assign(**{options.patient: patient}).drop_duplicates([options.patient, options.episode])
    twice = stays[options.episode].duplicated()
    if twice.any():
        raise ValueError(f"each {options.unit} must belong to one patient, got another one in "
                         f"{frame.index.name or 'row'} {twice.idxmax()}")
    most = stays.groupby(options.patient, sort=False).cumcount() >= options.stays_per_patient
    if most.any():
        raise ValueError(f"a patient must have at most {options.stays_per_patient} {options.unit}s (--stays-per-patient), "
                         f"got another one in {frame.index.name or 'row'} {most.idxmax()}")


def _write(folder, release, statement):
    """Write all files or none: they go into a temporary folder, which is renamed at the end."""
    remark = "" if release.noise.law == DiscreteGaussianNoise.law else TRIAL.removesuffix(": ")
    values = dict(zip(map(str, release.state_labels), release.parameters.tolist(), strict=True))
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    unfinished.mkdir(parents=True)
    try:
        for name, text in (("release.json", json.dumps(json.loads(release.to_json()) | {"values": values, "remark": remark},
                                                       ensure_ascii=False, indent=2)),
                           ("statement.json", statement.to_json()), ("statement.md", statement._repr_markdown_())):
            (unfinished / name).write_text(text + "\n", "utf-8")
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@contextmanager
def _shown(stage: str) -> Iterator[None]:
    """Show on a terminal what is being done and how long it took."""
    if not sys.stderr.isatty():
        yield
        return
    print(f"{stage} ...", end="", flush=True, file=sys.stderr)
    start = time.perf_counter()
    try:
        yield
    finally:
        print(f" {time.perf_counter() - start:.1f} s", file=sys.stderr)
