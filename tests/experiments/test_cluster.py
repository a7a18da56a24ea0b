"""On a cluster of two real workers: the same bits as here, also when a worker is killed or a row kills workers."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from test_row_store import assert_same, wait_until

from privrl_core.experiments import Unfinished, grid, run

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("cluster")]  # one cluster for all


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    # one death is enough for a verdict; and a worker that needs long to come back on a slow machine is not given up
    patient = {"distributed.scheduler.allowed-failures": 0, "distributed.deploy.lost-worker-timeout": "10 minutes",
               "distributed.comm.timeouts.connect": "10 minutes"}
    with dask.config.set(patient), distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1",
                                  silence_logs=50) as cluster, distributed.Client(cluster) as client:
        yield client


def doubled(x):
    return 2 * x


def mixed(rng, n, rule):
    return {"x": rule(rng.normal(size=n).sum()), "text": "a" * n, "whole": int(rng.integers(2**40)), "none": None}


def test_one_process_two_processes_and_two_machines_give_the_same_bits(client, tmp_path):
    settings, outside = grid(n=[1, 10, 100], rule=[doubled]), 3

    def local(rng, n, rule):  # not importable, and it knows something from outside
        return mixed(rng, n, rule) | {"out": outside * rng.normal()}

    tables = [run(local, settings, range(5), workers=workers) for workers in (1, 2, client)]
    kept = [run(local, settings, range(5), workers=workers, cache=tmp_path / "rows") for workers in (client, 1)]
    for table in [*tables[1:], *kept]:
        assert_same(table, tables[0])
    assert kept[0].seconds.equals(kept[1].seconds)  # the second found what the cluster had computed


def test_rows_run_on_the_workers(client, tmp_path):
    def whose(rng, n, folder):
        (Path(folder) / str(os.getpid())).touch()
        for _ in range(60_000):  # until both have begun, however slow one of them is; after ten minutes, never
            if len(os.listdir(folder)) == 2:
                break
            time.sleep(0.01)
        return os.getpid()

    pids = run(whose, grid(n=range(12), folder=[str(tmp_path)]), [0], workers=client).value
    assert os.getpid() not in set(pids) and len(set(pids)) == 2


def test_a_worker_that_is_killed_costs_nothing(client, tmp_path):
    def once(rng, n, flag):
        if n == 7 and flag and not Path(flag).exists():
            Path(flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return rng.normal()

    settings = grid(n=range(30), flag=[str(tmp_path / "flag")])
    table = run(once, settings, [0], workers=client, cache=tmp_path / "rows")
    assert (tmp_path / "flag").exists()
    assert_same(table, run(once, settings, [0]))
    again = run(once, settings, [0], workers=client, cache=tmp_path / "rows")
    assert_same(table, again)
    assert table.seconds.equals(again.seconds)  # of the rows that were kept: none ran again


def test_a_row_that_kills_its_worker_every_time_is_the_only_one_that_fails(client):
    """Rows that waited on the same worker die with it as often: they are tried again."""
    def deadly(rng, n):
        if n == 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return rng.normal()

    with pytest.raises(Unfinished, match="^1 of 50 rows failed(.|\n)*for n=30, seed=0:\nKilledWorker") as failure:
        run(deadly, grid(n=range(50)), [0], workers=client)
    assert failure.value.table.n.tolist() == [n for n in range(50) if n != 30]


@pytest.mark.parametrize("rows, seconds", [(1000, 0), (300, 0.01), (20, 0.25)])
def test_every_row_runs_once_whether_rows_are_short_or_long(client, tmp_path, rows, seconds):
    """They go out up to 100 to a task; what does not fit into its time goes out again."""
    def logged(rng, n):
        with open(tmp_path / "log", "a") as log:
            log.write(f"{n}\n")
        time.sleep(seconds)
        return rng.normal()

    table = run(logged, grid(n=range(rows)), [0], workers=client)
    assert sorted(map(int, (tmp_path / "log").read_text().split())) == table.n.tolist() == list(range(rows))


def test_two_runs_on_one_cluster_at_a_time_keep_their_functions_apart(client):
    def several(value):
        large = np.full(100_000, value)
        return lambda rng, n: (time.sleep(0.05), large[n])[1]

    with ThreadPoolExecutor(2) as pool:
        tables = list(pool.map(lambda value: run(several(value), grid(n=range(6)), [0], workers=client), (1, 2)))
    assert [set(table.value) for table in tables] == [{1}, {2}]


def test_after_an_error_the_cluster_is_free_again(client, tmp_path, monkeypatch):
    def logged(rng, n):
        (tmp_path / str(n)).touch()
        time.sleep(0.3)

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr("privrl_core.experiments.row_store.RowStore.put", full)
    with pytest.raises(Unfinished, match="0 of 1000 rows are finished and cached in .*; then OSError: no space left"):
        run(logged, grid(n=range(1000)), [0], workers=client, cache=tmp_path / "rows")
    wait_until(lambda: not any(client.processing().values()))
    assert len(list(tmp_path.iterdir())) < 500


def test_a_failure_on_a_worker_is_named_and_the_others_are_there(client):
    with pytest.raises(Unfinished, match="function failed for n=0, seed=0:\n(.|\n)*ZeroDivisionError") as failure:
        run(lambda rng, n: 1 / n, grid(n=[0, 1, 2]), [0], workers=client)
    assert failure.value.table.value.tolist() == [1, 0.5]


CHANGES = {
    "newer": lambda core: (core / "checks.py").write_text((core / "checks.py").read_text() + "\nNEW = 1\n"),
    "older, without this module": lambda core: (core / "experiments" / "workers.py").unlink(),
    "of long ago": lambda core: [shutil.rmtree(core), core.mkdir(), (core / "__init__.py").write_text("AGE = 'old'")],
    "none": lambda core: shutil.rmtree(core)}


@pytest.mark.parametrize("change", CHANGES)
def test_a_worker_with_another_core_is_refused_with_a_sentence(tmp_path, change):
    """A real worker, in a process of its own with a core of its own."""
    distributed = pytest.importorskip("distributed")
    shutil.copytree(ROOT / "privrl_core", tmp_path / "privrl_core", ignore=shutil.ignore_patterns("__pycache__"))
    CHANGES[change](tmp_path / "privrl_core")
    # only what is installed besides: the core is on no path but the one given here
    sites = [path for path in sys.path if "site-packages" in path]
    hidden = f"import sys; sys.path[:] = [path for path in sys.path if path != {str(ROOT)!r}]; " \
             "from distributed.cli.dask_worker import main; main()"
    with (distributed.LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1", silence_logs=50) as cluster,
          distributed.Client(cluster) as client):
        worker = subprocess.Popen([sys.executable, "-c", hidden, cluster.scheduler_address, "--no-nanny", "--no-dashboard"],
                                  cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sites])},
                                  stderr=subprocess.DEVNULL)
        try:
            client.wait_for_workers(1, timeout=600)
            with pytest.raises(Unfinished, match="^0 of 1 rows are finished; then RuntimeError: a worker has privrl_core .*, "
                                                 "and this process .*: install the same there, and restart it$"):
                run(doubled_row, grid(n=[1]), [0], workers=client)
        finally:
            worker.kill()
            worker.wait()


def test_a_worker_that_still_holds_an_older_core_than_its_disk_is_refused(client, monkeypatch):
    """Its files are ours, but it imported others before."""
    def older():
        from privrl_core.experiments import rows, versions

        rows.TRUSTED.clear()
        versions._IMPORTED = "0" * 64

    def younger():
        from privrl_core.experiments import versions

        versions._IMPORTED = versions.source_digest()

    client.run(older)
    try:
        with pytest.raises(Unfinished, match="then RuntimeError: privrl_core has changed on the disk since it was imported"):
            run(doubled_row, grid(n=[1]), [0], workers=client)
    finally:
        client.run(younger)


def doubled_row(rng, n):
    return doubled(n)
