"""Four hundred requests that are never finished: the server ends them, and serves everybody else meanwhile."""

import asyncio

from tests.servers import listening, running_server

HALVES = [
    b"GET /api/agents HTTP/1.1\r\nhost: t\r\nauthoriz",
    b"POST /api/session HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{",
]


async def _half_sent(port: int, half: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(half)
    try:
        return await asyncio.wait_for(reader.read(), 60)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_half_sent_requests_end_while_others_are_served_and_streams_stay_open() -> None:
    short = {"GOLDLOOP_HEAD_SECONDS": "2", "GOLDLOOP_BODY_SECONDS": "2"}
    async with running_server(extra=short) as server, server.client() as browser:
        person = {"email": server.hello["email"], "password": server.hello["password"]}
        signed_in = await browser.post("/api/session", json=person)
        browser.headers["X-Goldloop-CSRF"] = signed_in.json()["csrf_token"]
        async with listening(server.client(cookies=browser.cookies)) as heard:
            waiting = [
                asyncio.create_task(_half_sent(server.port, half)) for half in HALVES for _ in range(200)
            ]
            await asyncio.sleep(0.5)
            assert (await browser.get("/api/workspace")).status_code == 200
            answers = await asyncio.gather(*waiting)
            assert {answer.partition(b"\r\n")[0] for answer in answers} == {b"HTTP/1.1 408 Request Timeout"}
            assert not heard.ended
            made = await browser.post("/api/keys", json={"name": "after", "role": "viewer"})
            assert made.status_code == 201
            await heard.said("change", "keys")
        log = server.program.log.read_text()
        assert '"level":"error"' not in log, log[-3000:]
