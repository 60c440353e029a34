"""Exports: goldens whole, in pages that are bounded, and nothing in them that is not for a file."""

import json
from typing import Any

import pytest

from goldloop.goldens.exports import api, service
from goldloop.kit.ids import new_id
from tests.goldens.shelf import EVALS, Shelf
from tests.records import code, ok
from tests.sessions.recordings import event


async def pages(shelf: Shelf, name: str) -> list[Any]:
    path = f"{EVALS}/sets/{(await shelf.sets())[name]['id']}/export"
    found = [ok(await shelf.admin.get(path))]
    while found[-1]["nextCursor"]:
        found.append(ok(await shelf.admin.get(path, params={"cursor": found[-1]["nextCursor"]})))
    return found


async def test_every_golden_is_there_once_oldest_first(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [await shelf.promoted(set="smoke") for _ in range(5)]
    await shelf.promoted(set="other")
    (whole,) = await pages(shelf, "smoke")
    ids = [golden["sessionId"] for golden in made]
    assert [golden["id"] for golden in whole["goldens"]] == ids
    monkeypatch.setattr(service, "MOST_GOLDENS", 2)
    found = await pages(shelf, "smoke")
    assert [len(page["goldens"]) for page in found] == [2, 2, 1]
    assert [golden for page in found for golden in page["goldens"]] == whole["goldens"]
    monkeypatch.setattr(api, "PAGE_BYTES", 1)
    assert [len(page["goldens"]) for page in await pages(shelf, "smoke")] == [1] * 5


async def test_what_is_compared_is_whole_and_prompts_are_left_out(shelf: Shelf) -> None:
    large = "word " * 40_000
    events = [
        event("user.message", text="Read it"),
        event("model.request", model="m", messages=[{"content": "the prompt of the workspace"}]),
        event("tool.call", id="1", name="readFile", arguments={"name": "a"}),
        event("tool.result", id="1", result={"text": large}),
        event("agent.message", text="It says word."),
    ]
    golden = await shelf.promote(
        await shelf.record(*events), set="smoke", facts=["word"], effects="contains", minPass=0.5, note="Long"
    )
    other = await shelf.record(event("user.message", text="Read it"), event("agent.message", text="word"))
    ok(await shelf.admin.put(shelf.alternative(golden, other)))
    (page,) = await pages(shelf, "smoke")
    (exported,) = page["goldens"]
    session = exported["session"]
    assert (exported["minPass"], exported["note"], exported["baseline"]) == (0.5, "Long", None)
    assert (session["facts"], session["effects"], len(session["alternatives"])) == (["word"], "contains", 1)
    assert session["tools"]["readFile"]["writes"] is False
    by_type = {each["type"]: each["payload"] for each in session["events"]}
    assert by_type["tool.result"]["result"]["text"] == large
    assert by_type["model.request"] == {}
    assert [each["type"] for each in session["events"]][1:-1] == [each["type"] for each in events]
    assert "the prompt of the workspace" not in json.dumps(page)
    assert len(exported["siblings"]) == 1


async def test_a_set_that_is_not_there_and_a_cursor_of_nothing_are_refused(shelf: Shelf) -> None:
    await shelf.promoted(set="smoke")
    assert code(await shelf.admin.get(f"{EVALS}/sets/{new_id()}/export")) == (404, "golden_set_not_found")
    path = f"{EVALS}/sets/{(await shelf.sets())['smoke']['id']}/export"
    assert code(await shelf.admin.get(path, params={"cursor": "x"})) == (422, "invalid_input")
