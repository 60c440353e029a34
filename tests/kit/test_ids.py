"""New ids are UUIDv7, in the order of their making; secrets cannot be guessed and are stored as a hash."""

import hashlib
import time
from datetime import UTC, datetime
from uuid import RFC_4122, UUID

from goldloop.kit.ids import new_id, new_secret, new_text_id, secret_hash


def test_an_id_is_a_uuid_of_version_7_and_the_rfc_variant() -> None:
    for _ in range(200):  # the random bits around version and variant differ each time
        made = new_id()
        assert (made.version, made.variant) == (7, RFC_4122)


def test_an_id_begins_with_the_time_of_its_making() -> None:
    before = datetime.now(UTC)
    milliseconds = new_id().int >> 80
    after = datetime.now(UTC)
    assert int(before.timestamp() * 1000) <= milliseconds <= int(after.timestamp() * 1000)


def test_an_id_that_is_only_text_is_the_text_of_one() -> None:
    for _ in range(200):
        text = new_text_id()
        made = UUID(text)
        assert (str(made), made.version, made.variant) == (text, 7, RFC_4122)
        assert abs((made.int >> 80) - (new_id().int >> 80)) < 60_000
    assert len({new_text_id() for _ in range(1000)}) == 1000


def test_ids_of_later_milliseconds_sort_later() -> None:
    made = []
    for _ in range(20):
        made.append(new_id())
        time.sleep(0.002)
    assert made == sorted(made)
    assert [str(one) for one in made] == sorted(str(one) for one in made)


def test_no_id_comes_twice() -> None:
    assert len({new_id() for _ in range(10_000)}) == 10_000


def test_a_secret_has_its_prefix_and_256_random_bits() -> None:
    made = {new_secret("gl_") for _ in range(100)}
    assert len(made) == 100
    for secret in made:
        assert secret.startswith("gl_")
        assert len(secret) == len("gl_") + 43  # 32 bytes in base64


def test_the_hash_of_a_secret_is_its_sha256() -> None:
    assert secret_hash("gl_a") == hashlib.sha256(b"gl_a").digest()
    assert secret_hash("gl_a") != secret_hash("gl_b")
