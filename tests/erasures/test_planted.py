"""The proof by search: what an end user said is nowhere after they were deleted."""

from pathlib import Path
from uuid import UUID

from goldloop.kit.outside import Outside
from tests.erasures.planted import Ground, dump_has, files_with, plant, plant_label, tables_with
from tests.goldens.shelf import GOLDEN
from tests.records import code, ok

# Where the word is before, so that the search is known to see it there.
REACHED = {
    "procrastinate.procrastinate_jobs", "public.conv_messages", "public.conv_turns", "public.conversation_words",
    "public.conversations", "public.entity_responses", "public.eval_replays", "public.eval_runs", "public.events",
    "public.feedback", "public.feedback_words", "public.goldens", "public.idempotency_keys", "public.marks",
    "public.otel_traces", "public.prompt_manifests", "public.session_events", "public.session_words", "public.sessions",
    "public.chain_items", "public.chain_retractions", "public.eval_judge_labels", "public.webhook_attempts",
    "public.webhook_deliveries",
    "public.shared_context", "public.shared_context_history", "public.shared_context_words", "otel_batches (packed)",
}  # fmt: skip


async def test_nothing_that_an_end_user_said_is_anywhere_after_they_were_deleted(
    ground: Ground, data_dir: Path, database_url: str, outside: Outside
) -> None:
    found = await plant(ground)
    await plant_label(data_dir, database_url, ground, found)
    words = (ground.word, ground.user)
    blobs = Path(outside.blobs.url)
    assert (await tables_with(data_dir, database_url, *words)).keys() >= REACHED
    before = files_with(blobs, *words)
    assert len(before) > 3
    assert any(found["archive"]["id"] in each for each in before), "an archive has it"
    counted = ok(
        await ground.admin.post("/api/erasures/preview", json={"kind": "end_user", "user_id": ground.user})
    )
    assert (counted["goes"]["golden"], counted["goes"]["conversation"]) == (1, 3)
    assert ok(await ground.admin.get("/api/erasures"))["data"] == [], "a preview leaves nothing"

    asked = await ground.ask(kind="end_user", user_id=ground.user)
    assert (asked["status"], asked["subject"]) == ("queued", [ground.user])
    again = await ground.ask(kind="end_user", user_id=ground.user)
    assert again["id"] == asked["id"], "asked for twice it is one"
    done = await ground.work(asked)

    assert (done["status"], done["subject"], done["done"]) == ("done", None, done["total"])
    assert await tables_with(data_dir, database_url, *words) == {}
    assert files_with(blobs, *words) == []
    assert await dump_has(data_dir, database_url, *words) == []
    await ground.work(asked)  # once more does nothing
    assert ok(await ground.admin.get(f"/api/erasures/{asked['id']}")) == done

    # What stays keeps no text, and the report says so.
    assert done["gone"]["archives"] == 1
    assert code(await ground.admin.get(f"/api/archives/{found['archive']['id']}"))[0] == 404
    assert done["gone"]["goldens"] == 1
    kept = {each["what"]: each for each in done["kept"]}
    assert kept["entity_responses"]["ids"] == [found["promoted"]["id"]]
    response = await ground.desk.response(found["promoted"])
    assert (response["values"], response["notes"], response["field_meta"]) == (
        {"summary": "A quiet company"}, None, {},
    )  # fmt: skip
    (replay,) = await ground.rows(
        "SELECT accuracy, outcome, comparison FROM eval_replays WHERE id = $1",
        UUID(found["run"]["replay_id"]),
    )
    assert replay == {"accuracy": 0.5, "outcome": "failed", "comparison": None}
    assert code(await ground.admin.get(f"{GOLDEN}/{found['golden']['sessionId']}"))[0] == 404

    (label,) = await ground.rows('SELECT "values" FROM eval_judge_labels')
    assert label == {"values": {"said": "(erased)", "score": 3}}

    # What others said and what rests on it is there still.
    other = ok(await ground.admin.get(f"/api/sessions/{found['bystander']['sessionId']}"))
    assert other["metadata"]["golden"]["snapshot"]["knowledge"]["manifest"] == found["manifest"]
    reader = ok(await ground.admin.get(f"/api/sessions/{found['reader']}/events"))["data"]
    assert [each["payload"].get("text") for each in reader] == ["Review the feedback", None, "(erased)"]
    turns = await ground.rows("SELECT turn_id FROM conv_turns WHERE conversation_id = 'other'")
    assert turns == [{"turn_id": "o1"}]
    bodies = await ground.rows(
        "SELECT count(*) AS count FROM otel_trace_batches WHERE trace_id = $1", bytes.fromhex(found["trace"])
    )
    assert bodies == [{"count": 1}]

    # Whoever knows the name can ask what became of it; and the person may come back.
    params = {"user_id": ground.user}
    (listed,) = ok(await ground.admin.get("/api/erasures", params=params))["data"]
    assert listed["id"] == asked["id"]
    await ground.chats.add("anew", {"turn_id": "n1", "user": {"text": "Hello again"}, "user_id": ground.user})
