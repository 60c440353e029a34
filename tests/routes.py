"""Every route of the OpenAPI document, and a workspace that has an id and a good body for each of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.conversations.gate.model import Detection
from goldloop.conversations.reactions import service as reactions
from goldloop.conversations.reactions.targeting import Target as TurnTarget
from goldloop.kit.clock import now
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue
from goldloop.tenants.agents import service as agents
from goldloop.tenants.members import service as members
from goldloop.tenants.model import Role
from tests.artifact_runs.library import BAD, Library
from tests.factories import PASSWORD, Workspace
from tests.goldens.judges.bench import make_bench
from tests.goldens.shelf import Shelf
from tests.loops import any_number
from tests.records import COMPANY, RUBRIC, make_desk, ok

# Answered without any credentials. Each has a reason; a new one needs one too.
PUBLIC = {
    ("POST", "/api/session"),  # signing in
    ("POST", "/api/session/join"),  # with the secret of an invitation
    ("POST", "/api/session/reset"),  # with the secret of a link to a new password
    ("GET", "/api/sign-in"),  # what the page of signing in shows
    ("POST", "/api/sign-in/{provider}"),  # on the way to a provider
    ("POST", "/api/sign-in/{provider}/finish"),  # with what the provider sent back
    ("GET", "/healthz"),
    ("GET", "/readyz"),
}
# Only for a browser's session; a key is nobody there.
SESSION_ONLY = {
    ("GET", "/api/session"),
    ("DELETE", "/api/session"),
    ("POST", "/api/session/password"),
    ("POST", "/api/session/accept"),
    ("GET", "/api/account"),
    ("GET", "/api/account/sessions"),
    ("DELETE", "/api/account/sessions"),
    ("DELETE", "/api/account/sessions/{session_id}"),
    ("POST", "/api/account/second-factor"),
    ("POST", "/api/account/second-factor/confirm"),
    ("POST", "/api/account/second-factor/recovery-codes"),
    ("POST", "/api/account/second-factor/remove"),
    ("POST", "/api/account/identities/{provider}"),
    ("DELETE", "/api/account/identities/{identity_id}"),
}
# The address is the same in every workspace; what is not there is the tool's own answer.
TOOL = ("POST", "/api/tools/{tool_name}")

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[1] / "web" / "openapi.json").read_text())
OPERATIONS = [
    (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method in item
    if method in {"get", "post", "put", "patch", "delete"}
]


@dataclass(frozen=True)
class Target:
    """A workspace full of rows that carry `canary` in their text, and the ids of some of them."""

    workspace: Workspace
    canary: str
    ids: dict[str, str]

    def path(self, template: str) -> str:
        for name in any_number([part[1:-1] for part in template.split("/") if part.startswith("{")]):
            assert name in self.ids, f"give Target an id for {{{name}}}"
            template = template.replace(f"{{{name}}}", self.ids[name])
        if template.endswith(("/aggregate", "/raters", "/scores", "/ranked")):
            template += f"?criteria_set_id={self.ids['set_id']}&field_key=parent"
        if template.endswith(("/evals/matrix", "/evals/trend")):
            template += "?set=default"
        if template == "/api/chain":
            template += f"?from=session:{self.ids['session_id']}"
        if template == "/api/admin/evals/facts":
            template += f"?sessionId={self.ids['golden_id']}"
        if template.endswith("/outcomes"):
            template += f"?criteria_set_id={self.ids['edge_set_id']}"
        return template

    def body(self, method: str, path: str) -> Any:
        """A body that would be accepted, naming what exists in the target where it can."""
        if "requestBody" not in DOCUMENT["paths"][path][method.lower()]:
            return None
        bodies: dict[tuple[str, str], Any] = {
            ("POST", "/api/session"): {"email": "nobody@goldloop.test", "password": PASSWORD},
            ("POST", "/api/session/join"): {"token": "none", "name": "N", "password": PASSWORD},
            ("POST", "/api/session/accept"): {"token": "none"},
            ("POST", "/api/session/reset"): {"token": "none", "password": PASSWORD},
            ("POST", "/api/sign-in/{provider}"): {},
            ("POST", "/api/sign-in/{provider}/finish"): {"state": "none"},
            ("POST", "/api/account/second-factor"): {"current_password": PASSWORD},
            ("POST", "/api/account/second-factor/confirm"): {"code": "000000"},
            ("POST", "/api/account/second-factor/recovery-codes"): {"code": "000000"},
            ("POST", "/api/account/second-factor/remove"): {
                "current_password": PASSWORD,
                "code": "000000",
            },
            ("POST", "/api/members/{user_id}/reset"): {},
            ("POST", "/api/session/password"): {"current_password": PASSWORD, "new_password": PASSWORD},
            ("PATCH", "/api/workspace"): {"name": "Changed"},
            ("POST", "/api/members"): {"email": f"{new_id().hex}@goldloop.test", "role": "viewer"},
            ("PATCH", "/api/members/{user_id}"): {"role": "admin"},
            ("POST", "/api/agents"): {"id": self.ids["agent_id"], "slug": "the-target", "name": "Changed"},
            ("PATCH", "/api/agents/{agent_id}"): {"name": "Changed", "active": True},
            ("PUT", "/api/agents/{agent_id}/config"): {"instructions": "Changed"},
            ("PUT", "/api/agents/{agent_id}/secrets/{name}"): {"value": "Changed"},
            ("POST", "/api/admin/evals/experiments"): {
                "id": self.ids["experiment_id"],
                "setName": "default",
                "agent": "the-target",
                "replays": 2,
            },
            ("POST", "/api/erasures"): {"kind": "session", "session_id": self.ids["going_id"]},
            ("POST", "/api/erasures/preview"): {"kind": "session", "session_id": self.ids["session_id"]},
            ("PUT", "/api/retention"): {
                "traces_days": 30,
                "sessions_days": 365,
                "conversations_days": None,
                "events_days": None,
            },
            ("PUT", "/api/limits"): {
                "requests_per_minute": 1_000_000,
                "key_requests_per_minute": None,
                "tokens_per_day": None,
                "cost_per_day": None,
                "storage_bytes": None,
            },
            ("PUT", "/api/limits/keys/{key_id}"): {"requests_per_minute": 1_000_000},
            ("POST", "/api/retention/preview"): {
                "traces_days": 30,
                "sessions_days": 365,
                "conversations_days": None,
                "events_days": None,
            },
            ("POST", "/api/chain/retractions"): {
                "ref": f"session:{self.ids['session_id']}",
                "reason": "Changed",
            },
            ("PATCH", "/api/chain/items/{item_id}"): {"verdict": "kept"},
            ("POST", "/api/sessions"): {"id": self.ids["session_id"], "source": "client"},
            ("POST", "/api/sessions/{session_id}/events"): [
                {"id": str(new_id()), "type": "user.message", "payload": {"text": "Changed"}}
            ],
            ("POST", "/api/sessions/{session_id}/end"): {"status": "completed"},
            ("POST", "/api/sessions/{session_id}/answer"): {"text": "Changed"},
            ("POST", "/api/sessions/{session_id}/run-again"): {},
            ("POST", "/api/tasks"): {
                "id": self.ids["task_id"],
                "name": "Changed",
                "kind": "prompt",
                "agent": "the-target",
                "config": {"message": "Changed"},
            },
            ("PATCH", "/api/tasks/{task_id}"): {"name": "Changed", "schedule": {"cron": "0 9 1 1 *"}},
            ("POST", "/api/tasks/{task_id}/run"): {},
            ("POST", "/api/entities/{entity_id}/populate"): {"text": "Changed"},
            ("POST", "/api/populate"): {"type": self.ids["slug"], "ids": [self.ids["entity_id"]]},
            ("POST", "/api/webhooks"): {
                "id": self.ids["webhook_id"],
                "url": "https://changed.example/",
                "events": ["*"],
            },
            ("PATCH", "/api/webhooks/{webhook_id}"): {"description": "Changed"},
            ("POST", "/api/webhooks/{webhook_id}/rotate"): {"keep_hours": 0},
            ("POST", "/api/webhooks/{webhook_id}/recover"): {"since": now().isoformat()},
            ("POST", "/api/keys"): {"id": self.ids["key_id"], "name": "Changed", "role": "viewer"},
            ("POST", "/api/marks/retry"): {"kind": "of-route-fuzz", "key": self.canary},
            **self.record_bodies(),
            **self.conversation_bodies(),
            **self.feedback_bodies(),
            **self.knowledge_bodies(),
            **self.eval_bodies(),
        }
        assert (method, path) in bodies, f"give Target a body for {method} {path}"
        return bodies[method, path]

    def feedback_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        group, ids = "/api/feedback/groups/{group_id}", [self.ids["feedback_id"]]
        return {
            ("POST", "/api/feedback"): {
                "id": ids[0],
                "source_type": "tool",
                "rating": "negative",
                "comment": "Changed",
            },
            ("PATCH", "/api/feedback/{feedback_id}"): {"status": "reviewed", "review_notes": "Changed"},
            ("POST", "/api/feedback/review"): {"ids": ids, "status": "dismissed"},
            ("POST", f"{group}/review"): {"status": "reviewed"},
            ("POST", f"{group}/dismiss"): {"reason": "noise"},
            ("POST", f"{group}/snooze"): {"note": "Changed"},
            ("POST", f"{group}/merge"): {"into": self.ids["other_group_id"]},
            ("POST", f"{group}/split"): {"ids": ids},
            ("POST", f"{group}/add"): {"ids": ids},
            ("POST", "/api/feedback/import"): {"kind": "rejections", "text": "", "dry_run": True},
            ("PUT", "/api/feedback/settings"): {"reruns": 1},
            ("PUT", "/api/otlp/settings"): {"project": "Changed", "keep_days": 30},
            ("PUT", "/api/exports/otlp"): {"url": "https://collector.goldloop.test"},
        }

    def knowledge_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        rows, group = "/api/admin/shared-context", {"group_id": self.ids["group_id"]}
        row = f"{rows}/{{row_id}}"
        return {
            ("POST", rows): {"id": self.ids["row_id"], "type": "lesson", "content": "Changed"},
            ("PATCH", row): {"content": "Changed"},
            **{("POST", f"{row}/{step}"): {} for step in ("approve", "dismiss", "shadow", "retire", "undo")},
            ("POST", f"{row}/diff"): {"state": "retired"},
            ("POST", f"{row}/keep-both"): {"other_id": self.ids["other_row_id"]},
            ("POST", f"{row}/support"): {"feedback_ids": [self.ids["feedback_id"]], "dismissed": True},
            ("POST", f"{row}/strengthen"): group,
            ("POST", f"{rows}/proposals"): group,
            ("POST", f"{rows}/uses"): {"ids": [self.ids["row_id"]]},
            ("PUT", f"{rows}/settings"): {"review": False},
            ("POST", "/api/memories"): {"content": "Changed"},
        }

    def eval_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        evals = "/api/admin/evals"
        return {
            ("POST", f"{evals}/golden"): {"sessionId": self.ids["golden_id"], "note": "Changed"},
            ("PATCH", f"{evals}/golden/{{golden_id}}"): {"note": "Changed"},
            ("PATCH", f"{evals}/sets/{{golden_set_id}}"): {"name": "Changed"},
            ("POST", f"{evals}/runs"): {"goldenSessionId": self.ids["golden_id"], "agent": "the-target"},
            ("POST", f"{evals}/runs/set"): {
                "setName": self.canary,
                "agents": [{"agent": "the-target"}],
                "dryRun": True,
            },
            ("POST", f"{evals}/judges/{{judge_id}}/samples"): {"id": self.ids["sample_id"], "size": 1},
            ("PUT", f"{evals}/judges/queue/{{sample_id}}/replays/{{replay_id}}"): {
                "passed": True,
                "note": "Changed",
            },
            ("POST", f"{evals}/starters/{{starter}}"): {"trials": False},
            ("PATCH", f"{evals}/candidates"): {"feedbackIds": [self.ids["feedback_id"]], "action": "applied"},
        }

    def conversation_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        project = "/conversations/{tenant}/{project}"
        conversation = f"{project}/{{conversation_id}}"
        turn = f"{conversation}/turns/{{turn_id}}"
        period = {"start": "2000-01-01T00:00:00Z", "end": "2100-01-01T00:00:00Z", "include_turns": True}
        return {
            ("POST", f"{conversation}/turns"): {"turn_id": "another", "user": {"text": "Changed"}},
            ("POST", f"{turn}/feedback"): {"reaction": "neutral"},
            ("POST", f"{turn}/feedback-token"): {},
            ("POST", f"{conversation}/turns-with-feedbacks"): {},
            ("POST", f"{project}/feedback/conversations-in-period"): period,
            ("POST", "/api/reactions/{reaction_id}/settle"): {"turn_id": self.ids["turn_id"]},
            ("POST", "/api/reactions/{reaction_id}/settle/undo"): {"rn": "ef:another"},
        }

    def record_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        ids, entity = self.ids, "/api/entities/{entity_id}"
        response = f"{entity}/responses/{{response_id}}"
        values = {"name": "Changed"}
        edge = {"id": ids["relation_id"], "field_key": "parent", "target_id": ids["entity_id"]}
        return {
            ("POST", "/api/entity-types"): {"slug": ids["slug"], "name": "Changed", "json_schema": COMPANY},
            ("PATCH", "/api/entity-types/{slug}"): {"version": 1, "name": "Changed"},
            ("POST", "/api/entities"): {"id": ids["entity_id"], "type": ids["slug"], "title": "Changed"},
            ("PATCH", entity): {"version": 2, "title": "Changed"},
            ("POST", "/api/entities/delete"): {"ids": [ids["spare_id"]]},
            ("PUT", "/api/entity-types/{slug}/columns"): {"columns": ["name"]},
            ("POST", "/api/saved-lists"): {"id": ids["list_id"], "name": "Changed", "query": {}},
            ("PATCH", "/api/saved-lists/{list_id}"): {"version": 1, "name": "Changed"},
            ("POST", f"{entity}/relations"): edge,
            ("POST", f"{entity}/fields/{{field}}/undo"): {},
            ("POST", f"{entity}/responses/{{response_id}}/undo"): {},
            ("POST", "/api/criteria-sets"): {
                "id": ids["set_id"],
                "slug": "of-route-fuzz",
                "name": "Changed",
                "kind": "assessment",
                "dimensions": RUBRIC,
            },
            ("PATCH", "/api/criteria-sets/{set_id}"): {"version": 1, "name": "Changed"},
            ("POST", f"{entity}/responses"): {"values": values},
            ("POST", "/api/responses/assign"): {"ids": [ids["response_id"]], "user_id": None},
            ("PATCH", response): {"status": "rejected", "review_notes": "Changed"},
            ("POST", f"{response}/promote"): {"fields": ["name"]},
            ("POST", f"{response}/undo"): {},
            ("POST", f"{response}/promote/preview"): {"fields": ["name"]},
            ("PUT", "/api/claims/settings"): {
                "source_type": ids["slug"],
                "criteria_set": "of-route-fuzz",
                "relation_field": "parent",
            },
            ("POST", "/api/views"): {"id": ids["view_id"], "slug": "v", "name": "Changed", "blocks": []},
            ("PATCH", "/api/views/{view_id}"): {"version": 1, "name": "Changed"},
            ("POST", "/api/artifact-evals/suites/{suite}/runs"): {"id": ids["run_id"]},
            ("POST", "/api/archives"): {"id": ids["archive_id"]},
            ("POST", "/api/entities/import"): {
                "type": ids["slug"],
                "text": "title\nChanged\n",
                "dry_run": False,
            },
            ("PUT", "/api/artifact-evals/suites/{suite}/settings"): {"added": True, "left_out": []},
            TOOL: {"entityId": ids["entity_id"], "values": values, "promoteFields": ["name"]},
        }


async def make_records(workspace: Workspace, canary: str) -> dict[str, str]:
    """A record that has all that a record can have, under a type with a slug of its own."""
    desk = await make_desk(workspace)
    slug = f"t{canary[::-1]}"  # strangers say it themselves
    await desk.make_type(slug, name=canary, field_configs={"parent": {"relation": {"target_type": slug}}})
    dimensions = [{"key": "name", "label": canary, "type": "text"}, *RUBRIC]
    made = await desk.make_set("of-route-fuzz", name=canary, dimensions=dimensions)
    record = await desk.make_record({"summary": canary}, type=slug, title=canary)
    values = {"name": canary, "team": 3}
    response = await desk.submit(record, values, criteria_set_id=made["id"])
    await desk.promote(response, "name")
    edge = {"field_key": "parent", "target_id": (await desk.make_record(type=slug, title=canary))["id"]}
    relation = ok(await desk.contributor.post(f"/api/entities/{record['id']}/relations", json=edge))
    child = await desk.make_record(type=slug, title=canary)
    edge = {"field_key": "parent", "target_id": record["id"]}
    ok(await desk.contributor.post(f"/api/entities/{child['id']}/relations", json=edge))
    scope = {"type": "relation", "fieldKey": "parent"}
    edges = await desk.make_set("edges-of-route-fuzz", name=canary, entity_type_slugs=[slug], scope=scope)
    await desk.submit(child, {record["id"]: {"team": 3}}, criteria_set_id=edges["id"])
    words = {"source_type": slug, "criteria_set": "of-route-fuzz", "relation_field": "parent"}
    ok(await desk.admin.put("/api/claims/settings", json=words))
    new_view = {"slug": "v", "name": canary, "blocks": [{"type": "text", "text": canary}]}
    view = ok(await desk.admin.post("/api/views", json=new_view))
    kept = {"name": canary, "query": {"type": slug, "q": canary}, "shared": True}
    saved = ok(await desk.admin.post("/api/saved-lists", json=kept))
    spare = await desk.make_record(type=slug, title=canary)
    library = Library(desk=desk)
    await library.make_type()
    await library.add({**BAD[KnowledgeDimension.TENANT_ISOLATION], "title": canary})
    run = await library.score()
    return {
        "suite": run["suite"],
        "run_id": run["id"],
        "entity_id": record["id"],
        "response_id": response["id"],
        "relation_id": relation["id"],
        "set_id": made["id"],
        "edge_set_id": edges["id"],
        "view_id": view["id"],
        "list_id": saved["id"],
        "archive_id": ok(await desk.admin.post("/api/archives", json={}))["id"],
        "spare_id": spare["id"],  # to be deleted with others
        "slug": slug,
        "field": "name",
        "tool_name": "submitResponse",
    }


async def make_conversation(workspace: Workspace, canary: str) -> dict[str, str]:
    """A turn with a reaction to it, and a machine reaction that nobody has settled. Strangers say the ids themselves."""
    client = await workspace.client()
    ids = {"tenant": workspace.slug, "project": "P", "conversation_id": "c", "turn_id": "t"}
    path = f"/conversations/{workspace.slug}/P/c/turns"
    turn = {"turn_id": "t", "user": {"text": canary}, "user_id": "u", "turn_log": {"said": canary}}
    message = {"turn_id": "m", "user": {"text": canary}, "user_id": "u"}
    ok(await client.post(path, json=[turn, message], params={"gate": "false"}))
    ok(await client.post(f"{path}/t/feedback", json={"reaction": "ok", "text": canary}))
    ids["reaction_id"] = str(await make_unsettled(workspace, canary))
    return ids


async def make_session(workspace: Workspace, agent_id: str, canary: str) -> dict[str, str]:
    """A session that waits to be run, and its agent with a configuration and a secret."""
    client = await workspace.client()
    ok(await client.put(f"/api/agents/{agent_id}/config", json={"instructions": canary}))
    ok(await client.put(f"/api/agents/{agent_id}/secrets/model_key", json={"value": canary}))
    session = ok(await client.post("/api/sessions", json={"agent": agent_id, "input": {"message": canary}}))
    return {"session_id": session["id"], "seq": "1", "version": "1", "name": "model_key"}


async def make_task(workspace: Workspace, agent_id: str, canary: str) -> dict[str, str]:
    """A task with a schedule, of an agent that is configured."""
    body = {"name": canary, "kind": "prompt", "agent": agent_id, "config": {"message": canary}}
    client = await workspace.client()
    schedule = {"cron": "0 9 1 1 *", "timezone": "Europe/Berlin"}
    return {"task_id": ok(await client.post("/api/tasks", json={**body, "schedule": schedule}))["id"]}


async def make_webhook(workspace: Workspace, canary: str) -> dict[str, str]:
    """A webhook that waits to be tested."""
    body = {"url": "https://receiver.example/", "events": ["webhook.removed"], "description": canary}
    client = await workspace.client()
    webhook = ok(await client.post("/api/webhooks", json=body))
    delivery = ok(await client.post(f"/api/webhooks/{webhook['id']}/ping"))
    return {"webhook_id": webhook["id"], "delivery_id": delivery["id"]}


async def make_feedback(workspace: Workspace, canary: str) -> dict[str, str]:
    """Feedback that is in a group."""
    given = {"source_type": "tool", "rating": "negative", "comment": canary}
    client, group_id, other_id = await workspace.client(), new_id(), new_id()
    decision_id = new_id()
    feedback = ok(await client.post("/api/feedback", json=given))
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            """
            INSERT INTO feedback_groups (tenant_id, id, kind, rating, block, title, members, pending, origins, proposed,
                first_at, last_at, created_at)
            SELECT $1, g, 'wording', 'negative', 'negative', $3, 1, 1, 1, true, now(), now(), now() FROM unnest($2::uuid[]) g
            """,
            workspace.id,
            [group_id, other_id],
            canary,
        )
        await tx.execute(
            "UPDATE feedback SET group_id = $2, placed_at = now(), block = 'negative' WHERE tenant_id = $1",
            workspace.id,
            group_id,
        )
        await tx.execute(
            """
            INSERT INTO feedback_decisions (tenant_id, id, group_id, kind, note, decided_at, decided_by_kind)
            VALUES ($1, $2, $3, 'review', $4, now(), 'system')
            """,
            workspace.id,
            decision_id,
            group_id,
            canary,
        )
    return {
        "feedback_id": feedback["id"],
        "group_id": str(group_id),
        "other_group_id": str(other_id),
        "decision_id": str(decision_id),
    }


async def make_knowledge(workspace: Workspace, canary: str, group_id: str) -> dict[str, str]:
    """Rows that prompts hold, of which one rests on a group of feedback, and a memory."""
    client = await workspace.client()
    new = {"type": "lesson", "content": canary, "context": canary}
    one, other = [ok(await client.post("/api/admin/shared-context", json=new)) for _ in range(2)]
    rests_on = {"group_id": group_id, "anyway": True}
    ok(await client.post(f"/api/admin/shared-context/{one['id']}/strengthen", json=rests_on))
    held = ok(await client.get("/api/shared-context/prompt"))
    memory = ok(await client.post("/api/memories", json={"content": canary}))
    return {
        "row_id": one["id"],
        "other_row_id": other["id"],
        "manifest": held["manifest"],
        "memory_id": memory["id"],
    }


async def make_golden(workspace: Workspace, canary: str) -> dict[str, str]:
    """A golden in a set of its own, a run that is to replay it, an experiment on it, and a golden in another set."""
    shelf = Shelf(workspace, await workspace.client())
    await shelf.promote(await shelf.ask(canary), note=canary)
    golden = await shelf.promote(await shelf.ask(canary), set=canary, note=canary, facts=[canary])
    ids = {"golden_id": golden["sessionId"], "golden_set_id": golden["setId"]}
    ids |= await shelf.start_experiment(golden, "the-target", canary)
    ids |= await shelf.start_run(golden, "the-target")
    ids |= await make_retraction(shelf.admin, canary, golden["sessionId"])
    return ids | await (await make_bench(workspace)).to_label()


async def make_retraction(client: Any, canary: str, session_id: str) -> dict[str, str]:
    """A session that is retracted, the golden to be looked at again for it, what was deleted and what may be."""
    body = {"ref": f"session:{session_id}", "reason": canary}
    made = ok(await client.post("/api/chain/retractions", json=body))
    items = ok(await client.get("/api/chain/items"))["data"]
    asked = {"source": "client", "input": {"message": canary}}
    gone, going = [ok(await client.post("/api/sessions", json=asked)) for _ in range(2)]
    ended = ok(await client.post("/api/erasures", json={"kind": "session", "session_id": gone["id"]}))
    named = {"erasure_id": ended["id"], "going_id": going["id"]}
    return named | {"retraction_id": made["id"], "item_id": items[0]["id"] if items else str(new_id())}


async def make_unsettled(workspace: Workspace, text: str) -> UUID:
    """Read from the message of turn `m` of the conversation `c` of the project `P`."""
    async with workspace.db.tx(workspace.system) as tx:
        message = await reactions.find_message(tx, "P", "c", "m")
        assert message is not None
        found = Detection(reaction="not_ok", confidence=0.9, evidence=text)
        target = TurnTarget(turn_id=None, conversation_id=None, decision="undecided", candidates=[])
        assert await reactions.add_machine_reaction(tx, message, found, target)
        made: UUID = await tx.fetchval("SELECT id FROM conv_messages WHERE state = 'unsettled' LIMIT 1")
        return made


async def make_target(workspace: Workspace) -> Target:
    canary = workspace.slug.removeprefix("t-")  # also in the workspace's name and its owner's address
    async with workspace.db.tx(workspace.system) as tx:
        agent = await agents.create(tx, None, "the-target", f"agent {canary}", canary)
        invited = await members.invite(tx, f"{canary}@goldloop.test", f"member {canary}", Role.VIEWER)
        job = await enqueue(tx, "tenants.record_key_use", {"key_id": str(new_id()), "at": canary})
        await tx.execute("SELECT set_marks('of-route-fuzz', ARRAY[$1])", canary)
    key, _ = await workspace.make_key(name=f"key {canary}")
    async with workspace.db.tx(workspace.system) as tx:
        entry = await tx.fetchval("SELECT id FROM events WHERE subject_id = $1 LIMIT 1", str(agent.id))
    return Target(
        workspace=workspace,
        canary=canary,
        ids={
            "agent_id": str(agent.id),
            "user_id": str(invited.member.user_id),
            "provider": "corp",
            "identity_id": str(new_id()),
            "job_id": str(job),
            "entry_id": str(entry),
            "key_id": str(key.id),
            **await make_records(workspace, canary),
            **await make_conversation(workspace, canary),
            **await make_session(workspace, str(agent.id), canary),
            **await make_task(workspace, str(agent.id), canary),
            **await make_webhook(workspace, canary),
            **(feedback := await make_feedback(workspace, canary)),
            **await make_knowledge(workspace, canary, feedback["group_id"]),
            **await make_golden(workspace, canary),
            "starter": "pe-analyst",
        },
    )


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def everything_of(superuser: Any, workspace: Workspace) -> dict[str, list[str]]:
    """All rows of a workspace as text. That a key was used is recorded, so its jobs do not count as a change."""
    return {
        name: [row[0] for row in await superuser.fetch(sql, workspace.id)]
        for name, sql in (await queries_of_everything(superuser)).items()
    }


async def queries_of_everything(superuser: Any, shown: str = "{row}::text") -> dict[str, str]:
    """By table: the rows of the tenant $1 as text, in an order of their own."""
    names = [
        row["name"]
        for row in await superuser.fetch(
            """
            SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'
            """
        )
    ]
    row = shown.format(row="t")
    queries = {name: f"SELECT {row} FROM {name} t WHERE tenant_id = $1 ORDER BY 1" for name in names}
    queries["tenants"] = f"SELECT {row} FROM tenants t WHERE id = $1"
    queries["users"] = (
        f"SELECT {row} FROM users t JOIN memberships m ON m.account_id = t.id WHERE m.tenant_id = $1 ORDER BY 1"
    )
    queries["jobs"] = f"""
        SELECT {row} FROM procrastinate.procrastinate_jobs t
        WHERE args ->> 'tenant_id' = $1::uuid::text
          AND NOT (task_name = 'tenants.record_key_use' AND args ->> 'actor' NOT LIKE 'system:%') ORDER BY 1
    """
    del queries["live_watchers"]  # that somebody looks is noted; it says nothing of the workspace
    return queries
