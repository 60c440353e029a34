"""A word that nobody else uses, planted wherever the text of an end user can reach, and the search for it afterwards."""

import asyncio
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx

from goldloop.archives.jobs import write
from goldloop.erasures.jobs import erase
from goldloop.kit.clock import now
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import bin_dir, superuser_url
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.retention import jobs as retention_jobs
from goldloop.sessions.payloads import LARGE
from tests.conversations.chats import Chats, make_chats
from tests.feedback.signals import Signals, make_signals
from tests.goldens.shelf import Shelf
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import as_json, request
from tests.records import Desk, ok
from tests.runtimes.scripted import configured
from tests.sessions.recordings import begin, event, send


@dataclass
class Ground:
    """A workspace with an end user who says `word`, and one who does not."""

    desk: Desk
    outside: Outside
    chats: Chats
    signals: Signals
    word: str = field(default_factory=lambda: f"quorzle{new_id().hex[-12:]}")
    user: str = field(default_factory=lambda: f"user-{new_id().hex[-12:]}@example.com")

    @property
    def admin(self) -> httpx.AsyncClient:
        return self.desk.admin

    async def ask(self, **subject: Any) -> Any:
        return ok(await self.admin.post("/api/erasures", json=subject))

    async def work(self, erasure: Any) -> Any:
        """As a worker does; how it is afterwards."""
        workspace = self.desk.workspace
        await erase(workspace.db, workspace.system, self.outside, run_id=erasure["id"])
        return ok(await self.admin.get(f"/api/erasures/{erasure['id']}"))

    async def erase(self, **subject: Any) -> Any:
        return await self.work(await self.ask(**subject))

    async def make_archive(self) -> Any:
        """Of the workspace as it is, as a worker writes it."""
        workspace = self.desk.workspace
        archive = ok(await self.admin.post("/api/archives", json={}))
        await write(workspace.db, workspace.system, outside=self.outside, run_id=archive["id"])
        return ok(await self.admin.get(f"/api/archives/{archive['id']}"))

    async def let_go(self) -> None:
        """Begin the next batch of what retention finds due."""
        await retention_jobs.let_go(self.desk.workspace.db, self.desk.workspace.system)

    async def rows(self, sql: str, *args: Any) -> list[Any]:
        return await self.chats.rows(sql, *args)


async def make_ground(desk: Desk, outside: Outside) -> Ground:
    chats = await make_chats(desk.workspace, outside)
    return Ground(desk, outside, chats, await make_signals(desk, chats))


async def plant(ground: Ground) -> dict[str, Any]:
    """Everywhere. Returns what a test may want to look at again."""
    word, user, chats, desk = ground.word, ground.user, ground.chats, ground.desk
    found: dict[str, Any] = {}
    said = {"text": f"My dog is called {word} and he bites the postman"}
    # Turns, their logs, and a turn in somebody else's conversation.
    await chats.add(
        "own", {"turn_id": "t1", "user": said, "assistant": said, "user_id": user, "turn_log": {"x": said}}
    )
    await chats.add(
        "other", {"turn_id": "o1", "user": {"text": "Hello"}, "user_id": "somebody", "turn_log": {"a": 1}}
    )
    await chats.add("other", {"turn_id": "o2", "user": said, "user_id": user, "turn_log": {"x": said}})
    await chats.catch_up("blobs.write", "conversations.index")
    await chats.add("late", {"turn_id": "l1", "user": said, "user_id": user, "turn_log": {"x": said}})
    # Reactions with words, also one that was replaced and one to somebody else's turn.
    await chats.react("own", "t1", "not_ok", text=f"First {word}", user_id=user)
    await chats.react(
        "own", "t1", "not_ok", text=f"The answer forgot that {word} bites the postman daily", user_id=user
    )
    await chats.react("other", "o1", "not_ok", text=f"Wrong about {word} again and again", user_id=user)
    await chats.add(
        "own",
        {"turn_id": "t2", "user": {"text": f"That was wrong, {word} did not bite"}, "user_id": user},
        gate="true",
    )
    await chats.catch_up("conversations.gate")
    # What was said about it by the team, and what they learnt of it.
    await ground.signals.place()
    flagged = {"project": "Support", "conversation_id": "own", "turn_id": "t1"}
    await ground.signals.give(comment=f"Look at {word}", source_type="observation", context=flagged)
    listed = [each for each in await ground.signals.listed() if word in (each["comment"] or "")]
    assert listed
    lesson = ok(
        await ground.admin.post(
            "/api/tools/addLesson",
            json={"content": listed[-1]["comment"], "sourceFeedbackIds": [each["id"] for each in listed]},
        )
    )
    found["lesson"] = lesson["id"]
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute(
            "UPDATE shared_context SET wording = false WHERE tenant_id = $1 AND id = $2",
            desk.workspace.id,
            UUID(lesson["id"]),
        )
    prompt = ok(await ground.admin.get("/api/shared-context/prompt"))
    assert word in str(prompt), prompt
    found["manifest"] = prompt["manifest"]
    shelf = Shelf(desk.workspace, ground.admin)
    bystander = await shelf.record(manifest=prompt["manifest"])
    found["bystander"] = await shelf.promote(bystander)
    # Sessions: sent by a client, large enough for the blob store, golden, replayed, failed.
    own = await begin(ground.admin, metadata={"user_id": user}, external_id=f"s-{word}")
    large = f"{word} " * (LARGE // 10)
    ok(
        await send(
            ground.admin,
            own,
            [event("user.message", **said), event("tool.result", id="c", result={"text": large})],
        )
    )
    ok(
        await ground.admin.post(
            f"/api/sessions/{own['id']}/end", json={"status": "completed", "output": said}
        )
    )
    found["golden"] = await shelf.promote(own, facts=[word], note=f"About {word}")
    found["run"] = await shelf.start_run(found["golden"], await configured(desk.workspace, "replayed"))
    await _plant_replay(ground, found)
    failed = await begin(ground.admin, metadata={"user_id": user})
    ok(await send(ground.admin, failed, [event("user.message", **said)]))
    ok(
        await ground.admin.post(
            f"/api/sessions/{failed['id']}/end",
            json={"status": "failed", "error": {"code": "x", "message": f"No {word}"}},
        )
    )
    # Spans, with those of somebody else in the same body; in both encodings.
    emitter = Emitter(desk.workspace, await desk.workspace.client(), ground.outside)
    number = int(new_id().hex[-8:], 16) % 1_000_000
    theirs = turn(number, f"I said {word}", f"You said {word}", session=f"otel-{word}", user__id=user)
    others = turn(number + 1, "Something else", "Fine", session=f"else-{number}", user__id="somebody")
    ok(await emitter.send(request(*theirs, *others)))
    later = turn(number + 2, f"Again {word}", f"Again you said {word}", session=f"otel-{word}", user__id=user)
    ok(
        await ground.admin.post(
            "/v1/traces",
            json=as_json(request(*later, *turn(number + 3, "More", "Good", session=f"else-{number}"))),
        )
    )
    await emitter.work()
    assert any(word in str(each) for each in await emitter.sessions()), "spans became sessions"
    found["trace"] = f"{number + 1:032x}"
    # A response of such a session: rejected with words, and tried again.
    record = await desk.make_record()
    agent = await desk.agent()
    meta = {
        "summary": {
            "session_id": own["id"],
            "confidence": "low",
            "sources": [{"type": "web", "url": f"https://example.com/{word}", "title": f"my {word}"}],
        }
    }
    response = await desk.submit(
        record,
        {"summary": f"Has a {word}"},
        by=agent,
        source="extraction",
        field_meta=meta,
        notes=f"See {word}",
    )
    await desk.review(response, "rejected", f"The {word} is no pet, he bites the postman every day")
    kept = await desk.submit(
        record,
        {"summary": "A quiet company", "name": f"{word}"[:30]},
        by=agent,
        source="extraction",
        field_meta=meta,
        notes=f"See {word}",
    )
    await desk.promote(kept, "summary")
    found["promoted"] = kept
    await _plant_rest(ground, found, listed)
    await _plant_notes(ground, found, own)
    found["archive"] = await ground.make_archive()
    return found


async def _plant_replay(ground: Ground, found: dict[str, Any]) -> None:
    """As if the replay had run and been compared."""
    word, replay = ground.word, UUID(found["run"]["replay_id"])
    async with ground.desk.workspace.db.tx(ground.desk.workspace.system) as tx:
        await tx.execute(
            """
            INSERT INTO sessions (tenant_id, id, type, status, source, input, first_message, created_at, last_at, created_by_kind, purpose)
            VALUES ($1, $2, 'agent', 'completed', 'run', $3, $4, $5, $5, 'system', 'replay') ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            replay,
            {"message": word},
            word,
            now(),
        )
        await tx.execute(
            "SELECT append_session_events($1, $2, $3, NULL, true, NULL)",
            replay,
            [
                {
                    "id": str(new_id()),
                    "type": "agent.message",
                    "at": now().isoformat(),
                    "payload": {"text": word},
                }
            ],
            [word],
        )
        await tx.execute(
            "UPDATE eval_replays SET state = 'compared', outcome = 'failed', accuracy = 0.5, divergence = $3, comparison = $4 WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id,
            replay,
            f"It said {word}",
            {"reason": word},
        )
        results = [
            {
                "goldens": [
                    {
                        "goldenId": found["golden"]["sessionId"],
                        "divergence": word,
                        "error": None,
                        "accuracy": 0.5,
                    }
                ]
            }
        ]
        await tx.execute(
            "UPDATE eval_runs SET results = $3 WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id,
            UUID(found["run"]["eval_run_id"]),
            results,
        )


async def _plant_rest(ground: Ground, found: dict[str, Any], listed: list[Any]) -> None:
    """What runs here has read of it, work that was done, answers that are remembered."""
    word, workspace = ground.word, ground.desk.workspace
    reader = new_id()
    found["reader"] = str(reader)
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            """
            INSERT INTO sessions (tenant_id, id, type, status, source, input, output, created_at, last_at, created_by_kind, purpose)
            VALUES ($1, $2, 'agent', 'completed', 'run', '{}', $3, $4, $4, 'system', 'prompt')
            """,
            tx.actor.tenant_id,
            reader,
            f"They complain about {word}",
            now(),
        )
        events = [
            ("user.message", {"text": "Review the feedback"}),
            (
                "tool.result",
                {"id": "c1", "result": [{"id": listed[0]["id"], "comment": listed[0]["comment"]}]},
            ),
            ("agent.message", {"text": f"There is a pattern: {word}"}),
        ]
        await tx.execute(
            "SELECT append_session_events($1, $2, $3, NULL, true, NULL)",
            reader,
            [
                {"id": str(new_id()), "type": kind, "at": now().isoformat(), "payload": payload}
                for kind, payload in events
            ],
            [word],
        )
        await tx.execute(
            "INSERT INTO idempotency_keys (tenant_id, actor, key, request_hash, response) VALUES ($1, 'a', $2, '', $3)",
            tx.actor.tenant_id,
            str(reader),
            {"id": listed[0]["id"], "error": word},
        )
        await tx.execute("SELECT set_marks('conversations.gate', ARRAY[$1])", f"Support/own/{word}")
        await tx.execute(
            "UPDATE marks SET last_error = $2 WHERE tenant_id = $1 AND key LIKE '%' || $3",
            tx.actor.tenant_id,
            word,
            word,
        )
        await tx.execute(
            "SELECT enqueue_job($1, 'of.a.test', $2, NULL, 1, 0, 'nobody')",
            new_id(),
            {"event": {"feedback_id": listed[0]["id"], "notes": word}},
        )


async def _plant_notes(ground: Ground, found: dict[str, Any], session: Any) -> None:
    """What people wrote beside it, and what receivers answered."""
    word, workspace = ground.word, ground.desk.workspace
    retraction, sourced, endpoint, delivery = new_id(), new_id(), new_id(), new_id()
    async with workspace.db.tx(workspace.system) as tx:
        ref = f"session:{session['id']}"
        source = await tx.fetchval("SELECT s.ref FROM response_sources s WHERE strpos(s.ref, $1) > 0", word)
        for each, what, kind in ((retraction, ref, "session"), (sourced, source, "source")):
            await tx.execute(
                """
                INSERT INTO chain_retractions (tenant_id, id, ref, kind, reason, truncated, created_at, created_by_kind)
                VALUES ($1, $2, $3, $4, $5, false, now(), 'system')
                """,
                *(tx.actor.tenant_id, each, what, kind, f"It is about {word}"),
            )
        await tx.execute(
            """
            INSERT INTO chain_items (tenant_id, id, retraction_id, ref, kind, depth, waits, verdict, note, created_at, settled_at)
            VALUES ($1, $2, $3, $4, 'response', 1, false, 'kept', $5, now(), now())
            """,
            *(tx.actor.tenant_id, new_id(), retraction, f"response:{found['promoted']['id']}", f"Not {word}"),
        )
        event_id = await tx.fetchval("SELECT e.id FROM events e WHERE strpos(e.subject_id, $1) > 0", word)
        if event_id is None:
            event_id = await tx.fetchval(
                "SELECT e.id FROM events e WHERE e.subject_id = $1 LIMIT 1", session["id"]
            )
        await tx.execute(
            """
            INSERT INTO webhook_endpoints (tenant_id, id, url, description, events, secret, created_by_kind)
            VALUES ($1, $2, 'https://example.com/', '', '{*}', $3, 'system')
            """,
            *(tx.actor.tenant_id, endpoint, b"x"),
        )
        await tx.execute(
            """
            INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, name, subject_id, event_at, status, next_at, created_at)
            VALUES ($1, $2, $3, $4, 'session.created', $5, now(), 'delivered', now(), now())
            """,
            *(tx.actor.tenant_id, delivery, endpoint, event_id, f"s-{word}"),
        )
        await tx.execute(
            """
            INSERT INTO webhook_attempts (tenant_id, delivery_id, number, at, milliseconds, status, request_headers, answer_type, answer)
            VALUES ($1, $2, 1, now(), 1, 200, '{}', 'text/plain', $3)
            """,
            *(tx.actor.tenant_id, delivery, f"Thanks for {word}"),
        )


async def plant_label(data_dir: Path, url: str, ground: Ground, found: dict[str, Any]) -> None:
    """A label of the replay, without the judge and the sample that it would be of."""
    connection = await connect(superuser_url(data_dir, urlsplit(url).path.lstrip("/")))
    try:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(
            """
            INSERT INTO eval_judge_labels (tenant_id, id, judge_id, sample_id, replay_id, version, "values", note, labelled_by, labelled_at)
            VALUES ($1, $2, $2, $2, $3, 1, $4, $5, $2, now())
            """,
            *(ground.desk.workspace.id, new_id(), UUID(found["run"]["replay_id"])),
            {"said": f"It is {ground.word}", "score": 3},
            f"Ask {ground.word}",
        )
    finally:
        await connection.close()


async def tables_with(data_dir: Path, url: str, *words: str) -> dict[str, int]:
    """Every table of the database that has one of the words in any column, with how many rows."""
    connection = await connect(superuser_url(data_dir, urlsplit(url).path.lstrip("/")))
    found: dict[str, int] = {}
    try:
        tables = await connection.fetch(
            """
            SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1
            """
        )
        assert len(tables) > 60
        for table in tables:
            for word in words:
                hexed = word.encode().hex()
                count = await connection.fetchval(
                    f"SELECT count(*) FROM {table['name']} t WHERE strpos(lower(t::text), $1) > 0 OR strpos(t::text, $2) > 0",
                    word.lower(),
                    hexed,
                )
                if count:
                    found[table["name"]] = found.get(table["name"], 0) + count
        for row in await connection.fetch("SELECT body FROM otel_batches"):
            if any(word.encode() in each for each in _readings(row["body"]) for word in words):
                found["otel_batches (packed)"] = found.get("otel_batches (packed)", 0) + 1
    finally:
        await connection.close()
    return found


def _readings(body: bytes) -> Iterable[bytes]:
    yield body
    for bits in (-15, 47):
        with suppress(zlib.error):
            yield zlib.decompress(body, bits)


def files_with(folder: Path, *words: str) -> list[str]:
    """Files whose content, packed or not, or whose name has one of the words."""
    found = []
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        content = file.read_bytes()
        with suppress(OSError):
            content += gzip.decompress(content)
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(content)) as archive:
            content += b"".join(archive.read(name) for name in archive.namelist())
        if any(word.encode() in content or word in str(file) for word in words):
            found.append(str(file.relative_to(folder)))
    return found


async def dump_has(data_dir: Path, url: str, *words: str) -> list[str]:
    """Lines of a dump of the whole database that have one of the words."""
    name = urlsplit(url).path.lstrip("/")
    process = await asyncio.create_subprocess_exec(
        bin_dir() / "pg_dump", superuser_url(data_dir, name), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert b"COPY public.conversations" in out
    sought = [word.lower().encode() for word in words] + [word.encode().hex().encode() for word in words]
    return [line.decode()[:200] for line in out.splitlines() if any(each in line.lower() for each in sought)]


def told(value: Any) -> str:
    return json.dumps(value)
