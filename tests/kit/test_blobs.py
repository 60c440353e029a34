"""The blob store: a folder, a real S3-speaking server on loopback, and stores that do not answer."""

from collections.abc import Iterator
from pathlib import Path

import obstore
import pytest
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

from goldloop.kit.blobs import BlobStore, BlobStoreFailed
from tests.servers import free_port


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an S3 server that has the bucket `logs`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    import httpx

    assert httpx.put(f"{endpoint}/logs").status_code == 200
    yield endpoint
    server.stop()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


async def test_a_folder_keeps_what_is_put(tmp_path: Path) -> None:
    store = BlobStore(str(tmp_path / "deep" / "blobs"))
    uri = await store.put("a/b.json", b"{}")
    assert uri == "blob:a/b.json"
    assert (tmp_path / "deep" / "blobs" / "a" / "b.json").read_bytes() == b"{}"
    assert await store.get("a/b.json") == b"{}"
    assert await store.get("a/none.json") is None
    await store.put("a/b.json", b"[]")
    assert await BlobStore((tmp_path / "deep" / "blobs").as_uri()).get("a/b.json") == b"[]"


async def test_a_bucket_keeps_what_is_put(s3: str) -> None:
    store = BlobStore(f"s3://logs/some/prefix?endpoint={s3}&region=eu-west-1")
    uri = await store.put("a/b.json", b"{}" * 1000)
    assert uri == "s3://logs/some/prefix/a/b.json"
    assert await store.get("a/b.json") == b"{}" * 1000
    assert await store.get("a/none.json") is None
    there = S3Store(
        "logs", config={"endpoint": s3, "region": "us-east-1"}, client_options={"allow_http": True}
    )
    assert [found["path"] for found in obstore.list(there, "some").collect()] == ["some/prefix/a/b.json"]


async def test_what_is_deleted_from_a_folder_is_gone_and_deleting_again_changes_nothing(
    tmp_path: Path,
) -> None:
    store = BlobStore(str(tmp_path / "blobs"))
    await store.delete("a/none.json")
    await store.put("a/b.json", b"{}")
    await store.put("a/c.json", b"[]")
    for _ in range(2):
        await store.delete("a/b.json")
        assert await store.get("a/b.json") is None
    assert not (tmp_path / "blobs" / "a" / "b.json").exists()
    assert await store.get("a/c.json") == b"[]"
    await store.put("a/b.json", b"again")
    assert await store.get("a/b.json") == b"again"


async def test_what_is_deleted_from_a_bucket_is_gone_and_deleting_again_changes_nothing(s3: str) -> None:
    store = BlobStore(f"s3://logs/deleted?endpoint={s3}")
    await store.delete("a/none.json")
    await store.put("a/b.json", b"{}")
    await store.put("a/c.json", b"[]")
    for _ in range(2):
        await store.delete("a/b.json")
        assert await store.get("a/b.json") is None
    assert await store.get("a/c.json") == b"[]"
    there = S3Store(
        "logs", config={"endpoint": s3, "region": "us-east-1"}, client_options={"allow_http": True}
    )
    assert [found["path"] for found in obstore.list(there, "deleted").collect()] == ["deleted/a/c.json"]


async def test_a_store_that_cannot_delete_says_so(s3: str, tmp_path: Path) -> None:
    away = BlobStore(f"s3://logs?endpoint=http://127.0.0.1:{free_port()}")
    with pytest.raises(BlobStoreFailed, match="s3://logs could not be deleted from"):
        await away.delete("a")
    (tmp_path / "blobs").write_text("a file is in the way")
    with pytest.raises(BlobStoreFailed, match=r"^The blob store could not be deleted from$"):
        await BlobStore(str(tmp_path / "blobs")).delete("a")


async def test_a_bucket_that_is_not_there_is_told(s3: str) -> None:
    with pytest.raises(BlobStoreFailed, match="could not be written"):
        await BlobStore(f"s3://nothing?endpoint={s3}").put("a", b"")


async def test_a_server_that_is_away_is_told_and_found_when_it_is_back(s3: str) -> None:
    away = BlobStore(f"s3://logs?endpoint=http://127.0.0.1:{free_port()}")
    with pytest.raises(BlobStoreFailed, match="s3://logs could not be written"):
        await away.put("a", b"")
    with pytest.raises(BlobStoreFailed, match="could not be read"):
        await away.get("a")


async def test_a_folder_that_cannot_be_written_is_told_and_used_once_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "blobs").write_text("a file is in the way")
    store = BlobStore(str(tmp_path / "blobs"))
    with caplog.at_level("WARNING", "goldloop.blobs"):
        with pytest.raises(BlobStoreFailed, match=r"^The blob store could not be written$"):
            await store.put("a", b"x")
        with pytest.raises(BlobStoreFailed, match=r"^The blob store could not be read$"):
            await store.get("a")
    assert str(tmp_path) in caplog.records[0].__dict__["store"]  # where it is, the operator reads in the log
    (tmp_path / "blobs").unlink()
    await store.put("a", b"x")
    assert await store.get("a") == b"x"
