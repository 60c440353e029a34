"""Importing into a workspace: first a look, then once, however often."""

import json
from typing import Any

from goldloop.feedback.imports.api import MOST_BYTES, MOST_CHARACTERS
from goldloop.tenants.model import Role
from tests.feedback.imports.test_files import CHAT, LANGFUSE, PHOENIX, REJECTED
from tests.feedback.signals import Signals
from tests.records import code, ok, places
from tests.sessions.recordings import begin


async def load(signals: Signals, kind: str, rows: list[dict[str, Any]], **more: Any) -> Any:
    body = {"kind": kind, "text": "\n".join(map(json.dumps, rows)), "dry_run": False, **more}
    return ok(await signals.admin.post("/api/feedback/import", json=body))


async def test_a_look_writes_nothing(signals: Signals) -> None:
    numeric = {
        **LANGFUSE,
        "id": "s2",
        "name": "quality",
        "data_type": "NUMERIC",
        "value": 0.4,
        "string_value": None,
    }
    rows: list[dict[str, Any]] = [LANGFUSE, numeric, {"id": "s3"}]
    found = await load(signals, "langfuse", rows, dry_run=True)
    assert {key: found[key] for key in ("read", "new", "existing", "left_out", "rejected", "dry_run")} == {
        "read": 3, "new": 1, "existing": 0, "left_out": 1, "rejected": 1, "dry_run": True,
    }  # fmt: skip
    assert found["unmapped"] == [{"name": "quality", "count": 1, "examples": ["0.4"]}]
    assert found["rejects"] == [{"place": 3, "reason": "name is missing"}]
    assert [row["rating"] for row in found["preview"]] == ["positive"]
    assert await signals.listed() == []


async def test_the_same_file_again_changes_nothing(signals: Signals) -> None:
    rows = [{**LANGFUSE, "id": f"s{n}"} for n in range(3)]
    assert (await load(signals, "langfuse", rows))["new"] == 3
    again = await load(signals, "langfuse", [*rows, *rows])
    assert (again["new"], again["existing"]) == (0, 6)
    assert len(await signals.listed()) == 3
    (told,) = await signals.desk.events("feedback.imported")
    assert told["payload"] == {"kind": "langfuse", "count": 3}


async def test_what_no_rule_covers_is_neutral_only_on_request(signals: Signals) -> None:
    numeric = {**LANGFUSE, "name": "quality", "data_type": "NUMERIC", "value": 0.4, "string_value": None}
    assert (await load(signals, "langfuse", [numeric]))["left_out"] == 1
    assert (await load(signals, "langfuse", [numeric], neutral_rest=True))["new"] == 1
    assert (await signals.only())["rating"] == "neutral"
    other = {**numeric, "id": "other"}
    assert (await load(signals, "langfuse", [other], rules=["quality=min:0..1"]))["new"] == 1
    assert {row["rating"] for row in await signals.listed()} == {"neutral"}


async def test_rows_are_tied_to_what_is_here(signals: Signals) -> None:
    await signals.desk.workspace.make_agent("scout")
    session = await begin(signals.desk.contributor, agent="scout", external_id="t1")
    member = await signals.desk.workspace.make_member(Role.CONTRIBUTOR)
    await load(signals, "langfuse", [LANGFUSE])
    row = await signals.only()
    assert (row["session_id"], row["agent_id"]) == (session["id"], session["agent_id"])
    assert row["created_at"].startswith("2025-05-01T10:00:00")
    await load(
        signals, "chat-feedback", [{**CHAT, "user_id": str(member)}, {**CHAT, "id": "c2", "user_id": "gone"}]
    )
    rows = {row["end_user"]: row for row in await signals.listed(source_type="chat")}
    assert rows[None]["created_by"] == str(member)
    assert (rows["gone"]["created_by"], rows["gone"]["context"]) == (
        None,
        {"chat_id": "chat", "message_index": 3},
    )


async def test_rejections_that_were_tried_again_here_are_applied(signals: Signals) -> None:
    first = await signals.extraction({"employees": 3})
    agent = await signals.desk.agent()
    await signals.desk.submit(
        {"id": first["entity_id"]}, {"employees": 4}, by=agent, parent_response_id=first["id"]
    )
    rows = [
        {**REJECTED, "id": first["id"], "entity_id": first["entity_id"], "source": "extraction"},
        REJECTED,
    ]
    await load(signals, "rejections", rows)
    found = {row["source_type"]: row for row in await signals.listed()}
    assert (found["extraction"]["status"], found["extraction"]["entity_type"]) == ("applied", "company")
    assert (found["response"]["status"], found["response"]["entity_id"]) == ("pending", None)


async def test_what_a_machine_scored_is_no_signal(signals: Signals) -> None:
    note = {"label": "incorrect", "explanation": "The valuation is given in dollars instead of euros"}
    rows = [
        {**PHOENIX, "id": str(n), "annotator_kind": "LLM", "result": note, "user_id": None} for n in range(3)
    ]
    await load(signals, "phoenix", rows)
    await signals.place()
    assert await signals.groups() == []
    assert [group["origins"] for group in await signals.groups(proposed="false")] == [0]


async def test_a_file_of_ten_million_characters_is_taken_and_a_longer_one_is_not(signals: Signals) -> None:
    rows = [
        json.dumps({**LANGFUSE, "id": f"s{n}", "comment": "ü" * 1_400_000}, ensure_ascii=False)
        for n in range(7)
    ]
    text = "\n".join(rows)
    text += " " * (MOST_CHARACTERS - len(text))
    body = {"kind": "langfuse", "text": text}
    found = ok(await signals.admin.post("/api/feedback/import", json=body))
    assert (found["new"], found["rejected"], found["dry_run"]) == (7, 0, True)
    longer = await signals.admin.post("/api/feedback/import", json=body | {"text": text + " "})
    assert longer.status_code == 422
    far_too_long = await signals.admin.post("/api/feedback/import", content=b" " * (MOST_BYTES + 1))
    assert code(far_too_long) == (413, "request_too_large")
    assert (await signals.desk.reviewer.post("/api/feedback/import", json=body)).status_code == 403


async def test_bad_input_is_named(signals: Signals) -> None:
    body = {"kind": "langfuse", "text": ""}
    wrong = [
        (body | {"kind": "weather"}, ("/kind", "unknown_import")),
        (body | {"rules": ["nonsense"]}, ("/rules", "bad_rule")),
        (body | {"text": "[{"}, ("/text", "bad_file")),
    ]
    for given, expected in wrong:
        assert places(await signals.admin.post("/api/feedback/import", json=given)) == [expected]
    assert (await signals.desk.reviewer.post("/api/feedback/import", json=body)).status_code == 403
    kinds = ok(await signals.admin.get("/api/feedback/import"))["data"]
    assert {"chat-feedback", "rejections", "langfuse", "phoenix", "langsmith"} <= set(kinds)
