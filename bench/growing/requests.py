"""What is asked of a workspace at either size: every list with its first page and a deep one, the reports, and hot writes.

A list says nothing of what is in it. What a report brings together is the same at both sizes; the rest of the workspace is what
has grown.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import quote, unquote
from uuid import UUID

from bench.ground import Ground, Tenant
from bench.growing.client import Client
from bench.growing.pages import COUNTED, WARM
from goldloop.kit.ids import new_id

EACH = WARM + COUNTED
DEEP = 20  # pages that a deep one lies behind, or as many as there are
LIMIT = 50
FEW = (
    13  # rows that a report looks up, or a write of several writes: five events of a session have eight words
)

LISTS = (
    "/api/entities",
    "/api/entities?type={type}",
    "/api/entities?type={type}&sort=-score",
    "/api/entities?type={type}&sort=title",
    "/api/entities?sort=-updated",
    "/api/entities?type={type}&waits=true",
    "/api/entities?q=capybara",
    "/api/entities?q=the",
    "/api/entities/{entity}/fields",
    "/api/entities/{entity}/fields/{field}/history",
    "/api/entities/{entity}/responses",
    "/api/entities/{entity}/responses/raters?criteria_set_id={set}",
    "/api/entities/{entity}/responses/scores?criteria_set_id={set}",
    "/api/entities/{entity}/relations",
    "/api/entities/{entity}/sources",
    "/api/entities/{entity}/claims",
    "/api/entities/{source}/relations/ranked?field_key={field_key}&criteria_set_id={edge_set}",
    "/api/entities/{source}/outcomes?criteria_set_id={edge_set}",
    "/api/responses",
    "/api/responses?promotable=true",
    "/api/responses?status=promoted",
    "/api/responses?type={type}",
    "/api/responses?criteria_set={set_slug}&promotable=true",
    "/api/responses?submitted_by=agent&promotable=true",
    "/api/entity-types",
    "/api/criteria-sets",
    "/api/views",
    "/api/saved-lists",
    "/api/agents",
    "/api/agents/overview",
    "/api/agents/{agent}/versions",
    "/api/members",
    "/api/keys",
    "/api/conversations",
    "/api/conversations?q=the",
    "/api/conversations?reaction=not_ok",
    "/api/conversations?project={project}",
    "/api/conversations?agent={chat_agent}",
    "/api/conversations/{project}/{conversation}",
    "/api/reactions/unsettled",
    "/api/sessions",
    "/api/sessions?status=completed",
    "/api/sessions?agent={agent_slug}",
    "/api/sessions?entity_id={session_entity}",
    "/api/sessions?waits_for=look",
    "/api/sessions?q=the",
    "/api/sessions/{session}/events",
    "/api/feedback",
    "/api/feedback?status=pending",
    "/api/feedback?rating=negative",
    "/api/feedback?source_type=response",
    "/api/feedback?agent={agent_slug}",
    "/api/feedback?entity_type={feedback_type}",
    "/api/feedback?grouped=false",
    "/api/feedback?q=the",
    "/api/feedback/groups",
    "/api/feedback/groups?waits=true",
    "/api/feedback/groups/{group}/members",
    "/api/admin/shared-context",
    "/api/admin/shared-context?state=active",
    "/api/admin/shared-context?waits=true",
    "/api/admin/shared-context?q=the",
    "/api/admin/shared-context/{knowledge}/sessions",
    "/api/admin/shared-context/{knowledge}/value",
    "/api/memories",
    "/api/chain/items",
    "/api/chain/items?waits=true",
    "/api/chain/retractions",
    "/api/admin/evals/candidates",
    "/api/admin/evals/experiments",
    "/api/admin/evals/golden",
    "/api/admin/evals/golden?set=set-1",
    "/api/admin/evals/sets",
    "/api/admin/evals/runs",
    "/api/admin/evals/runs?kind=run",
    "/api/admin/evals/runs?set=set-1",
    "/api/admin/evals/runs/{eval_run}/replays",
    "/api/admin/evals/judges",
    "/api/admin/evals/judges/queue",
    "/api/tasks",
    "/api/jobs",
    "/api/jobs?status=failed",
    "/api/marks",
    "/api/audit",
    "/api/audit?name=response.submitted",
    "/api/audit?topic=entities",
    "/api/erasures",
    "/api/webhooks",
    "/api/webhooks/{webhook}/deliveries",
    "/api/archives",
    "/api/otlp/sources",
)
REPORTS = (
    "/api/inbox",
    "/api/first-steps",
    "/api/workspace",
    "/api/entities/count?type={type}",
    "/api/entities/{entity}",
    "/api/entities/{entity}/responses/aggregate?criteria_set_id={set}",
    "/api/entities/{source}/responses/aggregate?criteria_set_id={edge_set}&compact=true",
    "/api/entities/{entity}/responses/{response}",
    "/api/criteria-sets/{set}",
    "/api/entity-types/{type}",
    "/api/responses/count?promotable=true",
    "/api/agents/{agent}",
    "/api/agents/{agent}/config",
    "/api/conversation-agents",
    "/api/conversations/projects",
    "/api/conversations/satisfaction?bucket=week&start={since}&end={until}",
    "/api/conversations/satisfaction?bucket=week&by=agent&start={since}&end={until}",
    "/api/reactions/unsettled/count",
    "/api/sessions/{session}",
    "/api/sessions/{session}/shared-context",
    "/api/feedback/counts?since={since}&until={until}",
    "/api/feedback/quality-loop?since={since}&until={until}",
    "/api/feedback/groups/{group}",
    "/api/feedback/{feedback}",
    "/api/admin/shared-context/counts",
    "/api/admin/shared-context/{knowledge}",
    "/api/admin/shared-context/{knowledge}/neighbours",
    "/api/shared-context/prompt",
    "/api/shared-context/prompt?agent={agent}",
    "/api/admin/evals/matrix?set=set-1",
    "/api/admin/evals/trend?set=set-1",
    "/api/chain?from=session:{session}&direction=forward",
    "/api/chain?from=response:{response}&direction=back",
    "/api/chain?from=field:{entity}/{field}&direction=back",
    "/api/limits",
    "/api/retention",
)
Ids = dict[str, str]
Make = Callable[[Client, Ids], Awaitable[Sequence[bytes]]]


# What counts or looks at so many and no more: it costs more until there are so many.
UP_TO = {
    "/api/inbox": "1,000 of a kind are counted",
    "/api/entities/count?type={type}": "10,000 are counted",
    "/api/entities?type={type}&waits=true": "5,000 that wait are gathered, of more each record is asked",
    "/api/entities?q=the": "5,000 with the word are gathered, of more each record is asked",
    "/api/sessions?q=the": "5,000 with the word are gathered, of more each is asked",
    "/api/feedback?q=the": "5,000 with the word are gathered, of more each is asked",
    "/api/admin/shared-context?q=the": "5,000 with the word are gathered, of more each is asked",
    "/api/criteria-sets": "all of a workspace are sorted",
    "/api/admin/evals/judges": "all of a workspace are sorted",
    "/api/conversation-agents": "those of 5,000 conversations are told",
    "GET its conversation": "5,000 reactions are shown beside its turns",
    "/api/entities?type={type}&sort=-score": "a deep page has other records at either size",
    "GET its raters": "each rater that is shown is looked up",
    "/api/responses/count?promotable=true": "10,000 are counted",
    "/api/admin/shared-context/counts": "1,000 of a kind are counted",
    "/api/admin/shared-context/{knowledge}/neighbours": "2,000 are compared",
    "/api/admin/evals/candidates": "2,000 complaints are looked at",
    "say knowledge": "2,000 are compared",
    "retire knowledge": "2,000 are compared",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`make` gives the requests that are sent, one for all times or as many as are counted with those before. `rows` are shown at
    once, each of which may be looked up in an index that is a level higher."""

    name: str
    make: Make
    rows: int = 1
    up_to: str | None = None


def reading(name: str, path: str, rows: int = 1, up_to: str | None = None) -> Asked:
    async def make(client: Client, ids: Ids) -> Sequence[bytes]:
        return [client.build("GET", path.format(**ids))]

    return Asked(name=name, make=make, rows=rows, up_to=up_to)


def deep(name: str, path: str, up_to: str | None = None) -> Asked:
    """A page far down a list, where it has several."""

    async def make(client: Client, ids: Ids) -> Sequence[bytes]:
        start = path.format(**ids)
        page = await client.ask("GET", start)
        found: str | None = None
        for _ in range(DEEP):
            if (cursor := page.get("next_cursor")) is None:
                break
            page = await client.ask("GET", following := f"{start}&cursor={quote(cursor)}")
            if len(page["data"]) == LIMIT:  # a full one, so that two sizes are comparable
                found = following
        return [client.build("GET", found)] if found else []

    return Asked(name=name, make=make, rows=LIMIT, up_to=up_to)


def lists() -> list[Asked]:
    asked = []
    for path in LISTS:
        limited = f"{path}{'&' if '?' in path else '?'}limit={LIMIT}"
        up_to = UP_TO.get(path)
        asked += [reading(f"GET {path}", limited, LIMIT, up_to), deep(f"GET {path}, deep", limited, up_to)]
    return asked


def posted(name: str, path: str, body: Callable[[Ids], Any]) -> Asked:
    """What reads by a POST."""

    async def make(client: Client, ids: Ids) -> Sequence[bytes]:
        return [client.build("POST", path.format(**ids), body(ids))]

    return Asked(name=name, make=make, rows=LIMIT)


def writing(name: str, method: str, path: str, body: Callable[[Ids, int], Any] | None = None) -> Asked:
    """Another one each time: `{n}` in the path, and what `body` makes of a number."""

    async def make(client: Client, ids: Ids) -> Sequence[bytes]:
        numbers = [next(NUMBERS) for _ in range(EACH)]
        return [
            client.build(method, path.format(n=n, **ids), body(ids, n) if body else None) for n in numbers
        ]

    return Asked(name=name, make=make, up_to=UP_TO.get(name))


def prepared(
    name: str,
    before: Callable[[Client, Ids], Awaitable[str]],
    method: str,
    path: str,
    body: Callable[[Ids, str], Any] | None = None,
) -> Asked:
    """A write to something that was made for it, each time: `{made}` in the path is its id."""

    async def make(client: Client, ids: Ids) -> Sequence[bytes]:
        made = [await before(client, ids) for _ in range(EACH)]
        return [
            client.build(method, path.format(made=each, **ids), body(ids, each) if body else None)
            for each in made
        ]

    return Asked(name=name, make=make, rows=FEW, up_to=UP_TO.get(name))


NUMBERS = count(1)
ENTITY = "/api/entities/{to_entity}/responses"
CHAT = "/conversations/{slug}/{project}"


async def submit(client: Client, ids: Ids) -> str:
    answer = await client.ask(
        "POST", f"/api/entities/{ids['to_entity']}/responses", submission(ids, next(NUMBERS))
    )
    return str(answer["id"])


async def give_feedback(client: Client, ids: Ids) -> str:
    return str((await client.ask("POST", "/api/feedback", feedback(ids, next(NUMBERS))))["id"])


async def begin_session(client: Client, ids: Ids) -> str:
    return str(
        (await client.ask("POST", "/api/sessions", {"source": "client", "agent": ids["agent_slug"]}))["id"]
    )


async def say_knowledge(client: Client, ids: Ids) -> str:
    return str((await client.ask("POST", "/api/admin/shared-context", knowledge(ids, next(NUMBERS))))["id"])


async def add_turn(client: Client, ids: Ids) -> str:
    name = f"{next(NUMBERS)}"
    path = f"/conversations/{ids['slug']}/{ids['project']}/about-{name}/turns"
    await client.ask("POST", path, turns(ids, int(name)))
    return f"about-{name}/turns/turn-{name}-0"


def submission(ids: Ids, n: int) -> Any:
    return {"criteria_set_id": ids["set"], "values": {ids["dimension"]: f"A value, number {n}"}}


def feedback(ids: Ids, n: int) -> Any:
    return {
        "source_type": "response",
        "rating": "negative",
        "comment": f"The number {n} is wrong",
        "entity_id": ids["to_entity"],
    }


def knowledge(_: Ids, n: int) -> Any:
    return {"type": "guideline", "content": f"Say where number {n} was taken from, and give it in euros"}


def turns(_: Ids, n: int) -> Any:
    return [
        {
            "turn_id": f"turn-{n}-{k}",
            "user": {"text": f"Where is order {n}, and when will it be here?"},
            "assistant": {"text": f"Order {n} left the warehouse this morning."},
            "user_id": f"user-{n}",
            "ts": datetime.now(UTC).isoformat(),
        }
        for k in range(10)
    ]


def reaction(_: Ids, n: int) -> Any:
    return {"reaction": "not_ok", "user_id": f"somebody-{n}"}


def said(_: Ids, n: object) -> Any:
    return [
        {
            "id": str(new_id()),
            "type": "user.message",
            "payload": {"text": f"Where is order {n}?"},
            "at": datetime.now(UTC).isoformat(),
        }
        for _ in range(5)
    ]


def window(ids: Ids) -> Any:
    return {"start": unquote(ids["since"]), "end": unquote(ids["until"]), "include_turns": True, "limit": 100}


POSTED = (
    posted("POST …/conversations-in-period", CHAT + "/feedback/conversations-in-period", window),
    posted(
        "POST …/turns-with-feedbacks", CHAT + "/{conversation}/turns-with-feedbacks", lambda _: {"days": 365}
    ),
)
WRITES = (
    writing("submit", "POST", ENTITY, submission),
    prepared(
        "promote", submit, "POST", ENTITY + "/{made}/promote", lambda ids, _: {"fields": [ids["dimension"]]}
    ),
    prepared("reject", submit, "PATCH", ENTITY + "/{made}", lambda *_: {"status": "rejected"}),
    prepared("withdraw", submit, "DELETE", ENTITY + "/{made}"),
    writing(
        "create record",
        "POST",
        "/api/entities",
        lambda ids, n: {
            "type": ids["plain_type"],
            "title": f"New, number {n}",
            "content": {"statement": f"It is so, {n}"},
        },
    ),
    writing("react", "POST", CHAT + "/{to_conversation}/turns/{turn}/feedback", reaction),
    writing("10 turns in a new conversation", "POST", CHAT + "/new-{n}/turns", turns),
    writing("10 turns in a known conversation", "POST", CHAT + "/{to_conversation}/turns", turns),
    prepared(
        "react in a new conversation",
        add_turn,
        "POST",
        CHAT + "/{made}/feedback",
        lambda *_: {"reaction": "ok"},
    ),
    writing("feedback", "POST", "/api/feedback", feedback),
    prepared(
        "review feedback", give_feedback, "PATCH", "/api/feedback/{made}", lambda *_: {"status": "reviewed"}
    ),
    writing(
        "begin session",
        "POST",
        "/api/sessions",
        lambda ids, n: {"source": "client", "agent": ids["agent_slug"], "external_id": f"x-{n}"},
    ),
    prepared("append to a new session", begin_session, "POST", "/api/sessions/{made}/events", said),
    prepared(
        "end session", begin_session, "POST", "/api/sessions/{made}/end", lambda *_: {"status": "completed"}
    ),
    writing("say knowledge", "POST", "/api/admin/shared-context", knowledge),
    prepared(
        "retire knowledge", say_knowledge, "POST", "/api/admin/shared-context/{made}/retire", lambda *_: {}
    ),
    writing("create key", "POST", "/api/keys", lambda _, n: {"name": f"key {n}", "role": "viewer"}),
    writing("remember", "POST", "/api/memories", lambda _, n: {"content": f"Prefers euros, {n}"}),
)


# Of what may be much larger than its neighbours.
OF_ONE = (
    reading("GET its responses", "/api/entities/{to_entity}/responses?limit=50", LIMIT),
    reading(
        "GET its raters",
        "/api/entities/{to_entity}/responses/raters?criteria_set_id={set}&limit=50",
        LIMIT,
        UP_TO["GET its raters"],
    ),
    reading(
        "GET its scores", "/api/entities/{to_entity}/responses/scores?criteria_set_id={set}&limit=50", LIMIT
    ),
    reading("GET the record", "/api/entities/{to_entity}"),
    reading(
        "GET its conversation",
        "/api/conversations/{project}/{to_conversation}?limit=50",
        LIMIT,
        UP_TO["GET its conversation"],
    ),
    reading("GET its group", "/api/feedback/groups/{to_group}"),
    reading("GET its members", "/api/feedback/groups/{to_group}/members?limit=50", LIMIT),
)
WRITES_TO_ONE = tuple(
    each
    for each in WRITES
    if each.name in {"submit", "promote", "reject", "withdraw", "react", "feedback", "review feedback"}
)


def everything() -> list[Asked]:
    return [
        *lists(),
        *(reading(f"GET {path}", path, FEW, UP_TO.get(path)) for path in REPORTS),
        *POSTED,
        *WRITES,
    ]


async def find_ids(ground: Ground, tenant: Tenant, copy: int) -> Ids:
    """Of what there was at first. What is written to is this copy of it, another each time that all is asked: it has no more in it
    than the one before had."""
    now = datetime.now(UTC)
    ids = {
        "since": quote((now - timedelta(days=80)).isoformat()),
        "until": quote((now + timedelta(days=1)).isoformat()),
    }
    async with ground.superuser() as connection:
        for name, sql in IDS.items():
            found = await connection.fetchrow(sql.replace("$1", f"'{tenant.id}'"))
            assert found is not None, f"there is nothing for {name}"
            ids |= {key: str(value) for key, value in found.items()}
        await _set_copy(connection, ids, copy)
    return ids


async def _set_copy(connection: Any, ids: Ids, copy: int) -> None:
    for name in ("entity", "group"):
        ids[f"to_{name}"] = str(
            await connection.fetchval("SELECT first.copy_of($1, $2)", UUID(ids[name]), copy)
        )
    ids["to_conversation"] = f"{ids['conversation']}-{copy}"


async def find_ids_of(ground: Ground, ids: Ids, copy: int) -> Ids:
    """The same with another copy to write to."""
    other = dict(ids)
    async with ground.superuser() as connection:
        await _set_copy(connection, other, copy)
    return other


IDS: dict[str, str] = {
    "slug": "SELECT slug FROM tenants WHERE id = $1",
    "entity": """
        SELECT r.entity_id AS entity, r.id AS response, c.id AS set, c.slug AS set_slug, t.slug AS type, d ->> 'key' AS dimension,
               d ->> 'key' AS field
        FROM first.entity_responses r JOIN criteria_sets c ON c.tenant_id = r.tenant_id AND c.id = r.criteria_set_id
        JOIN first.entities e ON e.id = r.entity_id
        JOIN entity_types t ON t.tenant_id = r.tenant_id AND t.id = e.type_id, jsonb_array_elements(c.dimensions) d
        WHERE r.tenant_id = $1 AND r.scope IS NULL AND d ->> 'type' = 'text' AND r.values ? (d ->> 'key')
          AND t.json_schema -> 'properties' -> (d ->> 'key') ->> 'type' = 'string'
          AND NOT (t.json_schema -> 'properties' -> (d ->> 'key'))::jsonb ?| ARRAY['enum', 'format', 'pattern']
          AND EXISTS (SELECT FROM first.entity_field_history h WHERE h.entity_id = r.entity_id AND h.field = d ->> 'key')
        ORDER BY (SELECT count(*) FROM first.entity_responses o WHERE o.entity_id = r.entity_id) DESC, r.id LIMIT 1
    """,
    "relation": """
        SELECT s.source_id AS source, s.field_key, s.criteria_set_id AS edge_set FROM first.relation_scores s ORDER BY s.relation_id LIMIT 1
    """,
    "plain_type": "SELECT 'claim' AS plain_type",
    "agent": "SELECT id AS agent, slug AS agent_slug FROM first.agents WHERE slug = 'answer-bot'",
    "conversation": """
        SELECT c.project, c.id AS conversation, coalesce(c.agent, 'answer-bot') AS chat_agent, t.turn_id AS turn
        FROM first.conversations c JOIN first.conv_turns t ON t.project = c.project AND t.conversation_id = c.id
        ORDER BY c.turns DESC, c.id, t.seq LIMIT 1
    """,
    "session": "SELECT session_id AS session FROM first.session_events GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
    "session_entity": "SELECT entity_id AS session_entity FROM first.sessions WHERE entity_id IS NOT NULL ORDER BY id LIMIT 1",
    "feedback": """
        SELECT id AS feedback, coalesce(entity_type, 'contract') AS feedback_type FROM first.feedback ORDER BY entity_type NULLS LAST, id LIMIT 1
    """,
    "group": "SELECT id AS group FROM first.feedback_groups ORDER BY members DESC, id LIMIT 1",
    "knowledge": "SELECT row_id AS knowledge FROM first.shared_context_support GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
    "eval_run": "SELECT id AS eval_run FROM first.eval_runs ORDER BY id LIMIT 1",
    "webhook": "SELECT id AS webhook FROM webhook_endpoints WHERE tenant_id = $1",
}
