from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldloop.kit.embedding import EmbeddedEncoder
from goldloop.kit.mapped_arrays import MappedArray

CONTENT = bytes(range(256)) * 12_000  # three times what is compared at once


def table() -> Any:
    return np.frombuffer(CONTENT, dtype=np.uint8).reshape(3072, 1000)


def test_an_array_is_written_once_and_mapped_by_all(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "table"
    given = table()
    first = MappedArray(given, file)
    written = file.stat().st_mtime_ns
    second = MappedArray(given, file)
    assert file.stat().st_mtime_ns == written
    assert [path.name for path in file.parent.iterdir()] == ["table"]
    for mapped in (first, second):
        assert mapped.is_mapped
        assert mapped.array.dtype == given.dtype
        assert np.array_equal(mapped.array, given)


def test_what_is_released_is_there_at_the_next_use(tmp_path: Path) -> None:
    mapped = MappedArray(table(), tmp_path / "table")
    mapped.release()
    assert np.array_equal(mapped.array, table())


@pytest.mark.parametrize(
    "content",
    [b"", b"short", CONTENT[:-1] + b"\xff", b"\xff" + CONTENT[1:]],
    ids=["empty", "short", "another end", "another beginning"],
)
def test_a_damaged_file_is_written_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "table"
    file.write_bytes(content)
    assert np.array_equal(MappedArray(table(), file).array, table())
    assert file.read_bytes() == CONTENT


def test_without_a_folder_that_can_be_written_the_array_stays_in_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    given = table()
    mapped = MappedArray(given, tmp_path / "file" / "table")
    assert (mapped.is_mapped, mapped.array is given) == (False, True)
    assert "cannot be mapped" in caplog.text
    mapped.release()


def test_without_a_file_the_array_stays_in_memory() -> None:
    given = table()
    assert MappedArray(given, None).array is given


def test_a_mapped_encoder_gives_the_same_vectors(tmp_path: Path) -> None:
    texts = ["works, thanks", "funciona, gracias", ""]
    before = EmbeddedEncoder().encode(texts)
    model = EmbeddedEncoder._loaded._model
    own = model.table
    try:
        mapped = MappedArray(np.array(own), tmp_path / "table")
        model.table = mapped.array
        assert mapped.is_mapped
        assert np.array_equal(EmbeddedEncoder().encode(texts), before)
    finally:
        model.table = own
