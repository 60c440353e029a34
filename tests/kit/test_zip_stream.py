"""Zip files that are written front to back are what every reader takes for one."""

import io
import zipfile

import pytest

from goldloop.kit.zip_stream import ZipStream
from tests.loops import some


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"empty": b""},
        {"a.jsonl": b"{}\n"},
        {"tables/a.jsonl": b"x" * 100_000, "é.json": b"\xff" * 10, "b": bytes(range(256)) * 900},
    ],
)
def test_what_was_added_is_what_is_read(files: dict[str, bytes]) -> None:
    stream = ZipStream()
    out = b""
    for name, content in files.items():
        out += stream.begin(name)
        out += b"".join(stream.add(content[at : at + 7000]) for at in range(0, len(content), 7000))
        out += stream.end()
    out += stream.finish()
    assert len(out) == stream.written
    with zipfile.ZipFile(io.BytesIO(out)) as read:
        assert read.testzip() is None
        assert {name: read.read(name) for name in read.namelist()} == files


def test_the_same_content_makes_the_same_file() -> None:
    def made() -> bytes:
        stream = ZipStream()
        return stream.begin("a") + stream.add(b"text" * 100) + stream.end() + stream.finish()

    assert made() == made()


def test_an_entry_beyond_four_gigabytes_is_listed_with_its_size() -> None:
    """The sizes alone: writing so much would take a minute."""
    stream = ZipStream()
    head = stream.begin("large") + stream.add(b"x") + stream.end()
    (entry,) = some(stream._done)
    entry.size, entry.packed, entry.offset = 5 << 32, 3 << 32, 2 << 32
    with zipfile.ZipFile(io.BytesIO(head + stream.finish())) as read:
        (info,) = read.infolist()
    assert (info.file_size, info.compress_size) == (5 << 32, 3 << 32)
