"""One kind of folder: which files a concept may have, which a container of concepts, and how containers are ordered.

A container has a shared `model.py`, pure files, `demo.py`, `permissions.py` and sub-concepts in the order that its `__init__.py`
states. A concept has the files below; whatever else it has says in its docstring what it is: `Pure.` or `Infrastructure.`
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

import pytest

from goldloop.concepts import CONCEPTS
from goldloop.migrations.files import PACKAGE

CONCEPT_FILES = {"__init__", "model", "store", "events", "service", "api", "jobs", "tools", "demo", "permissions", "surfaces", "inbox", "tasks"}  # fmt: skip
CONTAINER_FILES = {"__init__", "model", "demo", "permissions"}
SECOND_OF_ITS_KIND = ("_store", "_service")  # `run_store.py`: where one file would hold two subjects

Sources = Mapping[str, str]
Rule = Callable[[Sources], Iterator[str]]
SOURCES = {
    str(PurePosixPath(path.relative_to(PACKAGE))): path.read_text()
    for concept in CONCEPTS
    for path in sorted((PACKAGE / concept).rglob("*"))
    if path.suffix in (".py", ".sql")
}


def kind_of(source: str) -> str | None:
    """What a file says that it is, at the end of the first paragraph of its docstring or at the end of all."""
    found = re.search(r"\b(Pure|Infrastructure)\.(?=\n\n|\s*\Z)", ast.get_docstring(ast.parse(source)) or "")
    return found[1] if found else None


def packages(sources: Sources) -> dict[str, list[str]]:
    """The sub-packages of every package by name; none for a concept."""
    folders = {str(PurePosixPath(path).parent) for path in sources}
    return {
        folder: sorted(PurePosixPath(f).name for f in folders if str(PurePosixPath(f).parent) == folder)
        for folder in sorted(folders)
    }


def stated_order(source: str) -> list[str]:
    """`ORDER` of a container's `__init__.py`."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ORDER":
            return list(ast.literal_eval(node.value))
    return []


def files_are_of_known_kinds(sources: Sources) -> Iterator[str]:
    parts = packages(sources)
    for path, source in sources.items():
        folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).stem
        if path.endswith(".sql"):
            if parts[folder]:
                yield f"{path}: a SQL function belongs to a sub-concept, beside the store that calls it"
        elif parts[folder]:
            if name not in CONTAINER_FILES and kind_of(source) != "Pure":
                yield f"{path}: {folder} holds sub-concepts. Move this into one of them, or make it pure and say so"
        elif name not in CONCEPT_FILES and not name.endswith(SECOND_OF_ITS_KIND) and kind_of(source) is None:
            yield (
                f"{path}: use cases go to service.py, SQL to store.py, routes to api.py. A file of another name computes "
                "(its docstring ends in `Pure.`) or runs processes, threads, streams or models (`Infrastructure.`)"
            )


def infrastructure_takes_no_transaction(sources: Sources) -> Iterator[str]:
    for path, source in sources.items():
        if path.endswith(".sql") or kind_of(source) != "Infrastructure":
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "tx" in {
                a.arg for a in node.args.args
            }:
                yield f"{path}:{node.lineno}: {node.name} takes `tx`: it is a use case, or SQL for the store"


def containers_state_their_order(sources: Sources) -> Iterator[str]:
    for folder, inside in packages(sources).items():
        if not inside:
            continue
        order = stated_order(sources[f"{folder}/__init__.py"])
        if sorted(order) != inside:
            yield f"{folder}/__init__.py: ORDER = (…) names each of {inside} once, in the order in which data flows"


def imports_follow_the_order_of_their_container(sources: Sources) -> Iterator[str]:
    """To the left. A service may also read by the store of one to its right: the stores of a container are one layer."""
    parts = packages(sources)
    for path, source in sources.items():
        if path.endswith(".sql"):
            continue
        here = PurePosixPath(path).parts
        container, own = (here[0], here[1]) if len(here) > 2 else (here[0], None)
        if not parts[container] or (own is None and here[-1] == "demo.py"):
            continue
        order = stated_order(sources[f"{container}/__init__.py"])
        for line, module in _imports(source):
            inside = module.removeprefix(f"goldloop.{container}.").split(".")
            if not module.startswith(f"goldloop.{container}.") or inside[0] not in order or inside[0] == own:
                continue
            reads = own is not None and here[-1] != "store.py" and "store" in inside[1:2]
            if own is None or (order.index(inside[0]) > order.index(own) and not reads):
                yield f"{path}:{line}: imports {module}, which comes later in ORDER of {container}/__init__.py"


def _imports(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


RULES: list[Rule] = [
    files_are_of_known_kinds,
    infrastructure_takes_no_transaction,
    containers_state_their_order,
    imports_follow_the_order_of_their_container,
]
CONTAINER = {"c/__init__.py": "ORDER = ('a', 'b')", "c/a/__init__.py": "", "c/b/__init__.py": ""}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_folder_keeps_the_rule(rule: Rule) -> None:
    assert len(SOURCES) > 100
    assert not (faults := list(rule(SOURCES))), "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("rule", "sources"),
    [
        (files_are_of_known_kinds, {"jobs/__init__.py": "", "jobs/helpers.py": "'''Helps.'''"}),
        (files_are_of_known_kinds, CONTAINER | {"c/service.py": "'''Use cases.'''"}),
        (files_are_of_known_kinds, CONTAINER | {"c/store.py": ""}),
        (files_are_of_known_kinds, CONTAINER | {"c/runner.py": "'''Runs. Infrastructure.'''"}),
        (files_are_of_known_kinds, CONTAINER | {"c/submit.sql": ""}),
        (
            infrastructure_takes_no_transaction,
            {"jobs/__init__.py": "", "jobs/runner.py": "'''Runs. Infrastructure.'''\nasync def f(tx): 0"},
        ),
        (containers_state_their_order, CONTAINER | {"c/__init__.py": ""}),
        (containers_state_their_order, CONTAINER | {"c/__init__.py": "ORDER = ('a',)"}),
        (containers_state_their_order, CONTAINER | {"c/__init__.py": "ORDER = ('a', 'b', 'gone')"}),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/a/service.py": "from goldloop.c.b import service"}),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/a/store.py": "from goldloop.c.b import store"}),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/model.py": "from goldloop.c.a.model import A"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_the_rule_bites(rule: Rule, sources: Sources) -> None:
    assert list(rule(sources))


@pytest.mark.parametrize(
    ("rule", "sources"),
    [
        (files_are_of_known_kinds, {"jobs/__init__.py": "", "jobs/run_store.py": "", "jobs/do.sql": ""}),
        (files_are_of_known_kinds, {"jobs/__init__.py": "", "jobs/waits.py": "'''Waits. Pure.\n\nMore.'''"}),
        (files_are_of_known_kinds, CONTAINER | {"c/demo.py": "", "c/ids.py": "'''Ids. Pure.'''"}),
        (containers_state_their_order, CONTAINER),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/b/service.py": "from goldloop.c.a import service"}),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/a/service.py": "from goldloop.c.b import store"}),
        (imports_follow_the_order_of_their_container, CONTAINER | {"c/demo.py": "from goldloop.c.b import service"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_the_rule_lets_good_folders_be(rule: Rule, sources: Sources) -> None:
    assert not list(rule(sources))


def test_each_rule_has_a_row_that_breaks_it() -> None:
    (table,) = test_the_rule_bites.pytestmark  # type: ignore[attr-defined]
    assert {row[0] for row in table.args[1]} == set(RULES)
