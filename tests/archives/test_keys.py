"""Keys of blobs that an archive may name: paths of plain names in the folders of its workspace."""

import pytest

from goldloop.archives.model import BadArchive
from goldloop.archives.reading import check_key


@pytest.mark.parametrize(
    "key", ["{tenant}/events/ab12.json", "turn-logs/{tenant}/ab/ab12.json", "{tenant}/a"]
)
def test_a_key_of_the_workspace_is_taken(key: str) -> None:
    check_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "a",
        "{tenant}",
        "/{tenant}/a",
        "{tenant}/../other/a",
        "{tenant}/./a",
        "{tenant}//a",
        "{tenant}/a\\..\\b",
        "{tenant}/a\x00",
        "{tenant}/{tenant}/a",
        "a/b/{tenant}/c",
        "other/01900000-0000-7000-8000-000000000000/a",
        "{tenant}/" + "a/" * 20 + "b",
        "{tenant}/" + "a" * 300,
        "{tenant}/.hidden",
        "C:/{tenant}/a",
    ],
)
def test_any_other_is_refused(key: str) -> None:
    with pytest.raises(BadArchive):
        check_key(key)
