"""What causes each event: for every declared one a flow through the API, or through the use case that a worker runs.

A new event goes into the flow of its concept, or a new flow into FLOWS.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any
from uuid import UUID

from goldloop.archives.import_service import note_import
from goldloop.archives.jobs import write
from goldloop.archives.ranges import Span
from goldloop.archives.service import note_download
from goldloop.conversations.gate.model import Detection
from goldloop.conversations.reactions import service as reacting
from goldloop.conversations.reactions.targeting import Target
from goldloop.erasures.jobs import erase
from goldloop.goldens.runs.model import RunKind
from goldloop.goldens.runs.service import ADVANCE, NamedAgent, NewRun
from goldloop.goldens.runs.service import begin as begin_run
from goldloop.jobs import run_service as runs
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.egress import Egress
from goldloop.kit.queue import MARKS, enqueue
from goldloop.sessions import run_service as claiming
from goldloop.sessions import watch_service as watching
from goldloop.sessions.model import Question
from goldloop.tenants.model import Role
from tests.archives.ground import Installation
from tests.artifact_runs.library import GOOD, Library
from tests.claims.evidence import make_evidence
from tests.conversations.chats import PROJECT, Chats, make_chats
from tests.factories import PASSWORD, sign_in
from tests.feedback.signals import COMPLAINTS, grouped, make_signals
from tests.goldens.experiments.lab import play
from tests.goldens.judges.bench import make_bench
from tests.goldens.shelf import EVALS, Shelf
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.outside import embedded_outside
from tests.records import Desk, ok
from tests.runtimes.scripted import configured, start
from tests.sessions.recordings import begin, fall_silent
from tests.tasks.duty import DAILY, make_task, start_due
from tests.tenants.test_second_factors import enrol
from tests.webhooks.receivers import Hooks, receiving

Flow = Callable[[Desk], Awaitable[None]]
PEERS = {"peer": {"relation": {"target_type": "company", "multiple": True}}}


async def workspaces(desk: Desk) -> None:
    """`workspace.created` comes before the desk is there."""
    owner = await desk.workspace.client()
    ok(await owner.patch("/api/workspace", json={"name": "Other name"}))


async def members(desk: Desk) -> None:
    workspace, owner = desk.workspace, await desk.workspace.client()
    new = await workspace.invite()
    joining = {"token": new.token, "name": "Ada", "password": PASSWORD}
    ok(await (await workspace.browser()).post("/api/session/join", json=joining))
    ok(await owner.patch(f"/api/members/{new.member.user_id}", json={"role": "reviewer"}))
    ok(await owner.post(f"/api/members/{new.member.user_id}/reset", json={}))
    ok(await owner.delete(f"/api/members/{new.member.user_id}/sessions"))
    ok(await owner.delete(f"/api/members/{new.member.user_id}"))
    again = await workspace.invite(email=new.member.email)
    browser = await workspace.browser()
    ok(await sign_in(browser, new.member.email))
    ok(await browser.post("/api/session/accept", json={"token": again.token}))


async def sign_ins(desk: Desk) -> None:
    workspace, owner = desk.workspace, await desk.workspace.client()
    person = await workspace.make_person()
    browser = await workspace.signed_in(person)
    _, codes = await enrol(browser)
    removal = {"current_password": PASSWORD, "code": codes[0]}
    ok(await browser.post("/api/account/second-factor/remove", json=removal))
    changed = {"current_password": PASSWORD, "new_password": "another password"}
    ok(await browser.post("/api/session/password", json=changed))
    link = ok(await owner.post(f"/api/members/{person.id}/reset", json={}))
    body = {"token": link["reset_token"], "password": PASSWORD}
    ok(await (await workspace.browser()).post("/api/session/reset", json=body))


async def agents(desk: Desk) -> None:
    made = ok(await desk.admin.post("/api/agents", json={"slug": "a", "name": "A"}))
    path = f"/api/agents/{made['id']}"
    ok(await desk.admin.patch(path, json={"name": "B"}))
    for config in ({"instructions": "Be brief."}, {}):
        ok(await desk.admin.put(f"{path}/config", json=config))
    ok(await desk.admin.post(f"{path}/versions/1/restore"))
    ok(await desk.admin.put(f"{path}/secrets/model_key", json={"value": "secret"}))
    ok(await desk.admin.delete(f"{path}/secrets/model_key"))


async def sessions(desk: Desk) -> None:
    for ending in ({"status": "completed"}, {"status": "failed", "error": "It broke"}):
        session = await begin(desk.contributor)
        ok(await desk.contributor.post(f"/api/sessions/{session['id']}/end", json=ending))
    await desk.make_type()
    record = await desk.make_record()
    session = await begin(desk.contributor, entity_id=record["id"])
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/cancel"))
    silent = await begin(desk.contributor)
    await fall_silent(desk.workspace, silent)
    agent = await configured(desk.workspace)
    asking = await start(desk.contributor, agent)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await watching.watch(tx, UUID(silent["id"]))
        claim = await claiming.claim(tx, UUID(asking["id"]), {})
        assert claim is not None
        await claiming.ask(tx, claim, Question(call_id="1", text="Which year?"))
    ok(await desk.contributor.post(f"/api/sessions/{silent['id']}/dismiss"))
    ok(await desk.contributor.post(f"/api/sessions/{asking['id']}/answer", json={"text": "2025"}))


async def spans(desk: Desk) -> None:
    emitter = Emitter(desk.workspace, desk.contributor, embedded_outside(Path(gettempdir())))
    asked, root = turn(1, "Hello", "Hi.")
    for sent in ([asked], [root], turn(2, "Bye", "Goodbye.", "Hello", "Hi.")):
        ok(await emitter.send(request(*sent)))
        await emitter.work()


async def tasks(desk: Desk) -> None:
    task = await make_task(desk.workspace, desk.admin, schedule=DAILY)
    path = f"/api/tasks/{task['id']}"
    ok(await desk.admin.patch(path, json={"name": "Other"}))
    ok(await desk.admin.patch(f"/api/agents/{task['agent_id']}", json={"active": False}))
    await start_due(desk.workspace.db, desk.workspace, task, task["next_at"].replace("Z", "+00:00"))
    ok(await desk.admin.delete(path))


async def keys(desk: Desk) -> None:
    owner = await desk.workspace.client()
    made = ok(await owner.post("/api/keys", json={"name": "k", "role": "viewer"}))
    ok(await owner.post(f"/api/keys/{made['id']}/revoke"))


async def jobs(desk: Desk) -> None:
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        job_id = await enqueue(tx, "criteria.sync_default", {"slug": "company"})
    ok(await desk.admin.post(f"/api/jobs/{job_id}/cancel"))


async def entity_types(desk: Desk) -> None:
    await desk.make_type()
    made = await desk.make_set(entity_type_slugs=["company"])  # the first scored set is featured
    config = {"featuredScore": {"criteriaSetId": made["id"]}}
    await desk.make_type(
        "firm", config={"featuredScore": {"criteriaSetId": (await desk.make_set("any"))["id"]}}
    )
    ok(await desk.try_change("/api/entity-types/company", {"name": "Companies", "config": config}))
    ok(await desk.admin.delete("/api/entity-types/firm"))


async def records(desk: Desk) -> None:
    await desk.make_type(field_configs=PEERS)
    one, other = await desk.make_record(), await desk.make_record()
    await desk.edit(one, content={"name": "Acme"}, title="Acme")
    body = {"field_key": "peer", "target_id": other["id"]}
    relation = ok(await desk.contributor.post(f"/api/entities/{one['id']}/relations", json=body))
    ok(await desk.reviewer.delete(f"/api/entities/{one['id']}/relations/{relation['id']}"))
    ok(await desk.reviewer.delete(f"/api/entities/{one['id']}"))


async def saved_lists(desk: Desk) -> None:
    made = ok(await desk.contributor.post("/api/saved-lists", json={"name": "L", "query": {"q": "acme"}}))
    path = f"/api/saved-lists/{made['id']}"
    ok(await desk.contributor.patch(path, json={"shared": True}))
    ok(await desk.contributor.delete(path))


async def criteria_sets(desk: Desk) -> None:
    await desk.make_type()
    await desk.run_queued("criteria.sync_default")
    made = await desk.make_set()
    path = f"/api/criteria-sets/{made['id']}"
    ok(await desk.try_change(path, {"name": "Other"}))
    ok(await desk.try_change(path, {"archived": True}))
    ok(await desk.admin.delete(path))
    ok(await desk.admin.delete("/api/entity-types/company"))
    await desk.run_queued("criteria.remove_default")


async def responses(desk: Desk) -> None:
    await desk.make_type(field_configs=PEERS)
    record, other = await desk.make_record(), await desk.make_record()
    by_agent = await desk.submit(record, {"name": "Acme", "employees": 7}, by=await desk.agent())
    await desk.review(by_agent, "rejected", "That is another Acme")
    await desk.review(by_agent, "submitted")
    to = {"ids": [by_agent["id"]], "user_id": str(desk.workspace.owner_id)}
    ok(await desk.reviewer.post("/api/responses/assign", json=to))
    await desk.withdraw(by_agent, by=desk.reviewer)
    body = {"field_key": "peer", "target_id": other["id"]}
    ok(await desk.contributor.post(f"/api/entities/{record['id']}/relations", json=body))
    scope = {"type": "relation", "fieldKey": "peer"}
    rated = {"dimensions": [{"key": "fit", "label": "Fit", "type": "rating", "scale": [0, 10], "weight": 1}]}
    await desk.make_set("peers", scope=scope, entity_type_slugs=["company"], **rated)
    await desk.submit(record, {other["id"]: {"fit": 3}}, criteria_set_slug="peers")


async def promotion(desk: Desk) -> None:
    """The second promotion has a field in it that comes from this response already."""
    await desk.make_type()
    response = await desk.submit(await desk.make_record(), {"name": "Acme", "employees": 7})
    await desk.promote(response, "name")
    await desk.promote(response, "name", "employees")
    await desk.promote(response, "name", "employees")  # nothing changes, and nothing is told
    await desk.undo({"id": response["entity_id"]}, "name")


async def claims(desk: Desk) -> None:
    evidence = await make_evidence(desk)
    claim = await evidence.make_claim()
    await evidence.rate(await evidence.make_source(claim), 7, 8)
    await evidence.catch_up()
    settings = {
        "source_type": "source-item",
        "criteria_set": "evidence-quality",
        "relation_field": "supports",
    }
    ok(await desk.admin.put("/api/claims/settings", json=settings))


async def _chats(desk: Desk) -> Chats:
    """Nothing that happens here goes beyond the database."""
    return await make_chats(desk.workspace, embedded_outside(Path(gettempdir())))


async def reactions(desk: Desk) -> None:
    chats = await _chats(desk)
    turn = await chats.say("c", user_id="ana")
    for reaction in ("ok", "not_ok", None):
        await chats.react("c", turn, reaction)
    await chats.react("c", turn, "ok", by=await desk.workspace.signed_in())


async def machine_reactions(desk: Desk) -> None:
    chats = await _chats(desk)
    meant = await chats.say("c", "meant", user_id="ana")
    await _read(chats, "clear", Target(turn_id=meant, conversation_id="c", decision="last", candidates=[]))
    for place, settled in (("settled", meant), ("dismissed", None)):
        await _read(
            chats, place, Target(turn_id=None, conversation_id=None, decision="undecided", candidates=[])
        )
        (unsettled,) = (await chats.get("/api/reactions/unsettled"))["data"]
        path = f"/api/reactions/{unsettled['id']}/settle"
        ok(await chats.reviewer.post(path, json={"turn_id": settled}))
    again = ok(await chats.reviewer.post(path, json={"turn_id": None}))
    ok(await chats.reviewer.post(f"{path}/undo", json={"rn": again["payload"]["meta"]["rn"]}))


async def _read(chats: Chats, turn: str, target: Target) -> None:
    await chats.say("c", turn, user_id="ana")
    async with chats.workspace.db.tx(chats.workspace.system) as tx:
        context = await reacting.find_message(tx, PROJECT, "c", turn)
        assert context is not None
        assert await reacting.add_machine_reaction(
            tx, context, Detection(reaction="ok", confidence=0.9), target
        )


async def views(desk: Desk) -> None:
    made = ok(await desk.admin.post("/api/views", json={"slug": "v", "name": "V", "blocks": []}))
    ok(await desk.try_change(f"/api/views/{made['id']}", {"name": "W"}))
    ok(await desk.admin.delete(f"/api/views/{made['id']}"))


async def artifact_runs(desk: Desk) -> None:
    library = Library(desk)
    await library.make_type(view=None)
    ok(await desk.admin.post(f"/api/artifact-evals/runs/{(await library.start())['id']}/cancel"))
    await library.set_suite(added=True)
    (record,) = await library.add(GOOD[0])
    await library.score()
    run = await library.start()
    ok(await desk.reviewer.delete(f"/api/entities/{record['id']}"))
    ok(await desk.admin.delete(f"/api/entity-types/{record['type']}"))
    await library.work(run)


async def archives(desk: Desk) -> None:
    made = ok(await desk.admin.post("/api/archives", json={}))
    with TemporaryDirectory() as folder:
        outside = embedded_outside(Path(folder))
        await write(desk.workspace.db, desk.workspace.system, outside=outside, run_id=made["id"])
        ok(await desk.admin.delete(f"/api/archives/{made['id']}"))
        place, path = Installation(desk.workspace.db, outside.blobs), Path(folder) / "a.zip"
        written = await place.export(desk.workspace.id, path)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await note_import(tx, written.manifest)
        await note_download(tx, UUID(made["id"]), Span(0, written.size))


async def audit(desk: Desk) -> None:
    assert (await desk.admin.get("/api/audit/export", params={"topic": "members"})).is_success


async def feedback(desk: Desk) -> None:
    chats = await _chats(desk)
    turn = await chats.say("c", user_id="ana")
    for reaction in ("ok", "not_ok", None):
        await chats.react("c", turn, reaction)
    signals = await make_signals(desk, chats)
    row = await signals.give(comment="Slow")
    for status in ("dismissed", "pending"):
        ok(await desk.admin.patch(f"/api/feedback/{row['id']}", json={"status": status}))
    ok(await desk.admin.post(f"/api/feedback/{row['id']}/erase"))
    await chats.react("c", turn, "not_ok")
    (reacted,) = ok(
        await desk.admin.get("/api/feedback", params={"source_type": "chat", "status": "pending"})
    )["data"]
    ok(await desk.admin.patch(f"/api/feedback/{reacted['id']}", json={"status": "applied"}))
    await chats.react("c", turn, None)
    body = {"kind": "chat-feedback", "text": '{"chat_id": "c", "rating": "up"}', "dry_run": False}
    ok(await desk.admin.post("/api/feedback/import", json=body))


async def feedback_groups(desk: Desk) -> None:
    signals = await make_signals(desk, await _chats(desk))
    await grouped(signals, 2)
    _, another = await desk.person()
    await signals.give(another, comment=COMPLAINTS[2])
    await signals.place()
    (group,) = await signals.groups()
    path = f"/api/feedback/groups/{group['id']}"
    ok(await desk.admin.post(f"{path}/snooze", json={}))
    ok(await desk.admin.post(f"{path}/reopen"))
    ok(await desk.admin.post(f"{path}/dismiss", json={"reason": "noise"}))
    for user, text in (("x", COMPLAINTS[3]), ("y", f"{COMPLAINTS[0]}, again")):
        _, person = await desk.person()
        await signals.give(person, comment=text, context={"of": user})
    await signals.place()
    members = ok(await desk.admin.get(f"{path}/members"))["data"]
    ids = {"ids": [member["id"] for member in members[:2]]}
    taken = ok(await desk.admin.post(f"{path}/split", json=ids))["group"]
    ok(await desk.admin.post(f"/api/feedback/groups/{taken['id']}/merge", json={"into": group["id"]}))
    ok(await desk.admin.post(f"{path}/split", json={"ids": ids["ids"][:1]}))
    ok(await desk.admin.post(f"{path}/add", json={"ids": ids["ids"][:1]}))
    for place, text in enumerate((COMPLAINTS[0], "Nobody knows how old this is", COMPLAINTS[1])):
        _, person = await desk.person()
        about = {"tool_slug": "lookup", "tool_run_id": f"run-{place}"}
        await signals.give(person, comment=text, context=about)
        await signals.place()


async def knowledge(desk: Desk) -> None:
    path = "/api/admin/shared-context"
    row = ok(await desk.admin.post(path, json={"type": "lesson", "content": "Use euros"}))
    ok(await desk.admin.patch(f"{path}/{row['id']}", json={"content": "Use francs"}))
    ok(await desk.admin.post(f"{path}/{row['id']}/retire", json={}))
    ok(await desk.admin.delete(f"{path}/{row['id']}"))


async def erasures(desk: Desk) -> None:
    """Of responses that are not there: nothing else of the log is touched."""
    await desk.make_type()
    workspace, outside = desk.workspace, embedded_outside(Path(gettempdir()))
    asked = [
        ok(
            await desk.admin.post(
                "/api/erasures", json={"kind": "responses", "entity_id": (await desk.make_record())["id"]}
            )
        )
        for _ in range(2)
    ]
    await erase(workspace.db, workspace.system, outside, run_id=asked[0]["id"])
    async with workspace.db.tx(workspace.system) as tx:
        await runs.fail(tx, UUID(asked[1]["id"]), "given_up", "Given up")
    days = {"traces_days": 90, "sessions_days": 30, "conversations_days": None, "events_days": None}
    ok(await desk.admin.put("/api/retention", json=days))


async def limits(desk: Desk) -> None:
    most = dict.fromkeys(("key_requests_per_minute", "tokens_per_day", "cost_per_day", "storage_bytes"))
    ok(await desk.admin.put("/api/limits", json=most | {"requests_per_minute": 1_000_000}))
    key, _ = await desk.workspace.make_key(Role.VIEWER)
    ok(await desk.admin.put(f"/api/limits/keys/{key.id}", json={"requests_per_minute": 1000}))


async def goldens(desk: Desk) -> None:
    shelf = Shelf(desk.workspace, desk.admin)
    golden = await shelf.promoted()
    await shelf.change(golden, note="Changed")
    (found,) = (await shelf.sets()).values()
    ok(await desk.admin.patch(f"{EVALS}/sets/{found['id']}", json={"name": "smoke"}))
    await shelf.revoke(golden)


async def eval_runs(desk: Desk) -> None:
    """The agent is switched off meanwhile, so that every replay ends at once."""
    shelf = Shelf(desk.workspace, desk.admin)
    agent = await configured(desk.workspace, "clerk", instructions="Be brief.")
    await shelf.promoted(set="smoke", floor=False)
    body = {"setName": "smoke", "agents": [{"agent": agent}], "repeats": 1}
    stopped, run = [ok(await desk.admin.post(f"{EVALS}/runs/set", json=body)) for _ in range(2)]
    ok(await desk.admin.post(f"{EVALS}/runs/{stopped['id']}/cancel"))
    confirmation = NewRun(
        set_name="smoke",
        agents=[NamedAgent(agent)],
        repeats=1,
        kind=RunKind.CONFIRMATION,
        confirms_id=UUID(run["id"]),
    )
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await begin_run(tx, confirmation)
    ok(await desk.admin.patch(f"/api/agents/{run['agents'][0]['id']}", json={"active": False}))
    await MarkRunner(desk.workspace.db, embedded_outside(Path(gettempdir()))).drain(MARKS[ADVANCE])


async def experiments(desk: Desk) -> None:
    """One finds a row and is stopped while it confirms it, another ends."""
    shelf = Shelf(desk.workspace, desk.admin)
    agent = await configured(desk.workspace, "clerk", instructions="Be brief.")
    await shelf.promoted(set="smoke", floor=False)
    row = ok(
        await desk.admin.post("/api/admin/shared-context", json={"type": "lesson", "content": "Use euros"})
    )
    body = {"setName": "smoke", "agent": agent, "rowIds": [row["id"]], "replays": 24, "pairs": 1}
    begun = ok(await desk.admin.post(f"{EVALS}/experiments", json=body))
    await play(desk.workspace, row["id"])
    assert ok(await desk.admin.get(f"{EVALS}/experiments/{begun['id']}"))["confirmationId"]
    stopped = ok(await desk.admin.post(f"{EVALS}/experiments", json=body | {"replays": 40}))
    ok(await desk.admin.post(f"{EVALS}/experiments/{stopped['id']}/cancel"))


async def judges(desk: Desk) -> None:
    bench = await make_bench(desk.workspace)
    await bench.judge([True, False] * 25, goldens=10)
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge, size=50))
    licence = ok(await bench.admin.post(f"{EVALS}/judges/{judge['id']}/licences"))
    ok(await bench.admin.post(f"{EVALS}/judges/{judge['id']}/licences/{licence['id']}/withdraw"))


async def webhooks(desk: Desk) -> None:
    """The receiver is gone, as it says itself."""
    outside = replace(embedded_outside(Path(gettempdir())), egress=Egress(["127.0.0.1"]))
    async with receiving(status=410) as (_, url):
        hooks = Hooks(desk.workspace, desk.admin, outside)
        hook = await hooks.make("https://receiver.example/", "key.created")
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            await tx.execute("UPDATE webhook_endpoints SET url = $1", url)
        ok(await desk.admin.post(f"/api/webhooks/{hook['id']}/rotate", json={}))
        ok(await desk.admin.post(f"/api/webhooks/{hook['id']}/ping"))
        await hooks.send(hook)
    await hooks.change(hook, enabled=True)
    ok(await desk.admin.delete(f"/api/webhooks/{hook['id']}"))


async def chain(desk: Desk) -> None:
    await desk.make_type()
    record = await desk.make_record()
    meta = {"employees": {"sources": [{"type": "web", "url": "https://acme.test"}]}}
    await desk.promote(await desk.submit(record, {"employees": 3}, field_meta=meta), "employees")
    body = {"ref": "source:web:https://acme.test", "reason": "It was wrong"}
    made = ok(await desk.reviewer.post("/api/chain/retractions", json=body))
    (item,) = ok(await desk.reviewer.get("/api/chain/items"))["data"]
    for verdict in ("kept", None):
        ok(await desk.reviewer.patch(f"/api/chain/items/{item['id']}", json={"verdict": verdict}))
    ok(await desk.reviewer.post(f"/api/chain/retractions/{made['id']}/undo"))


FLOWS: dict[Flow, set[str]] = {
    workspaces: {"workspace.created", "workspace.renamed"},
    members: {
        "member.added",
        "member.joined",
        "member.changed",
        "member.reset",
        "member.signed_out",
        "member.removed",
    },
    sign_ins: {
        "member.signed_in",
        "member.password_changed",
        "member.reset_used",
        "member.second_factor_added",
        "member.second_factor_removed",
    },
    agents: {f"agent.{did}" for did in ("created", "changed", "configured", "secret_set", "secret_removed")},
    sessions: {
        *(f"session.{did}" for did in ("created", "completed", "failed", "cancelled")),
        *(f"session.{did}" for did in ("waiting", "answered", "stalled", "dismissed")),
    },
    spans: {"session.merged", "session.reopened"},
    tasks: {f"task.{did}" for did in ("created", "changed", "removed", "not_started")},
    archives: {
        *(f"archive.{did}" for did in ("started", "ended", "downloaded", "removed")),
        "workspace.imported",
    },
    audit: {"audit.exported"},
    feedback: {
        f"feedback.{did}"
        for did in ("created", "changed", "reviewed", "reopened", "withdrawn", "erased", "imported")
    },
    feedback_groups: {
        f"feedback_group.{did}"
        for did in (
            "proposed",
            "grew",
            "shrank",
            "snoozed",
            "reopened",
            "dismissed",
            "returned",
            "split",
            "merged",
            "added",
        )
    },
    knowledge: {f"shared_context.{did}" for did in ("created", "changed", "moved", "removed")},
    goldens: {*(f"golden.{did}" for did in ("promoted", "changed", "revoked")), "golden_set.renamed"},
    judges: {
        *(f"judge_sample.{did}" for did in ("drawn", "labelled", "ended")),
        "judge.licensed",
        "judge.licence_withdrawn",
    },
    eval_runs: {f"eval_run.{did}" for did in ("started", "ended", "cancelled", "confirmed")},
    experiments: {
        *(f"experiment.{did}" for did in ("started", "confirming", "ended", "cancelled")),
        "shared_context.measured",
    },
    erasures: {*(f"erasure.{did}" for did in ("requested", "done", "failed")), "retention.changed"},
    limits: {"limits.changed", "limits.key_changed"},
    chain: {"chain.retracted", "chain.retraction_undone", "chain.settled"},
    keys: {"key.created", "key.revoked"},
    jobs: {"job.ended"},
    entity_types: {f"entity_type.{did}" for did in ("created", "changed", "featured", "removed")},
    records: {
        *(f"entity.{did}" for did in ("created", "edited", "removed")),
        *("relation.added", "relation.removed"),
    },
    criteria_sets: {f"criteria_set.{did}" for did in ("created", "changed", "archived", "removed")},
    responses: {
        *(f"response.{did}" for did in ("submitted", "assigned", "rejected", "reopened", "withdrawn")),
        "extraction/result-rejected",
    },
    promotion: {"response.promoted", "response.promotion_undone"},
    claims: {"claim.aggregated", "claim_settings.changed"},
    reactions: {
        "conversation.turn_added",
        *(f"reaction.{did}" for did in ("added", "replaced", "cleared")),
    },
    machine_reactions: {f"reaction.{did}" for did in ("added", "unsettled", "dismissed", "reopened")},
    saved_lists: {f"saved_list.{did}" for did in ("created", "changed", "removed")},
    webhooks: {
        f"webhook.{did}"
        for did in ("created", "changed", "secret_rotated", "pinged", "switched_off", "removed")
    },
    views: {f"view.{did}" for did in ("created", "changed", "removed")},
    artifact_runs: {
        *(f"artifact_eval_run.{did}" for did in ("started", "done", "failed", "cancelled")),
        "artifact_eval_suite.changed",
    },
}


def caused() -> set[str]:
    return set[Any]().union(*FLOWS.values())
