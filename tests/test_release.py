"""What a release must be and must not hold; the whole of it is `make release`."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from release import (
    NEEDED,
    NotReleased,
    faults_of_a_file,
    faults_of_the_sdist,
    faults_of_the_source,
    faults_of_the_wheel,
    version_of,
)

import goldloop
from goldloop.migrations.releases import RELEASES

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-18\n\n- More\n"
WHEEL = [*NEEDED, "goldloop/migrations/0001_a.up.sql", "goldloop-0.2.0.dist-info/METADATA"]
SDIST = [
    f"goldloop-0.2.0/{name}"
    for name in ("PKG-INFO", "pyproject.toml", "src/goldloop/__init__.py", "web/dist/index.html")
]


def test_the_version_is_stated_once_and_everything_else_has_it_from_there() -> None:
    init = (ROOT / "src" / "goldloop" / "__init__.py").read_text()
    assert version_of(init) == goldloop.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/goldloop/__init__.py"
    assert json.loads((ROOT / "clients/js/package.json").read_text())["version"] == goldloop.__version__
    assert json.loads((ROOT / "web/openapi.json").read_text())["info"]["version"] == goldloop.__version__


def test_the_changelog_has_every_release_newest_first() -> None:
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## [")]
    assert headings[0] == "## [Unreleased]"
    assert [heading.split("]")[0].removeprefix("## [") for heading in headings[1:]] == list(RELEASES)[::-1]


@pytest.mark.parametrize("init", ["", '__version__ = "1.0"', '__version__ = "1.0.0.dev1"'])
def test_a_version_has_three_numbers(init: str) -> None:
    with pytest.raises(NotReleased, match="three numbers"):
        version_of(init)


def source(**changes: Any) -> list[str]:
    ready: dict[str, Any] = {
        "changelog": CHANGELOG,
        "js_package": '{"version": "0.2.0"}',
        "releases": {"0.1.0": 3, "0.2.0": 5},
        "newest_migration": 5,
    }
    return faults_of_the_source("0.2.0", **{**ready, **changes})


def test_a_source_that_is_ready_has_no_fault() -> None:
    assert source() == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"changelog": CHANGELOG.replace("[0.2.0]", "[0.1.0]")}, "no section"),
        ({"changelog": CHANGELOG.replace(" - 2026-11-18", "")}, "no section"),
        ({"changelog": CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n- Not yet\n")}, "empty section"),
        ({"changelog": CHANGELOG.replace("## [Unreleased]\n", "")}, "empty section"),
        ({"js_package": '{"version": "0.1.0"}'}, "clients/js"),
        ({"releases": {"0.1.0": 3}}, "releases.py"),
        ({"releases": {"0.2.0": 5, "0.1.0": 3}}, "releases.py"),
        ({"newest_migration": 6}, "'0.2.0': 6"),
    ],
)
def test_a_source_that_is_not_ready_is_told_why(changes: dict[str, Any], fault: str) -> None:
    found = source(**changes)
    assert len(found) == 1
    assert fault in found[0]


def test_a_wheel_has_the_package_with_its_pages_and_migrations_and_nothing_else() -> None:
    assert faults_of_the_wheel("0.2.0", WHEEL, ["0001_a.up.sql"]) == []
    assert faults_of_the_wheel("0.2.0", WHEEL, ["0002_b.up.sql"]) == [
        "the wheel lacks goldloop/migrations/0002_b.up.sql"
    ]
    no_pages = [name for name in WHEEL if "index.html" not in name]
    assert faults_of_the_wheel("0.2.0", no_pages, []) == ["the wheel lacks goldloop/web_dist/index.html"]


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_a.py",
        "goldloop/tests/test_a.py",
        "goldloop/__pycache__/a.cpython-311.pyc",
        "goldloop/web_dist/node_modules/x/index.js",
        "goldloop/.env",
        "goldloop/tls.key",
        "goldloop/first-password.txt",
        "goldloop/.goldloop/postgres.log",
        "goldloop-0.1.0.dist-info/METADATA",
    ],
)
def test_what_is_no_part_of_a_wheel_is_found(name: str) -> None:
    assert f"the wheel has {name}" in faults_of_the_wheel("0.2.0", [*WHEEL, name], [])


def test_an_sdist_has_the_source_and_the_built_pages() -> None:
    assert faults_of_the_sdist("0.2.0", SDIST) == []
    assert faults_of_the_sdist("0.2.0", SDIST[:-1]) == ["the sdist lacks the built web UI"]


@pytest.mark.parametrize(
    "name", ["tests/conftest.py", "goldloop.toml", "web/node_modules/x.js", "bench/a.py"]
)
def test_what_is_no_part_of_an_sdist_is_found(name: str) -> None:
    assert faults_of_the_sdist("0.2.0", [*SDIST, f"goldloop-0.2.0/{name}"]) != []


def test_everything_of_an_sdist_is_in_one_folder() -> None:
    assert "the sdist has pyproject.toml" in faults_of_the_sdist("0.2.0", [*SDIST, "pyproject.toml"])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"-----BEGIN RSA PRIVATE KEY-----\n" + b"A" * 64, "a private key"),
        (b"AKIA" + b"A" * 16, "a key of AWS"),
        (b'key = "sk-ant-' + b"a1" * 20 + b'"', "a key of OpenAI or Anthropic"),
        (b"ghp_" + b"a" * 36, "a token of GitHub"),
        (b"gl_" + b"a" * 43, "a key of Goldloop"),
    ],
)
def test_a_secret_in_a_file_is_found(content: bytes, what: str) -> None:
    assert faults_of_a_file("a.py", b"x = " + content, []) == [f"a.py has {what}"]


def test_a_file_names_no_place_of_the_machine_that_it_was_made_on() -> None:
    assert faults_of_a_file("a.js", b"from /build/here/x", ["/build/here"]) == ["a.js names /build/here"]
    assert (
        faults_of_a_file("a.js", b"-----BEGIN PRIVATE KEY----- is how one begins; sk-short", ["/build"]) == []
    )
