"""What waits for a person: sessions that ask one, and those that failed or stalled until somebody has looked at them."""

from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind
from goldloop.sessions import attention_store
from goldloop.sessions.events import SESSIONS
from goldloop.sessions.model import WaitsFor
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ


@kind(
    "waiting_sessions",
    label="Sessions that ask you",
    permissions=(SESSIONS_CREATE, SESSIONS_READ),
    topic=SESSIONS,
    path="/admin/agent-review/sessions?waits_for=answer",
)
async def count_waiting(tx: Tx) -> Waiting:
    return Waiting(await attention_store.count_waiting_for_people(tx, WaitsFor.ANSWER, MOST_COUNTED + 1))


@kind(
    "failed_sessions",
    label="Failed and stalled sessions",
    permissions=(SESSIONS_CREATE, SESSIONS_READ),
    topic=SESSIONS,
    path="/admin/agent-review/sessions?waits_for=look",
)
async def count_failed(tx: Tx) -> Waiting:
    return Waiting(await attention_store.count_waiting_for_people(tx, WaitsFor.LOOK, MOST_COUNTED + 1))
