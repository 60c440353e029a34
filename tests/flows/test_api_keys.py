"""The story of an API key, from the first start to its end, over real HTTP and two processes."""

from typing import Any

import httpx

from tests.servers import Program, Server, eventually, free_port, goldloop_with, listening, running_server


async def test_a_key_is_made_used_seen_and_revoked_everywhere_within_about_a_second() -> None:
    async with running_server() as server:
        # The server said how to sign in.
        assert server.hello["url"] == server.url
        async with server.client() as browser:
            signed_in = await browser.post(
                "/api/session", json={"email": server.hello["email"], "password": server.hello["password"]}
            )
            assert signed_in.status_code == 201
            assert [w["role"] for w in signed_in.json()["workspaces"]] == ["owner"]

            # A browser's writes need the token of its session.
            new = {"name": "ci", "role": "viewer"}
            forged = await browser.post("/api/keys", json=new)
            assert (forged.status_code, forged.json()["code"]) == (403, "csrf_failed")
            browser.headers["X-Goldloop-CSRF"] = signed_in.json()["csrf_token"]

            # A page that is open hears of the new key.
            page = server.client(cookies=browser.cookies)
            async with listening(page) as heard:
                made = await browser.post("/api/keys", json=new)
                assert made.status_code == 201
                await heard.said("change", "keys")
            await _use_and_revoke(server, browser, made.json())


async def _use_and_revoke(server: Server, browser: httpx.AsyncClient, made: dict[str, Any]) -> None:
    # A program uses it.
    async with server.client(made["key"]) as program:
        assert (await program.get("/api/workspace")).json()["slug"] == "main"
        assert (await program.get("/api/keys")).status_code == 403

        # A job records when it was used, for whoever looks at keys or at jobs.
        async def last_used() -> str | None:
            return (await browser.get(f"/api/keys/{made['id']}")).json()["last_used_at"]

        assert await eventually(last_used)
        jobs = (await browser.get("/api/jobs", params={"status": "succeeded"})).json()["data"]
        recorded = [job for job in jobs if job["name"] == "tenants.record_key_use"]
        assert [job["args"]["key_id"] for job in recorded] == [made["id"]]

        # A second process on the same database knows the key too, and keeps it in its cache.
        port = free_port()
        never = "authenticator.CACHE_SECONDS = 86400"  # so that only a notification drops what it knows
        deaf = goldloop_with("from goldloop.tenants.auth import authenticator", never)
        argv = [*deaf, "api", "--json", "--port", str(port), "--data-dir", str(server.data_dir)]
        second = Program(argv, server.data_dir.parent)
        try:
            assert (await second.line())["url"] == f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", headers=program.headers, timeout=60
            ) as elsewhere:
                await eventually(lambda: _answers(elsewhere, 200))

                # Revoked here, it stops there as soon as the notification arrives.
                assert (await browser.post(f"/api/keys/{made['id']}/revoke")).json()["status"] == "revoked"
                assert (await program.get("/api/workspace")).status_code == 401
                await eventually(lambda: _answers(elsewhere, 401))
        finally:
            second.close()


async def _answers(client: httpx.AsyncClient, status: int) -> bool:
    try:
        return (await client.get("/api/workspace")).status_code == status
    except httpx.ConnectError:
        return False
