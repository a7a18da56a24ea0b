"""pyproject.toml, requirements.lock, environment.yml and what is installed say the same."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import env
import lock
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DIRECT = [Requirement(line) for lines in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
          for line in lines]
PINS = [Requirement(line) for line in lock.requirements(env.lock())] + [Requirement(env.torch()), Requirement(env.opacus())]
VERSIONS = {pin.name: next(iter(pin.specifier)).version for pin in PINS}


def test_the_lock_pins_every_package_to_one_exact_version():
    assert len(VERSIONS) == len(PINS) > 100
    assert all([clause.operator for clause in pin.specifier] == ["=="] for pin in PINS)


def test_each_pin_of_the_lock_has_hashes():
    assert [pin[0] for pin in lock.PIN.finditer(env.lock()) if "    --hash=sha256:" not in pin[0]] == []
    assert len(lock.PIN.findall(env.lock())) == len(PINS) - 2  # less torch and opacus


def test_a_reader_of_the_library_needs_two_packages_and_no_exact_version():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["numpy", "scipy"]
    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name not in ("book", "test")}
    assert extras.keys() == {"experiments", "pages", "logs", "worlds", "networks", "exact", "cluster"}
    assert [line for lines in extras.values() for line in lines if "==" in line] == []


@pytest.mark.parametrize("requirement", DIRECT, ids=str)
def test_the_lock_satisfies_each_direct_dependency(requirement):
    assert requirement.specifier.contains(VERSIONS[canonicalize_name(requirement.name)])


def test_each_direct_dependency_has_its_reason_beside_it():
    lines = re.findall(r'^  "[\w-]+[~=<>]=.*', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert len(lines) >= len(DIRECT)
    assert [line for line in lines if not re.search(r'",\s+# \S', line)] == []


def test_environment_yml_is_the_lock():
    python, pip, pins = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert pins == {"pip": ["-r requirements.lock"]}
    assert Requirement(python.replace("=", "==")).specifier.contains("3.11") and pip == "pip"


def test_what_a_hub_runs_after_environment_yml_adds_torch_and_the_core_and_nothing_else(tmp_path):
    """repo2docker asks for an executable named postBuild beside environment.yml."""
    recorder = tmp_path / "uv"
    recorder.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n')
    recorder.chmod(0o755)
    subprocess.run([ROOT / "postBuild"], cwd=ROOT, env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)
    install = f"pip install --python {shutil.which('python')} --no-deps"
    assert (tmp_path / "calls").read_text().splitlines() == [
        f"{install} --torch-backend=cpu {env.torch()}", f"{install} --editable ."]


def test_what_is_installed_is_the_lock():
    wanted = {pin.name: VERSIONS[pin.name] for pin in PINS if pin.marker is None or pin.marker.evaluate()}
    installed = {name: importlib.metadata.version(name) for name in wanted}
    assert installed | {"torch": installed["torch"].partition("+")[0]} == wanted


def test_no_cuda_library_is_installed_with_torch():
    names = {canonicalize_name(found.metadata["Name"]) for found in importlib.metadata.distributions()}
    assert {name for name in names if re.match(r"nvidia-|cuda-|triton", name)} == set()


def test_nothing_that_is_committed_names_the_address_of_an_index():
    for name in ("requirements.lock", "environment.yml", "pyproject.toml", "postBuild"):
        assert "://" not in (ROOT / name).read_text(), name


def test_the_core_is_this_one():
    import privrl_core
    assert Path(privrl_core.__file__).parent == ROOT / "privrl_core"
    assert importlib.metadata.version("privrl-core") == PROJECT["version"]


@pytest.mark.xdist_group("one")
def test_groups_of_tests_stay_on_one_process(request):
    """What is costly to set up is shared within a group; without groups all passes, and takes almost twice as long."""
    assert request.node.nodeid.endswith("@one") or not request.config.getoption("loadgroup", False)


def schema_problems(schema: str, file: Path) -> str:
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)],
                          capture_output=True, text=True)
    return done.stdout if done.returncode else ""


def workflow(name: str) -> dict:
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text("utf-8"))


def commands(name: str) -> set[str]:
    """What a workflow runs with make, whichever way of its matrix."""
    return set(re.findall(r"make \w+(?: \w+=--\w+)?", (ROOT / ".github" / "workflows" / name).read_text("utf-8")))


@pytest.mark.parametrize("name", ["book.yml", "weekly.yml"])
def test_a_workflow_is_one_that_the_service_accepts(name, tmp_path):
    path = ROOT / ".github" / "workflows" / name
    assert schema_problems("vendor.github-workflows", path) == ""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(path.read_text().replace("runs-on:", "runs_on:"))
    assert "runs_on" in schema_problems("vendor.github-workflows", wrong)


def test_the_workflow_runs_the_two_commands_of_the_readme_the_editors_checks_and_prints_the_book():
    readme = (ROOT / "README.md").read_text()
    assert set(re.findall(r"^make \w+", readme, re.MULTILINE)) == {"make book", "make test"}
    assert commands("book.yml") == {"make book", "make pdf", "make test", "make lint"}
    assert set(re.findall(r"^make \w+", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)) == {"make test", "make lint"}


def test_the_service_runs_the_oldest_and_the_newest_python_that_the_makefile_accepts():
    low, high = re.search(r"\(3, (\d+)\) <= sys.version_info < \(3, (\d+)\)", (ROOT / "Makefile").read_text()).groups()
    assert workflow("book.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == [f"3.{low}", f"3.{int(high) - 1}"]
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(f"3.{low}")


def test_each_week_the_book_is_built_on_newer_packages_and_by_sphinx_alone():
    assert commands("weekly.yml") == {"make lock UPGRADE=--upgrade", "make book", "make sphinx"}
    assert {"issues": "write"}.items() <= workflow("weekly.yml")["permissions"].items()


def test_the_citation_is_in_the_agreed_form_and_of_this_version():
    assert schema_problems("vendor.citation-file-format", ROOT / "CITATION.cff") == ""
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == PROJECT["version"]


def test_an_interrupted_installation_starts_over(tmp_path, monkeypatch):
    venv = tmp_path / ".venv"
    for name, path in {"VENV": venv, "PYTHON": venv / "python", "STAMP": venv / "complete"}.items():
        monkeypatch.setattr(env, name, path)
    steps = []

    def step(*arguments):
        steps.append(arguments)
        venv.mkdir(exist_ok=True)
        (venv / "python").touch()
        (venv / f"step {len(steps)}").touch()
        if len(steps) == 3:
            raise KeyboardInterrupt

    for name in ("run", "uv", "install_uv", "install_torch"):
        monkeypatch.setattr(env, name, step)
    with pytest.raises(KeyboardInterrupt):
        env.make()
    assert not env.complete() and (venv / "step 1").exists()
    env.make()
    assert env.complete() and not (venv / "step 1").exists() and len(steps) == 3 + 6
    monkeypatch.setattr(env, "lock", lambda: "# torch==2.0\nuv==0.0.1\nother==1.0\n")
    assert not env.complete()


def test_where_the_home_is_read_only_uv_keeps_its_cache_in_a_folder_of_the_project(tmp_path, monkeypatch):
    (tmp_path / "home").touch()  # a file: no folder can be made below it, not even by root
    for wanted, used in ((tmp_path / "home" / "uv", ROOT / "_build" / "uv"), (tmp_path / "cache", tmp_path / "cache")):
        monkeypatch.setenv("UV_CACHE_DIR", str(wanted))
        env.use_a_writable_cache()
        assert os.environ["UV_CACHE_DIR"] == str(used)
