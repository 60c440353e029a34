"""Where suites come from, and what is said when they do not come."""

from pathlib import Path

import pytest

from goldloop.artifact_evals.discovery import SuitesNotLoaded, load_folder, select_suites
from tests.artifact_evals.folders import SUITE, write_package, write_suite

WORKED = ["evidence-claim", "therapy-plan", "pf_idea", "pf_knowledge"]


def names(*wanted: str, folders: tuple[Path, ...] = ()) -> list[str]:
    return [suite.name for suite in select_suites(wanted, folders)]


def test_without_a_word_all_that_are_installed() -> None:
    assert names() == WORKED


def test_by_name_in_the_order_asked_for_and_once(tmp_path: Path) -> None:
    assert names("pf_idea", "evidence-claim", "pf_idea") == ["pf_idea", "evidence-claim"]
    ours = write_suite(tmp_path / "a")
    assert names("ours", "pf_idea", folders=(ours,)) == ["ours", "pf_idea"]


def test_with_a_folder_only_what_is_in_it(tmp_path: Path) -> None:
    assert names(folders=(write_suite(tmp_path / "a", "x"), write_suite(tmp_path / "b", "y"))) == ["x", "y"]


def test_a_folder_is_read_anew_each_time(tmp_path: Path) -> None:
    assert names(folders=(write_suite(tmp_path / "a", "before"),)) == ["before"]
    assert names(folders=(write_suite(tmp_path / "a", "afterwards"),)) == ["afterwards"]


def test_modules_of_a_folder_import_each_other_and_tests_are_left_alone(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "evals")
    (folder / "again.py").write_text("from .suite import SUITE\nfrom . import _private\n")
    (folder / "_private.py").write_text("")
    for name in ("test_x.py", "conftest.py", "_broken.py"):
        (folder / name).write_text("raise RuntimeError('not to be imported')")
    assert [suite.name for suite in load_folder(folder)] == ["ours"]


@pytest.mark.parametrize("value", ["acme_suites:SUITE", "acme_suites:LIST"])
def test_an_installed_package_adds_its_suites(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = SUITE.format(name="acme", fixtures="*WORKED.fixtures,") + "LIST = [SUITE]\n"
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", value, module))
    monkeypatch.delitem(__import__("sys").modules, "acme_suites", raising=False)
    assert names() == [*WORKED, "acme"]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            "acme_gone:SUITE",
            "the entry point acme = acme_gone:SUITE cannot be loaded: ModuleNotFoundError: No module named",
        ),
        ("acme_suites:GONE", "cannot be loaded"),
        ("acme_suites:SUITE", "is no KnowledgeEvalSuite"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named(
    value: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", value, "SUITE = 5\n"))
    monkeypatch.delitem(__import__("sys").modules, "acme_suites", raising=False)
    with pytest.raises(SuitesNotLoaded, match=says):
        select_suites()


def test_a_package_that_exits_while_it_is_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(
        write_package(tmp_path / "site", "acme_suites:SUITE", "raise SystemExit(0)\n")
    )
    monkeypatch.delitem(__import__("sys").modules, "acme_suites", raising=False)
    with pytest.raises(SuitesNotLoaded, match="cannot be loaded: SystemExit: 0"):
        select_suites()


def test_what_is_not_there_is_said_with_what_is() -> None:
    with pytest.raises(
        SuitesNotLoaded, match="there is no suite nope; there are evidence-claim, therapy-plan"
    ):
        names("nope")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (None, "is not a folder"),
        ("x = 1", "no module in .* has a KnowledgeEvalSuite"),
        ("import nothing_like_it", "broken.py cannot be imported: ModuleNotFoundError"),
        ("def f(:", "broken.py cannot be imported: SyntaxError"),
        ("exit(0)", "broken.py cannot be imported: SystemExit: 0"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(source: str | None, says: str, tmp_path: Path) -> None:
    folder = tmp_path / "evals"
    if source is not None:
        folder.mkdir()
        (folder / "broken.py").write_text(source)
    with pytest.raises(SuitesNotLoaded, match=says):
        names(folders=(folder,))


def test_two_suites_of_one_name_are_refused(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "a", "pf_idea")
    assert names(folders=(folder,)) == ["pf_idea"]
    with pytest.raises(SuitesNotLoaded, match="two suites are called pf_idea"):
        names("pf_idea", folders=(folder,))
