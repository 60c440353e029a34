"""The single interface to the blob store: a local folder, or any S3-compatible bucket.

It may be unavailable. Writers keep their data until the store has it, and readers work without it.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from goldloop.kit.at_first_use import obstore
from goldloop.kit.errors import Unavailable

log = logging.getLogger("goldloop.blobs")

TIMEOUT = timedelta(seconds=10)  # for one request; a blob is at most as large as a body
CONNECT_TIMEOUT = timedelta(seconds=3)
LISTED = 1000  # keys in one answer
RETRIES = 1  # whoever writes tries again anyway, and says so meanwhile


class StoredBlob(NamedTuple):
    key: str
    size: int
    modified_at: datetime


class BlobStoreFailed(Unavailable):
    code, title = "blob_store_failed", "The blob store did not answer"


class BlobStore:
    """Opened at the first use, so that a process starts even while the store is unavailable."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._opened: Any = None

    async def put(self, key: str, content: bytes) -> str:
        """Write a blob, replacing any at this key; returns its address, which does not show paths of the server's disk. Raises
        BlobStoreFailed."""
        try:
            await obstore.put_async(self._store(), key, content)
            if not self._in_bucket:
                await asyncio.to_thread(_sync, _folder(self.url), key)
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise self._failed("written", error) from error
        return self.address(key)

    def address(self, key: str) -> str:
        """Where a blob is, as `put` says it."""
        return f"{self._address()}/{key}" if self._in_bucket else f"blob:{key}"

    async def keys(self, prefix: str) -> AsyncIterator[str]:
        """Of every blob below a folder (`a/b/`), some thousand at a time. Raises BlobStoreFailed."""
        try:
            async for found in obstore.list(self._store(), prefix, chunk_size=LISTED):
                for each in found:
                    yield each["path"]
        except (obstore.exceptions.NotFoundError, FileNotFoundError):
            return
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise self._failed("listed", error) from error

    async def get(self, key: str) -> bytes | None:
        """None where there is no such blob. Raises BlobStoreFailed."""
        try:
            found = await obstore.get_async(self._store(), key)
            return bytes(await found.bytes_async())
        except (obstore.exceptions.NotFoundError, FileNotFoundError):
            return None
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise self._failed("read", error) from error

    async def delete(self, key: str) -> None:
        """Also where there is no such blob: deleting twice is deleting once. Raises BlobStoreFailed."""
        try:
            await obstore.delete_async(self._store(), key)
            if not self._in_bucket:
                await asyncio.to_thread(_sync_one, (_folder(self.url) / key).parent)
        except (obstore.exceptions.NotFoundError, FileNotFoundError):
            return
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise self._failed("deleted from", error) from error

    async def list(self, prefix: str = "") -> AsyncIterator[StoredBlob]:
        """The blobs whose keys begin with a folder's name, in no order. Raises BlobStoreFailed."""
        try:
            async for listed in obstore.list(self._store(), prefix=prefix or None, chunk_size=LISTED):
                for each in listed:
                    yield StoredBlob(each["path"], each["size"], each["last_modified"])
        except (obstore.exceptions.NotFoundError, FileNotFoundError):
            return
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise self._failed("listed", error) from error

    async def delete_all(self, prefix: str) -> int:
        """Those under a folder's name; how many there were. Raises BlobStoreFailed."""
        keys = [blob.key async for blob in self.list(prefix)]
        for key in keys:
            await self.delete(key)
        return len(keys)

    def _store(self) -> Any:
        if self._opened is None:
            self._opened = _open_bucket(self.url) if self._in_bucket else _open_folder(self.url)
        return self._opened

    @property
    def _in_bucket(self) -> bool:
        return self.url.startswith("s3://")

    def _failed(self, done: str, error: Exception) -> BlobStoreFailed:
        """Logs the cause, which may contain paths of the server; the error that members of a workspace see has none."""
        log.warning("the blob store failed: %s", _first_line(error), extra={"store": self._address()})
        name = f"The blob store {self._address()}" if self._in_bucket else "The blob store"
        return BlobStoreFailed(f"{name} could not be {done}")

    def _address(self) -> str:
        """The URL without its query."""
        return self.url.partition("?")[0].rstrip("/") if self._in_bucket else _folder(self.url).as_uri()


def _open_folder(url: str) -> Any:
    folder = _folder(url)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return obstore.store.LocalStore(folder)


def _sync(folder: Path, key: str) -> None:
    """fsync of the file and of every folder above it, so that a confirmed write survives a crash."""
    path = folder / key
    for place in (path, *path.parents[: len(Path(key).parts)]):
        _sync_one(place)


def _sync_one(place: Path) -> None:
    opened = os.open(place, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _folder(url: str) -> Path:
    return Path(unquote(urlsplit(url).path) if url.startswith("file://") else url).resolve()


def _open_bucket(url: str) -> Any:
    """`s3://bucket/prefix?endpoint=…&region=…`; credentials come from the usual variables (`AWS_ACCESS_KEY_ID` …)."""
    parts = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    endpoint = options.get("endpoint")
    return obstore.store.S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        config={"region": options.get("region", "us-east-1"), **({"endpoint": endpoint} if endpoint else {})},
        client_options={
            "timeout": TIMEOUT,
            "connect_timeout": CONNECT_TIMEOUT,
            "allow_http": bool(endpoint and endpoint.startswith("http://")),
        },
        retry_config={"max_retries": RETRIES, "retry_timeout": TIMEOUT},
    )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:300]
