"""A workspace whose rows are as large as a request may make them: pages end by bytes, and lose nothing."""

from collections.abc import Callable
from typing import Any

import httpx

from goldloop.kit.outside import Outside
from goldloop.kit.pagination import PAGE_BYTES
from tests.conversations.chats import PROJECT, Chats
from tests.factories import Workspace
from tests.records import Desk, make_desk, ok

LARGE = "x" * 900_000  # nearly what a body may have
WIDE = "😀" * 10_000  # 40 kB
ROWS = 6  # of which a page holds four
MOST = PAGE_BYTES * 1.1  # with what is written around the rows


def is_a_page(answer: httpx.Response, rows: list[Any], small: int = 0) -> bool:
    """It ends before all the large rows are on it; `small` rows may stand beside them."""
    return 0 < len(rows) < ROWS + small and len(answer.content) <= MOST


async def read_all(
    client: httpx.AsyncClient, path: str, key: str, small: int = 0, **params: Any
) -> list[Any]:
    """The keys of all rows, page by page."""
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        answer = await client.get(path, params={"limit": 200, **params, **cursor})
        page = ok(answer)
        assert is_a_page(answer, page["data"], small)
        found += [row[key] for row in page["data"]]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


async def test_records_their_history_and_where_their_values_come_from(desk: Desk) -> None:
    anything = {"type": "object", "properties": {"text": {"type": "string"}}}
    await desk.make_type("document", anything)
    made = [await desk.make_record({"text": f"{n}{LARGE}"}, type="document") for n in range(ROWS)]
    ids = [record["id"] for record in made]
    assert await read_all(desk.reviewer, "/api/entities", "id") == ids[::-1]
    assert await read_all(desk.reviewer, "/api/entities", "id", type="document", q="acme") == ids[::-1]

    for n in range(ROWS):
        await desk.edit(made[0], content={"text": f"edit {n} {LARGE}"})
    history = await read_all(desk.reviewer, f"/api/entities/{ids[0]}/fields/text/history", "entity_version")
    assert history == list(range(ROWS + 1, 0, -1))

    for n in range(ROWS):
        content = (await desk.show(made[1]))["content"]
        grown = {f"f{place}": "small" for place in range(n)} | {f"f{n}": LARGE}
        await desk.edit(made[1], content=content | grown | {"text": ""})
        await desk.edit(made[1], content={**grown, f"f{n}": "small", "text": ""})
    sources = await read_all(desk.reviewer, f"/api/entities/{ids[1]}/fields", "field")
    assert sources == [f"f{n}" for n in range(ROWS)] + ["text"]


async def test_types_sets_responses_and_views(workspace: Workspace) -> None:
    desk = await make_desk(workspace)  # without a type, whose own set would be among the sets

    def dimension(n: int) -> dict[str, Any]:
        return {"key": f"d{n}", "label": "D", "type": "richtext", "description": WIDE[:2000]}

    sets = [f"set-{n}" for n in range(ROWS)]
    for name in sets:
        await desk.make_set(name, dimensions=[dimension(n) for n in range(100)])
    found = await read_all(desk.admin, "/api/criteria-sets", "slug", small=1 + ROWS, archived=True)
    assert [slug for slug in found if not slug.startswith("default-")] == sets

    names = [f"type-{n}" for n in range(ROWS)]
    for name in names:
        await desk.make_type(name, config={"note": LARGE})
    assert await read_all(desk.admin, "/api/entity-types", "slug") == names

    record = await desk.make_record(type="type-0")
    values = {f"d{n}": WIDE[:2000] for n in range(20)}
    ids = [(await desk.submit(record, values, criteria_set_slug=sets[0]))["id"] for _ in range(ROWS)]
    path = f"/api/entities/{record['id']}/responses"
    assert await read_all(desk.reviewer, path, "id") == ids[::-1]

    blocks = [{"type": "text", "text": WIDE}] * 23
    for name in names:
        ok(await desk.admin.post("/api/views", json={"slug": name, "name": "V", "blocks": blocks}))
    assert await read_all(desk.admin, "/api/views", "slug") == names


async def read_turns(ask: Callable[[dict[str, str]], Any]) -> list[str]:
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = await ask(cursor)
        page = ok(answer)
        assert is_a_page(answer, page["turns"])
        found += [turn["turn_id"] for turn in page["turns"]]
        if not page.get("next_cursor"):
            return found
        cursor = {"cursor": page["next_cursor"]}


async def make_chats(workspace: Workspace, outside: Outside) -> Chats:
    return Chats(
        workspace=workspace,
        outside=outside,
        backend=await workspace.client(),
        viewer=await workspace.client(),
        reviewer=await workspace.client(),
    )


async def test_turns_and_their_logs(workspace: Workspace, outside: Outside) -> None:
    chats = await make_chats(workspace, outside)
    ids = [await chats.say("c", user={"text": WIDE * 20}) for _ in range(ROWS)]
    path = f"/api/conversations/{PROJECT}/c"
    assert await read_turns(lambda cursor: chats.viewer.get(path, params=cursor)) == ids
    shown = ok(await chats.viewer.get(path, params={"turn_id": ids[-1]}))
    assert shown["turns"][-1]["turn_id"] == ids[-1]
    assert shown["previous_cursor"]
    before = await chats.viewer.get(path, params={"before": shown["previous_cursor"]})
    assert is_a_page(before, ok(before)["turns"])

    logged = [await chats.say("d", turn_log={"step": LARGE}) for _ in range(ROWS)]
    for turn in logged:
        await chats.react("d", turn, "ok", text="Fine.")
    report = chats.path("d", "turns-with-feedbacks")
    assert await read_turns(lambda cursor: chats.viewer.post(report, json=cursor)) == logged
    await chats.catch_up("blobs.write")  # the same when the logs are in the blob store
    assert await read_turns(lambda cursor: chats.viewer.post(report, json=cursor)) == logged
    without = ok(await chats.viewer.post(report, json={"include_logs": False}))
    assert [turn["turn_id"] for turn in without["turns"]] == logged
    assert "next_cursor" not in without


async def test_conversations_with_very_many_words_about_them(workspace: Workspace, outside: Outside) -> None:
    chats = await make_chats(workspace, outside)
    for name in range(ROWS):
        turn = await chats.say(f"c{name}")
        for user in range(24):
            await chats.react(f"c{name}", turn, "ok", text=WIDE, user_id=f"u{user}")
    found: list[str] = []
    cursor = None
    while True:
        page = await chats.in_period(include_turns=True, cursor=cursor)
        assert 0 < len(page["items"]) < ROWS
        for item in page["items"]:
            found.append(item["conversation_id"])
            assert item["feedback_counts"]["total"] == 24
            assert 20 < len(item["turns"][0]["feedbacks"]) <= 24
        if (cursor := page["next_cursor"]) is None:
            break
    assert found == [f"c{name}" for name in reversed(range(ROWS))]
