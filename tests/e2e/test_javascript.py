"""The JavaScript client in Node and in a page of another origin, as it is built and served."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import ROOT, Server, client_with_key, keyed
from tests.e2e.host_pages import HostPages

CLIENT = ROOT / "clients" / "js"
TESTS = sorted(path.name for path in (CLIENT / "test").glob("*.test.js"))
MOST_BYTES = 30_000  # of the client, minified


@pytest.fixture(scope="module")
def key(server: Server) -> str:
    with client_with_key(server, "javascript", "--role", "admin") as client:
        return client.headers["Authorization"].removeprefix("Bearer ")


@pytest.mark.parametrize("name", TESTS)
def test_the_client_does_in_node_what_it_promises(server: Server, key: str, name: str) -> None:
    done = subprocess.run(
        ["node", "--test", f"test/{name}"],
        cwd=CLIENT,
        env={**os.environ, "GOLDLOOP_URL": server.url, "GOLDLOOP_KEY": key},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def test_the_client_is_small_and_needs_nothing_else() -> None:
    package = json.loads((CLIENT / "package.json").read_text())
    built = CLIENT / package["exports"]["."]["default"]
    assert built.stat().st_size < MOST_BYTES
    assert not {"dependencies", "peerDependencies", "optionalDependencies"} & package.keys()
    assert "import " not in built.read_text()[:2000], "one file"
    assert package["type"] == "module"
    assert (CLIENT / package["exports"]["."]["types"]).is_file()


def test_a_typescript_program_is_checked_against_the_types(tmp_path: Path) -> None:
    """What is right passes, and each line that is not is found."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "goldloop").symlink_to(CLIENT)
    (tmp_path / "program.mts").write_text(PROGRAM)
    tsc = ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"
    for resolution, module in (("bundler", "esnext"), ("nodenext", "nodenext")):
        options = ["--strict", "--target", "es2022", "--lib", "es2022,dom", "--noEmit"]
        options += ["--moduleResolution", resolution, "--module", module]
        command = ["node", str(tsc), *options, "program.mts"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


PROGRAM = """
import { Client, type Entity, GoldloopError, type Session } from "goldloop";

const client = new Client({ url: "http://127.0.0.1:8400", key: "gl_x" });
const one: Entity = await client.entities.show("id");
for await (const row of client.entities.list({ type: "vendor", sort: "-score" })) row.title.toUpperCase();
const ended: Session = await client.sessions.end("id", { status: "completed" });
const queued: boolean = client.background.addTurn("P", "c", { turn_id: "t", user: "Hi" });
const answer: number = await client.session({ agent: "x" }).run(async (session) => session.tool("f", () => 7)());
// @ts-expect-error: there is no such field
one.titel;
// @ts-expect-error: nor can a list be asked for that
client.entities.list({ kind: "vendor" });
// @ts-expect-error: a status is a word from a list
client.sessions.end("id", { status: "done" });
// @ts-expect-error: there is no such method
client.entities.destroy("id");
export { answer, ended, GoldloopError, queued };
"""


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title>
<script type="module" src="/program.js"></script><main><h1>Elsewhere</h1><pre id="said"></pre></main></html>"""


def test_a_page_of_an_allowed_origin_calls_with_a_key(
    server: Server, key: str, page: Page, elsewhere: HostPages
) -> None:
    elsewhere.pages["/client"] = PAGE
    elsewhere.pages["/program.js"] = f"""
import {{ Client }} from "{server.url}/client.js";
const client = new Client({{ url: "{server.url}", key: "{key}" }});
const said = (text) => document.getElementById("said").append(text, "\\n");
client.background.addTurn("Pages", "from-a-page", {{ turn_id: "t1", user: "Hi", assistant: "Ho" }});
said(await client.flush(30000));
said((await client.conversations.show("Pages", "from-a-page")).turns.map((turn) => turn.assistant).join());
await client.entities.show("01990000-0000-7000-8000-000000000000").catch((error) => said(`${{error.status}} ${{error.code}} ${{error.requestId !== null}}`));
said(document.cookie === "");
window.goldloop = client;
"""
    page.goto(f"{elsewhere.url}/client")
    expect(page.locator("#said")).to_have_text("true\nHo\n404 entity_not_found true\ntrue\n")
    page.evaluate(
        "goldloop.background.addTurn('Pages', 'from-a-page', { turn_id: 't2', assistant: 'Last words' })"
    )
    page.goto("about:blank")  # at once: what waits outlives the page
    with keyed(server, key) as reader:
        for _ in range(300):
            turns = reader.get("/api/conversations/Pages/from-a-page").json()["turns"]
            if len(turns) == 2:
                break
            page.wait_for_timeout(100)
    assert [turn["assistant"] for turn in turns] == ["Ho", "Last words"]


def test_a_page_of_another_origin_is_not_answered(
    server: Server, key: str, page: Page, elsewhere: HostPages
) -> None:
    """As 127.0.0.1 the same pages are of an origin that nobody allowed."""
    elsewhere.pages["/other"] = PAGE.replace("program", "other")
    elsewhere.pages["/other.js"] = f"""
import {{ Client }} from "{server.url}/client.js";
const client = new Client({{ url: "{server.url}", key: "{key}", retry: {{ attempts: 1 }} }});
client.inbox.show().catch((error) => document.getElementById("said").append(error.code));
"""
    page.goto(f"{elsewhere.url.replace('localhost', '127.0.0.1')}/other")
    expect(page.locator("#said")).to_have_text("connection_failed")
