"""The blob store is down, its disk is full, the model does not answer: turns and reactions are taken, nothing is lost,
the jobs page says so, and it heals."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from moto.server import ThreadedMotoServer

from goldloop.conversations.turns.logs import log_key
from goldloop.kit.blobs import BlobStore, BlobStoreFailed
from goldloop.kit.embedding import EmbeddedEncoder, EmbeddingFailed, Embeddings
from tests.conversations.chats import PROJECT, Chats
from tests.servers import free_port

LOG = {"steps": [{"tool": "search", "took_ms": 12}], "note": "ünïcode"}


class FullDisk(BlobStore):
    """Takes the first few, then says what a full disk says."""

    def __init__(self, url: str, room: int) -> None:
        super().__init__(url)
        self.room = room

    async def put(self, key: str, content: bytes) -> str:
        if self.room == 0:
            raise BlobStoreFailed("No space left on device (os error 28)")
        self.room -= 1
        return await super().put(key, content)


async def test_a_log_moves_to_the_blob_store_and_is_read_from_there(chats: Chats) -> None:
    await chats.say("c1", "t1", turn_log=LOG)
    await chats.react("c1", "t1", "ok")
    before = await chats.rows("SELECT ts, text, embedding FROM conv_messages WHERE kind = 'turn.log'")
    log = f"/api/conversations/{PROJECT}/c1/turns/t1/log"
    assert await chats.get(log) == {"turn_log": LOG, "hosted_uri": None}
    await chats.catch_up("blobs.write")
    assert (await chats.rows("SELECT turn_log FROM conv_turns"))[0]["turn_log"] is None
    after = await chats.rows("SELECT ts, text, embedding FROM conv_messages WHERE kind = 'turn.log'")
    assert after == before
    found = await chats.get(log)
    assert found["turn_log"] == LOG
    assert found["hosted_uri"].startswith("blob:turn-logs/")
    assert chats.outside.blobs.url not in str(found)
    assert (await chats.feedbacks("c1"))["turns"][0]["turn_log"] == LOG


async def test_the_period_report_never_touches_the_blob_store(chats: Chats) -> None:
    await chats.say("c1", "t1", turn_log=LOG)
    await chats.react("c1", "t1", "ok")
    await chats.catch_up("blobs.write")

    class Forbidden(BlobStore):
        async def get(self, key: str) -> bytes | None:
            raise AssertionError("the blob store was read")

    without = await chats.with_outside(blobs=Forbidden("unused"))
    assert (await without.in_period(include_turns=True))["items"]


async def test_without_the_blob_store_reports_do_without_logs(chats: Chats) -> None:
    await chats.say("c1", "t1", turn_log=LOG)
    await chats.react("c1", "t1", "ok")
    await chats.catch_up("blobs.write")
    chats = await chats.with_outside(blobs=BlobStore(f"s3://logs?endpoint=http://127.0.0.1:{free_port()}"))
    (turn,) = (await chats.feedbacks("c1"))["turns"]
    assert (turn["turn_log"], len(turn["reactions"])) == (None, 1)
    refused = await chats.get(f"/api/conversations/{PROJECT}/c1/turns/t1/log", expected=503)
    assert refused["code"] == "blob_store_failed"


async def test_while_the_s3_server_is_down_all_is_taken_and_it_heals(
    own_chats: Chats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    port = free_port()
    chats = await own_chats.with_outside(blobs=BlobStore(f"s3://logs/p?endpoint=http://127.0.0.1:{port}"))
    await chats.say("c1", "t1", turn_log=LOG)
    await chats.work("blobs.write")
    assert (await chats.react("c1", "t1", "not_ok"))["outcome"] == "added"
    assert await chats.say("c1", "t2", turn_log=LOG) == "t2"
    shown = (await chats.get("/api/marks"))["data"]
    (failing,) = [mark for mark in shown if mark["attempts"]]
    assert (failing["kind"], failing["key"]) == ("blobs.write", f"{PROJECT}/c1")
    assert "s3://logs/p could not be written" in failing["last_error"]
    assert (await chats.get(f"/api/conversations/{PROJECT}/c1/turns/t1/log"))["turn_log"] == LOG

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    try:
        made = await asyncio.to_thread(httpx.put, f"http://127.0.0.1:{port}/logs")
        assert made.status_code == 200
        await chats.work("blobs.write")
        assert await chats.marks("blobs.write") == []
        assert await chats.rows("SELECT 1 FROM conv_turns WHERE turn_log IS NOT NULL") == []
        for turn in ("t1", "t2"):
            assert (await chats.get(f"/api/conversations/{PROJECT}/c1/turns/{turn}/log"))["turn_log"] == LOG
    finally:
        server.stop()


async def test_a_full_disk_loses_nothing(own_chats: Chats, tmp_path: Path) -> None:
    store = FullDisk(str(tmp_path / "blobs"), room=2)
    chats = await own_chats.with_outside(blobs=store)
    turns = [{"turn_id": f"t{n}", "user": {"text": "hi"}, "turn_log": {"n": n}} for n in range(5)]
    await chats.add("c1", turns)
    await chats.work("blobs.write")
    assert "No space left" in (await chats.marks("blobs.write"))[0]["last_error"]
    assert len(await chats.rows("SELECT 1 FROM conv_turns WHERE turn_log IS NOT NULL")) == 3
    store.room = 100
    await chats.work("blobs.write")
    assert await chats.marks("blobs.write") == []
    for number in range(5):
        found = await chats.get(f"/api/conversations/{PROJECT}/c1/turns/t{number}/log")
        assert found["turn_log"] == {"n": number}


class Silent(EmbeddedEncoder):
    async def embed(self, texts: Sequence[str]) -> Embeddings:
        raise EmbeddingFailed("The embedding model cannot be reached")


async def test_while_the_model_is_away_turns_are_taken_and_found_and_it_heals(own_chats: Chats) -> None:
    chats = await own_chats.with_outside(embedder=Silent())
    await chats.say("c1", "t1", user={"text": "How do I export invoices?"})
    await chats.work("conversations.index")
    (failing,) = await chats.marks("conversations.index")
    assert "cannot be reached" in failing["last_error"]
    assert (await chats.react("c1", "t1", "ok"))["outcome"] == "added"
    assert len((await chats.get("/api/conversations", q="invoi"))["data"]) == 1

    said = {"turn_id": "t2", "user": {"text": "That is wrong, it does not work at all."}}
    await chats.add("c1", said, gate="true")
    await chats.work("conversations.gate")
    assert "cannot be reached" in (await chats.marks("conversations.gate"))[0]["last_error"]

    await own_chats.work("conversations.index")
    await own_chats.work("conversations.gate")
    assert await chats.marks("conversations.index") == await chats.marks("conversations.gate") == []
    rows = await chats.rows(
        "SELECT embedding_model, embedding_dims FROM conv_messages WHERE kind = 'message'"
    )
    assert {(row["embedding_model"], row["embedding_dims"]) for row in rows} == {(EmbeddedEncoder.model, 512)}
    (read,) = await chats.rows("SELECT turn_id, reaction FROM conv_messages WHERE origin = 'machine'")
    assert read == {"turn_id": "t1", "reaction": "not_ok"}


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"steps":'])
async def test_a_log_that_was_damaged_in_the_store_is_said_to_be_and_spoils_no_report(
    chats: Chats, content: bytes
) -> None:
    for turn_id in ("t1", "t2"):
        await chats.say("c1", turn_id, turn_log=LOG)
        await chats.react("c1", turn_id, "ok")
    await chats.catch_up("blobs.write")
    place = log_key(chats.workspace.id, PROJECT, "c1", "t1")
    (Path(chats.outside.blobs.url) / place).write_bytes(content)
    refused = await chats.get(f"/api/conversations/{PROJECT}/c1/turns/t1/log", expected=503)
    assert refused["code"] == "blob_store_failed"
    assert [turn["turn_log"] for turn in (await chats.feedbacks("c1"))["turns"]] == [None, LOG]


async def test_an_empty_log_is_a_log_wherever_it_is(chats: Chats) -> None:
    await chats.say("c1", "t1", turn_log={})
    await chats.react("c1", "t1", "ok")
    for _ in ("waiting", "stored"):
        assert (await chats.get(f"/api/conversations/{PROJECT}/c1/turns/t1/log"))["turn_log"] == {}
        assert (await chats.feedbacks("c1"))["turns"][0]["turn_log"] == {}
        await chats.catch_up("blobs.write")


async def test_a_report_goes_without_logs_when_nobody_wants_them(chats: Chats) -> None:
    await chats.say("c1", "t1", turn_log=LOG)
    await chats.react("c1", "t1", "ok")
    assert (await chats.feedbacks("c1", include_logs=False))["turns"][0]["turn_log"] is None
