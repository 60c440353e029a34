"""The lines of the documentation by which a receiver finds out that a request is ours, in both languages."""

import base64
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.webhooks.receivers import Hooks, receiving

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "webhooks.md").read_text()
ASK = """
import { isOurs } from "./verify.mjs";
const { secret, headers, body } = JSON.parse(process.argv[2]);
console.log(isOurs(secret, headers, Buffer.from(body, "base64")));
"""


def written(name: str) -> str:
    """The block below the name of its file."""
    found = re.search(rf"^`{re.escape(name)}`\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/webhooks.md has no {name}"
    return found[1]


def in_python(secret: str, headers: dict[str, str], body: bytes, folder: Path) -> bool:
    module: dict[str, Any] = {}
    exec(written("verify.py"), module)
    return bool(module["is_ours"](secret, headers, body))


def in_javascript(secret: str, headers: dict[str, str], body: bytes, folder: Path) -> bool:
    (folder / "verify.mjs").write_text(written("verify.mjs"))
    (folder / "ask.mjs").write_text(ASK)
    asked = json.dumps({"secret": secret, "headers": headers, "body": base64.b64encode(body).decode()})
    done = subprocess.run(
        ["node", "ask.mjs", asked], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip() == "true"


@pytest.mark.parametrize("check", [in_python, in_javascript])
async def test_a_receiver_knows_what_is_ours(hooks: Hooks, tmp_path: Path, check: Any) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, "agent.created")
        rotated = (await hooks.admin.post(f"/api/webhooks/{hook['id']}/rotate", json={})).json()
        await hooks.happen()
        await hooks.send(hook)
        (request,) = receiver.requests
    for secret in (hook["secret"], rotated["secret"]):
        assert check(secret, request.headers, request.body, tmp_path)
    assert not check(hook["secret"], request.headers, request.body + b" ", tmp_path)
    old = {**request.headers, "webhook-timestamp": "1614265330"}
    assert not check(hook["secret"], old, request.body, tmp_path)
    foreign = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
    assert not check(foreign, request.headers, request.body, tmp_path)
