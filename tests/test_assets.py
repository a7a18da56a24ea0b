"""What is committed as built is what its source builds, byte for byte; and it carries its licences."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "book" / "js"
VENDOR = ROOT / "book" / "assets" / "vendor"
SCRIPTS = ROOT / "book" / "assets" / "scripts"
EXPLORER = ROOT / "privrl_core" / "pages" / "explorer"
BUILT = [VENDOR, SCRIPTS, EXPLORER / "explorer.js", EXPLORER / "explorer.LICENSES.txt",
         *(ROOT / "privrl_core" / "pages" / name / f"{name}.js" for name in ("game", "hospital"))]


def files(root: Path) -> dict[str, bytes]:
    found = [path for start in BUILT for path in [root / start.relative_to(ROOT)]]
    found = [path for start in found for path in (start.rglob("*") if start.is_dir() else [start]) if path.is_file()]
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def packages():
    if not shutil.which("npm"):
        pytest.skip("no Node here: only a maintainer's machine and the service rebuild the assets")
    wanted = json.loads((SOURCE / "package.json").read_text())["devDependencies"]
    installed = {name: SOURCE / "node_modules" / name / "package.json" for name in wanted}
    if all(path.exists() and json.loads(path.read_text())["version"] == wanted[name] for name, path in installed.items()):
        return
    try:
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"],
                       cwd=SOURCE, check=True, capture_output=True, timeout=180)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("the packages of book/js cannot be fetched here")


def test_a_rebuild_gives_the_same_bytes(packages, tmp_path):
    subprocess.run(["node", "build.mjs", tmp_path], cwd=SOURCE, check=True, capture_output=True)
    committed, rebuilt = files(ROOT), files(tmp_path)
    assert rebuilt.keys() == committed.keys()
    assert [name for name in rebuilt if rebuilt[name] != committed[name]] == [], "`make assets` builds them"


def test_every_version_is_exact_and_the_lock_holds_no_address():
    package, lock = (json.loads((SOURCE / name).read_text()) for name in ("package.json", "package-lock.json"))
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["devDependencies"].values())
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    for name, entry in lock["packages"].items():
        assert "resolved" not in entry, name
        assert not name or entry["integrity"].startswith("sha512-")


def test_every_package_in_a_bundle_has_its_licence_beside_it():
    for path, least in ((VENDOR / "widgets" / "LICENSES.txt", 30), (EXPLORER / "explorer.LICENSES.txt", 10), (SCRIPTS / "fontawesome.LICENSES.txt", 2)):
        parts = path.read_text("utf-8").split("-" * 100)
        assert len(parts) >= least
        for part in parts:
            heading, _, text = part.strip().partition("\n")
            assert re.fullmatch(r"\S+ \d+\.\d+\.\S+ \((MIT|ISC|BSD-3-Clause|BSD-2-Clause|Apache-2\.0|.*MIT.*)\)", heading), heading
            assert "copyright" in text.lower(), heading
    fonts = (VENDOR / "fonts" / "LICENSES.txt").read_text("utf-8")
    assert fonts.count("SIL OPEN FONT LICENSE") == len({path.name.split("-wght")[0].rsplit("-", 1)[0] for path in (VENDOR / "fonts").glob("*.woff2")})
    assert "Apache License" in (VENDOR / "mathjax" / "LICENSE.txt").read_text("utf-8")


def test_every_face_of_the_style_sheet_is_there_and_no_other():
    named = re.findall(r'url\("(vendor/fonts/[^"]+)"\)', (VENDOR.parent / "book.css").read_text("utf-8"))
    assert sorted(named) == sorted(str(path.relative_to(VENDOR.parent)) for path in (VENDOR / "fonts").glob("*.woff2"))


def test_nothing_in_the_assets_names_the_folder_that_jupyter_book_puts_on_every_page():
    assert not [path for path in (ROOT / "book").rglob("_static")]
