"""Reads an archive and trusts nothing in it: names, sizes and sums are checked before a row is written. Infrastructure."""

import base64
import binascii
import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from goldloop.archives.model import (
    BLOBS,
    FORMAT,
    FORMAT_VERSION,
    MANIFEST,
    PLACEHOLDER,
    BadArchive,
    FileSum,
    Manifest,
    Schema,
)

PIECE = 1 << 20
MOST_MANIFEST = 4 << 20  # bytes: thousands of tables
MOST_LINE = 256 << 20  # bytes: longer than any row or blob that can be written
MOST_FILES = 2000  # of a zip: tables, and two more
_TABLE = re.compile(r"tables/([a-z][a-z0-9_]{0,62})\.jsonl")
_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


class BlobLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    sha256: str
    data: str


class Blob(NamedTuple):
    key: str
    content: bytes


class ArchiveReader:
    def __init__(self, path: Path) -> None:
        try:
            self.zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise BadArchive(f"There is no file {path}") from error
        except _DAMAGED as error:
            raise BadArchive(f"The file is no archive, or only a part of one: {error}") from error
        self.manifest = self._manifest()

    def close(self) -> None:
        self.zip.close()

    def check(self, schema: Schema) -> None:
        """Raises BadArchive where this cannot be imported here: of another version, damaged, or with files that are none of an
        archive's."""
        manifest = self.manifest
        if manifest.format != FORMAT or manifest.format_version != FORMAT_VERSION:
            raise BadArchive(
                f"It is of format {manifest.format} {manifest.format_version}, and this version reads {FORMAT} {FORMAT_VERSION}"
            )
        if manifest.schema != schema:
            raise BadArchive(
                f"It was made by Goldloop {manifest.goldloop} with schema {manifest.schema.version}, and this is schema"
                f" {schema.version}: import it where that version runs, upgrade there, and export it again"
            )
        expected = {f"tables/{name}.jsonl": each for name, each in manifest.tables.items()}
        expected |= {BLOBS: manifest.blobs}
        names = self.zip.namelist()
        if sorted(names) != sorted([*expected, MANIFEST]):
            odd = sorted(set(names) ^ {*expected, MANIFEST}) or ["a name twice"]
            raise BadArchive(f"Its files are not those of its manifest: {', '.join(odd)[:200]}")
        for name, each in expected.items():
            self._check_sum(name, each)

    def lines(self, table: str) -> Iterator[bytes]:
        return self._lines(f"tables/{table}.jsonl")

    def blobs(self) -> Iterator[Blob]:
        for line in self._lines(BLOBS):
            try:
                read = msgspec.json.decode(line, type=BlobLine)
                content = base64.b64decode(read.data, validate=True)
            except (msgspec.MsgspecError, binascii.Error) as error:
                raise BadArchive(f"A line of {BLOBS} is none: {error}") from error
            check_key(read.key)
            if hashlib.sha256(content).hexdigest() != read.sha256:
                raise BadArchive(f"The blob {read.key} is damaged")
            yield Blob(read.key, content)

    def _manifest(self) -> Manifest:
        try:
            if len(self.zip.infolist()) > MOST_FILES:
                raise BadArchive("It has more files than an archive")
            with self.zip.open(MANIFEST) as file:
                content = file.read(MOST_MANIFEST + 1)
            found = msgspec.json.decode(content, type=Manifest)
        except KeyError as error:
            raise BadArchive("It has no manifest.json, so it is no archive") from error
        except (*_DAMAGED, msgspec.MsgspecError) as error:
            raise BadArchive(f"Its manifest cannot be read: {error}") from error
        if odd := [name for name in found.tables if not _TABLE.fullmatch(f"tables/{name}.jsonl")]:
            raise BadArchive(f"{odd[0][:100]!r} is no name of a table")
        return found

    def _check_sum(self, name: str, expected: FileSum) -> None:
        """Reads no further than the manifest says that the file goes."""
        digest, size, rows = hashlib.sha256(), 0, 0
        try:
            with self.zip.open(name) as file:
                while size <= expected.bytes and (piece := file.read(PIECE)):
                    digest.update(piece)
                    size += len(piece)
                    rows += piece.count(b"\n")
        except _DAMAGED as error:
            raise BadArchive(f"{name} is damaged: {error}") from error
        if FileSum(rows=rows, bytes=size, sha256=digest.hexdigest()) != expected:
            raise BadArchive(f"{name} is not what the manifest says: it is damaged or was changed")

    def _lines(self, name: str) -> Iterator[bytes]:
        with self.zip.open(name) as file:
            while line := _line(file, name):
                yield line


def _line(file: IO[bytes], name: str) -> bytes:
    line = file.readline(MOST_LINE)
    if line and not line.endswith(b"\n"):
        raise BadArchive(f"A line of {name} does not end")
    return line


def check_key(key: str) -> None:
    """A key is a path of plain names below the folders of the workspace, wherever the file says that it goes."""
    parts = key.split("/")
    if parts.count(PLACEHOLDER) != 1 or parts.index(PLACEHOLDER) > 1 or not 2 <= len(parts) <= 10:
        raise BadArchive(f"{key[:100]!r} is no key of a blob of the workspace")
    if not all(part == PLACEHOLDER or _SEGMENT.fullmatch(part) for part in parts):
        raise BadArchive(f"{key[:100]!r} is no key of a blob of the workspace")
