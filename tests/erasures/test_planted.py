"""The proof by search: what an end user said is nowhere after they were deleted."""

from pathlib import Path

from goldloop.kit.outside import Outside
from tests.erasures.planted import Ground, dump_has, files_with, plant, tables_with
from tests.records import code, ok


async def test_nothing_that_an_end_user_said_is_anywhere_after_they_were_deleted(
    ground: Ground, data_dir: Path, database_url: str, outside: Outside
) -> None:
    found = await plant(ground)
    words = (ground.word, ground.user)
    blobs = Path(outside.blobs.url)
    before = await tables_with(data_dir, database_url, *words)
    assert files_with(blobs, *words)
    print(before)
    done = await ground.erase(kind="end_user", user_id=ground.user)
    print(done)
    assert (done["status"], done["subject"]) == ("done", None)
    assert await tables_with(data_dir, database_url, *words) == {}
    assert files_with(blobs, *words) == []
    assert await dump_has(data_dir, database_url, *words) == []
