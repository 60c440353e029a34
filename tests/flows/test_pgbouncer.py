"""Behind PgBouncer in transaction mode everything works as it does without, with the statement cache off."""

import asyncio
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from goldloop.kit.db import open_database
from tests.servers import (
    GOLDLOOP,
    PGBOUNCER,
    Program,
    Server,
    environment,
    eventually,
    free_port,
    listening,
    open_folder,
    pooled,
)

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("cluster")
async def test_the_tests_of_the_api_pass_through_pgbouncer(data_dir: Path) -> None:
    """On this PostgreSQL. All but those that mostly hash passwords; a sign-in through the pooler is below."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pytest", "tests/tenants", "tests/jobs/test_api.py"),
        *("--ignore=tests/tenants/test_sign_in.py", "--ignore=tests/tenants/test_accounts.py"),
        *("-m", "database", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"),
        cwd=ROOT,
        env=environment({"GOLDLOOP_TEST_PGBOUNCER": "1", "GOLDLOOP_TEST_DATA_DIR": str(data_dir)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()[-5000:]
    assert b" passed" in out


async def test_a_server_behind_pgbouncer_serves_listens_and_works(fresh_database_url: str) -> None:
    with pooled(fresh_database_url) as url, open_folder() as folder:
        port = free_port()
        program = Program(
            [*GOLDLOOP, "serve", "--json", "--port", str(port), "--data-dir", str(folder / "data")],
            folder,
            {
                "GOLDLOOP_DATABASE_URL": url,
                "GOLDLOOP_DIRECT_URL": fresh_database_url,
                "GOLDLOOP_STATEMENT_CACHE": "0",
            },
        )
        try:
            hello = await program.line()
            server = Server(program=program, data_dir=folder / "data", port=port, hello=hello)
            async with server.client() as browser:
                await eventually(lambda: _ready(server), 20)
                signed_in = await browser.post(
                    "/api/session", json={"email": hello["email"], "password": hello["password"]}
                )
                browser.headers["X-Goldloop-CSRF"] = signed_in.json()["csrf_token"]
                async with listening(server.client(cookies=browser.cookies)) as heard:
                    made = (await browser.post("/api/keys", json={"name": "ci", "role": "owner"})).json()
                    await heard.said("change", "keys")
                async with server.client(made["key"]) as holder:
                    answers = await asyncio.gather(*(holder.get("/api/workspace") for _ in range(50)))
                    assert {answer.status_code for answer in answers} == {200}

                    async def recorded() -> bool:
                        return (await holder.get(f"/api/keys/{made['id']}")).json()[
                            "last_used_at"
                        ] is not None

                    await eventually(recorded)
        finally:
            program.close()
        assert "prepared statement" not in program.log.read_text()


async def _ready(server: Server) -> bool:
    async with server.client() as client:
        try:
            return (await client.get("/readyz")).status_code == 200
        except OSError:
            return False


async def test_what_one_transaction_sets_the_next_on_the_same_connection_does_not_see(
    fresh_database_url: str,
) -> None:
    with pooled(fresh_database_url) as url:
        async with open_database(url, statement_cache=0, size=8) as db:

            async def look() -> str:
                async with db.anonymous() as connection:
                    before = await connection.fetchval("SELECT current_setting('app.tenant', true)")
                    await connection.execute("SELECT set_config('app.tenant', gen_random_uuid()::text, true)")
                    await asyncio.sleep(0.01)
                    return str(before or "")

            assert set(await asyncio.gather(*(look() for _ in range(40)))) == {""}


async def test_the_pooler_of_these_tests_is_in_transaction_mode(fresh_database_url: str) -> None:
    """Else the tests above prove nothing: outside a transaction, two clients share one server connection."""
    with pooled(fresh_database_url) as url:
        clients = [await asyncpg.connect(url, statement_cache_size=0) for _ in range(8)]
        backends = {await client.fetchval("SELECT pg_backend_pid()") for client in clients}
        for client in clients:
            await client.close()
    assert len(backends) < len(clients)
