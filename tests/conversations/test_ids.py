"""Ids that clients choose are seen whole by whoever reads them, in bodies and in addresses alike."""

from typing import Any

import pytest

from tests.conversations.chats import Chats
from tests.records import places

UNFIT = ["a\n", "a\x1b", "a\u0085b", "a\u2028b", "a\u202eb", "a\u200bb", "a\ufeff", " a", "a ", " ", "\u3000"]


@pytest.mark.parametrize("unfit", UNFIT)
@pytest.mark.parametrize("name", ["turn_id", "user_id", "agent", "session_id", "bundle_id", "track_id"])
async def test_a_turn_with_an_id_that_is_not_seen_whole_is_refused(
    chats: Chats, name: str, unfit: str
) -> None:
    turn = {"turn_id": "t", "user": {"text": "hello"}, name: unfit}
    answer = await chats.backend.post(chats.path("c", "turns"), json=turn)
    assert (answer.status_code, places(answer)) == (422, [(f"/{name}", "invalid_value")])


@pytest.mark.parametrize("unfit", UNFIT)
async def test_the_same_holds_in_an_address(chats: Chats, unfit: str) -> None:
    turn = {"turn_id": "t", "user": {"text": "hello"}}
    for path, name in (
        (chats.path(unfit, "turns"), "conversation_id"),
        (chats.path("c", "turns", project=unfit), "project"),
    ):
        answer = await chats.backend.post(path, json=turn)
        assert (answer.status_code, places(answer)) == (422, [(f"/{name}", "invalid_value")]), path


async def test_ids_of_many_scripts_with_spaces_inside_are_taken(chats: Chats) -> None:
    said: dict[str, Any] = {"user_id": "Zoë / ops", "agent": "客服 1", "session_id": "s:1"}
    assert await chats.say("Gespräch 7 🙂", "t 1", **said) == "t 1"


async def test_what_is_said_keeps_its_lines_and_signs(chats: Chats) -> None:
    text = "two\nlines\tand a joiner \u200d"
    await chats.add("c", {"turn_id": "t", "user": {"text": text}})
    shown = await chats.viewer.get("/api/conversations/Support/c")
    assert shown.json()["turns"][0]["user"] == text


@pytest.mark.parametrize("offset", ["+14:00", "+16:00", "-16:00", "+23:59", "-23:59"])
async def test_a_time_of_any_offset_is_stored_as_that_moment(chats: Chats, offset: str) -> None:
    ts = f"2024-05-05T12:00:00{offset}"
    await chats.say("c", "t", ts=ts)
    taken = await chats.react("c", "t", "ok", ts=ts)
    hour = (12 - int(offset[:3]) - (int(offset[0] + offset[4:]) > 0)) % 24
    shown = (await chats.viewer.get("/api/conversations/Support/c")).json()["turns"][0]["ts"]
    assert shown.endswith("Z")
    assert int(shown[11:13]) == hour
    assert taken["artifact"]["reaction"]["ts"] == shown
