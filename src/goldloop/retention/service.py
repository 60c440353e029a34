"""Use cases: say how long things are kept, see what is due, and let the next of it go."""

from datetime import datetime, timedelta

from goldloop.erasures import service as erasures
from goldloop.erasures import step_service
from goldloop.erasures.model import Kept
from goldloop.erasures.permissions import ERASURES_MANAGE
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.otlp import service as otlp
from goldloop.otlp.model import OtlpSettings
from goldloop.retention import events, store
from goldloop.retention.model import SETTINGS, KeptFor, KeptLonger, Retention, RetentionDue
from goldloop.tenants.settings import service as settings

BATCH = 500  # sessions and conversations that one erasure takes
EVENTS = 20_000  # of the log in one transaction
WHY = {
    "golden": "Replays are held to it",
    "promoted": "A record has values that come from it",
    "knowledge": "Knowledge that is in prompts rests on feedback about it",
    "open_feedback": "Feedback about it waits for a review",
    "waiting_delivery": "A receiver of webhooks waits for it",
}


async def read(tx: Tx) -> Retention:
    tx.actor.check(ERASURES_MANAGE)
    return _joined(await otlp.read_settings(tx), await settings.read(tx, SETTINGS))


def _joined(traces: OtlpSettings, kept: KeptFor) -> Retention:
    return Retention(
        traces_days=traces.keep_days,
        sessions_days=kept.sessions_days,
        conversations_days=kept.conversations_days,
        events_days=kept.events_days,
    )


async def change(tx: Tx, wanted: Retention) -> Retention:
    tx.actor.check(ERASURES_MANAGE)
    before = await otlp.read_settings(tx)
    await otlp.change_settings(tx, OtlpSettings(project=before.project, keep_days=wanted.traces_days))
    kept = KeptFor(
        sessions_days=wanted.sessions_days,
        conversations_days=wanted.conversations_days,
        events_days=wanted.events_days,
    )
    await settings.write(tx, SETTINGS, kept)
    payload = events.RetentionChanged(
        traces_days=wanted.traces_days,
        sessions_days=wanted.sessions_days,
        conversations_days=wanted.conversations_days,
        events_days=wanted.events_days,
    )
    await emit(tx, events.CHANGED.of(tx.actor.tenant_id, payload))
    return await read(tx)


async def find_due(tx: Tx, wanted: Retention | None = None) -> RetentionDue:
    """A dry run: of what is set, or of what somebody thinks about setting."""
    tx.actor.check(ERASURES_MANAGE)
    wanted = wanted or await read(tx)
    at = await tx.moment()
    sessions, conversations, logged = _cutoffs(wanted, at)
    kept: list[KeptLonger] = []
    if sessions:
        kept += await store.list_kept_sessions(tx, sessions)
    if conversations:
        kept += await store.list_kept_conversations(tx, conversations)
    if logged:
        kept += await store.list_kept_events(tx, logged)
    return RetentionDue(
        traces=await store.count_bodies(tx, at - timedelta(days=wanted.traces_days)),
        sessions=len(await store.list_sessions(tx, sessions, store.MOST_COUNTED)) if sessions else 0,
        conversations=len(await store.list_conversations(tx, conversations, store.MOST_COUNTED))
        if conversations
        else 0,
        events=await store.count_events(tx, logged) if logged else 0,
        kept=kept,
    )


def _cutoffs(wanted: Retention, at: datetime) -> tuple[datetime | None, datetime | None, datetime | None]:
    """Of sessions, conversations and events; None: for ever."""

    def before(days: int | None) -> datetime | None:
        return at - timedelta(days=days) if days is not None else None

    return before(wanted.sessions_days), before(wanted.conversations_days), before(wanted.events_days)


async def let_go(tx: Tx) -> bool:
    """Begin to erase the next batch of what is due; False where nothing is, or one goes on. Needs the eraser's role."""
    if await erasures.lets_go(tx):
        return False
    sessions, conversations, logged = _cutoffs(await read(tx), await tx.moment())
    due_sessions = await store.list_sessions(tx, sessions, BATCH) if sessions else []
    due_conversations = await store.list_conversations(tx, conversations, BATCH) if conversations else []
    has_events = logged is not None and await store.count_events(tx, logged) > 0
    if not due_sessions and not due_conversations and not has_events:
        return False
    kept = await _kept(tx, sessions, conversations, logged)
    erasure_id = await erasures.begin_retention(tx, due_sessions, due_conversations, {}, kept)
    if logged is not None:
        gone = await store.erase_old_events(tx, logged, EVENTS)
        await step_service.add_gone(tx, erasure_id, {"events": gone})
    return True


async def _kept(
    tx: Tx, sessions: datetime | None, conversations: datetime | None, logged: datetime | None
) -> list[Kept]:
    found = await store.list_kept_sessions(tx, sessions) if sessions else []
    found += await store.list_kept_conversations(tx, conversations) if conversations else []
    found += await store.list_kept_events(tx, logged) if logged else []
    return [
        Kept(what=f"{each.what} ({each.why})", count=each.count, why=WHY[each.why], ids=each.ids)
        for each in found
    ]
