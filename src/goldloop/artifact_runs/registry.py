"""Which suites this server has: those that ship and those of installed packages. Looked up once. Infrastructure."""

import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from goldloop.artifact_evals.discovery import find_installed
from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_runs.model import SuiteNotFound

log = logging.getLogger("goldloop.artifact_evals")

LONGEST_NAME = 200  # of a suite, which is part of addresses
CRITERIA_SLUG = 120  # the longest slug of a criteria set


class Installed(NamedTuple):
    suites: Mapping[str, KnowledgeEvalSuite]
    problems: tuple[str, ...]


@cache
def installed() -> Installed:
    """A package that cannot be loaded takes no other suite with it."""
    found, problems = find_installed()
    suites: dict[str, KnowledgeEvalSuite] = {}
    for suite in found:
        if suite.name in suites:
            problems.append(f"two suites are called {suite.name}: give one of them another name")
        elif not 0 < len(suite.name) <= LONGEST_NAME or "/" in suite.name:
            problems.append(
                f"{suite.name[:LONGEST_NAME]!r} cannot be part of an address: give it another name"
            )
        else:
            suites[suite.name] = suite
    for problem in problems:
        log.warning("a artifact eval suite is not offered", extra={"problem": problem})
    return Installed(suites, tuple(problems))


def find_suite(name: str) -> KnowledgeEvalSuite | None:
    return installed().suites.get(name)


def access_suite(name: str) -> KnowledgeEvalSuite:
    suite = find_suite(name)
    if suite is None:
        raise SuiteNotFound
    return suite


def criteria_set_slug(suite: str) -> str:
    """The slug of the criteria set that asks people what the suite's rubric checks."""
    return f"knowledge-{re.sub(r'[^a-z0-9_-]+', '-', suite.lower())}"[:CRITERIA_SLUG]
