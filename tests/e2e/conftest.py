"""A real server and a real browser: `goldloop serve` as a user starts it, pages in Chromium."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.host_pages import HostPages, host_pages

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1000
STOPS_WITHIN = 60  # seconds; it takes one, and its log says what it waited for
expect.set_options(timeout=30 * SECONDS)  # a busy machine draws late; what never comes still fails


@dataclass(frozen=True)
class Server:
    url: str
    email: str
    password: str
    demo_email: str
    demo_password: str
    data_dir: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[HostPages]:
    """Pages of another origin, which the server allows to call with a key."""
    with host_pages() as hosted:
        yield hosted


@pytest.fixture(scope="session")
def port() -> int:
    """Where the server will be: a sign-in provider has to know before it starts."""
    return free_port()


@pytest.fixture(scope="session")
def corp(port: int) -> Iterator[str]:
    """The issuer of a real sign-in provider on this machine, which sends people back to the server."""
    url = f"http://127.0.0.1:{port}"
    command = ["node", "testing/oidcProvider.mjs", f"{url}/sign-in/corp", f"{url}/sign-in"]
    process = subprocess.Popen(command, cwd=ROOT / "web", stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())["issuer"]
    process.terminate()
    process.wait()


@pytest.fixture(scope="session")
def server(elsewhere: HostPages, corp: str, port: int) -> Iterator[Server]:
    """A first start, with the demo workspace; what it prints is all that the tests know."""
    folder = Path(tempfile.mkdtemp(prefix="goldloop-e2e-"))
    folder.chmod(0o755)
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [
            str(Path(sys.executable).parent / "goldloop"),
            "serve",
            "--demo",
            "--json",
            "--port",
            str(port),
            "--data-dir",
            str(folder / "data"),
        ],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={
            **os.environ,
            "GOLDLOOP_DATABASE_URL": "",
            "GOLDLOOP_ALLOWED_HOSTS": "127.0.0.1",
            "GOLDLOOP_ALLOWED_ORIGINS": elsewhere.url,
            "GOLDLOOP_OIDC_CORP_ISSUER": corp,
            "GOLDLOOP_OIDC_CORP_CLIENT_ID": "goldloop",
            "GOLDLOOP_OIDC_CORP_CLIENT_SECRET": "a secret + of /the tests",
            "GOLDLOOP_OIDC_CORP_DOMAINS": "corp.test",
            "GOLDLOOP_OIDC_CORP_ROLES": "staff=main:reviewer",
        },
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, (folder / "log").read_text()
    started = json.loads(line)
    elsewhere.server = started["url"]
    yield Server(
        url=started["url"],
        email=started["email"],
        password=started["password"],
        demo_email=started["demo"]["email"],
        demo_password=started["demo"]["password"],
        data_dir=folder / "data",
    )
    process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(STOPS_WITHIN)
    written = (folder / "log").read_text()
    assert process.returncode == 0, written[-3000:]
    assert "was still in use" not in written, "somebody kept a connection to the database"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], pytestconfig: pytest.Config
) -> dict[str, Any]:
    """The browser that `make test` found, or one with a window where that is asked for."""
    found = ROOT / ".cache" / "browser"
    if found.exists() and not pytestconfig.getoption("--headed"):
        path = found.read_text().strip()
    else:
        path = shutil.which("chromium") or "playwright"
    flags = [
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
    ]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    chosen = {} if path == "playwright" else {"executable_path": path}
    return {**browser_type_launch_args, **chosen, "args": flags}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], server: Server) -> dict[str, Any]:
    return {**browser_context_args, "base_url": server.url, "viewport": {"width": 1280, "height": 800}}


def sign_in(page: Page, email: str, password: str, to: str = "/") -> None:
    page.goto("/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation").first).to_be_visible()
    if to != "/":
        page.goto(to)


def client_with_key(server: Server, name: str, *holder: str) -> httpx.Client:
    """A program with a key of the first workspace that an operator made; `holder` as the command takes it."""
    command = [sys.executable, "-m", "goldloop.cli.main", "key", "create", "--tenant", "main", "--json"]
    command += ["--name", name, "--data-dir", str(server.data_dir), *holder]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    return keyed(server, json.loads(made.stdout)["key"])


def keyed(server: Server, key: str) -> httpx.Client:
    """A program with a key. Each request has a connection of its own: while a page is looked at, the server closes those
    that nobody uses, and one that is used at that moment would fail."""
    headers = {"Authorization": f"Bearer {key}"}
    fresh = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(base_url=server.url, headers=headers, timeout=60, limits=fresh)


@pytest.fixture(scope="session")
def owner_state(browser: Browser, server: Server) -> Any:
    """The cookies of the signed-in owner, so that not every test signs in (sign-ins are limited)."""
    return _state(browser, server, server.email, server.password)


@pytest.fixture(scope="session")
def demo_state(browser: Browser, server: Server) -> Any:
    return _state(browser, server, server.demo_email, server.demo_password)


def _state(browser: Browser, server: Server, email: str, password: str) -> Any:
    context = browser.new_context(base_url=server.url)
    sign_in(context.new_page(), email, password)
    state = context.storage_state()
    context.close()
    return state
