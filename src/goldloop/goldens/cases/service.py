"""Use cases of goldens: promote a session, show and list goldens, change, accept alternatives, revoke, rename sets."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.model import Effects
from goldloop.evals.stats.counting import NoiseFloor
from goldloop.goldens.cases import events, snapshot_service, store
from goldloop.goldens.cases.model import GoldenSnapshot
from goldloop.goldens.cases.store import Content
from goldloop.goldens.model import (
    DEFAULT_SET,
    MOST_ALTERNATIVES,
    Golden,
    GoldenExists,
    GoldenNotFound,
    GoldenSet,
    GoldenSetExists,
    GoldenSetNotFound,
    NotAnAlternative,
    SessionChanged,
    SessionNotCompleted,
)
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.kit.db import Tx
from goldloop.kit.events import emit, notify
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import (
    LAST_ID,
    LAST_TIME,
    Page,
    RawPage,
    decode_cursor,
    decode_pair,
    page,
)
from goldloop.sessions import frozen_service as frozen
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import REPLAY
from goldloop.sessions.events import SESSIONS
from goldloop.sessions.model import GOLDEN, Session, SessionEvent, SessionIsReplay, SessionStatus

KEPT: Any = msgspec.UNSET


class NewGolden(NamedTuple):
    """`floor` is whether its noise floor is measured at once, where its agent runs here."""

    session_id: UUID
    set: str = DEFAULT_SET
    note: str = ""
    criteria_set_id: UUID | None = None
    effects: Effects = Effects.EXACT
    facts: Sequence[str] = ()
    min_pass: float | None = None
    floor: bool = True

    @property
    def content(self) -> Content:
        return Content(self.note, self.criteria_set_id, self.effects, distinct(self.facts), self.min_pass)


class GoldenChange(NamedTuple):
    """What is not named stays as it is."""

    set: str = KEPT
    note: str = KEPT
    criteria_set_id: UUID | None = KEPT
    effects: Effects = KEPT
    facts: Sequence[str] = KEPT
    min_pass: float | None = KEPT


def distinct(facts: Sequence[str]) -> list[str]:
    """Each fact once, without spaces around it."""
    return list(dict.fromkeys(fact.strip() for fact in facts if fact.strip()))


async def promote(tx: Tx, new: NewGolden, recorded: Sequence[SessionEvent]) -> tuple[Golden, bool]:
    """`recorded` are all events of the session. The same promotion again answers with what is there, and False."""
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    session = await frozen.hold(tx, new.session_id)
    if (before := await store.find(tx, session.id)) is not None:
        if before.set != new.set or _content_of(before) != new.content:
            raise GoldenExists(conflict={"id": str(session.id), "set": before.set})
        return before, False
    if session.purpose == REPLAY:
        raise SessionIsReplay(conflict={"id": str(session.id)})
    _check_completed(session)
    if len(recorded) != session.events:
        raise SessionChanged(conflict={"id": str(session.id)})
    snapshot, private = await snapshot_service.freeze(tx, session, recorded, new.criteria_set_id)
    at = await tx.moment()
    set_id = await store.take_into_set(tx, new_id(), new.set, at)
    agent = (session.agent_id, session.agent_version)
    await store.insert(tx, session.id, set_id, new.content, agent, private, at)
    golden = await _write(tx, session.id, snapshot)
    promoted = events.GoldenPromoted(golden_id=session.id, set=new.set, floor=new.floor)
    await emit(tx, events.PROMOTED.of(session.id, promoted))
    return golden, True


def _check_completed(session: Session) -> None:
    if session.status is not SessionStatus.COMPLETED:
        raise SessionNotCompleted(conflict={"id": str(session.id), "status": str(session.status)})


def _content_of(golden: Golden) -> Content:
    return Content(golden.note, golden.criteria_set_id, golden.effects, golden.facts, golden.min_pass)


async def _write(tx: Tx, golden_id: UUID, snapshot: GoldenSnapshot | dict[str, Any]) -> Golden:
    """What is known of a golden into the metadata of its session as well."""
    golden = await store.find(tx, golden_id)
    assert golden is not None
    known = {
        "set": golden.set,
        "note": golden.note,
        "criteriaSetId": golden.criteria_set_id,
        "effects": golden.effects,
        "facts": golden.facts,
        "minPass": golden.min_pass,
        "revision": golden.revision,
        "promotedAt": golden.promoted_at,
        "promotedBy": golden.promoted_by,
        "snapshot": snapshot,
    }
    await frozen.set_golden(tx, golden_id, msgspec.to_builtins(known))
    await notify(tx, SESSIONS, str(golden_id))
    return golden


async def access(tx: Tx, golden_id: UUID) -> Golden:
    tx.actor.check(EVALS_READ)
    return await _find(tx, golden_id)


async def _find(tx: Tx, golden_id: UUID) -> Golden:
    golden = await store.find(tx, golden_id)
    if golden is None:
        raise GoldenNotFound
    return golden


async def access_snapshot(tx: Tx, golden_id: UUID) -> tuple[Golden, Session, GoldenSnapshot]:
    """A golden with what was frozen of its session."""
    golden = await access(tx, golden_id)
    session = await sessions.access(tx, golden_id)
    return golden, session, msgspec.convert(session.metadata[GOLDEN]["snapshot"], GoldenSnapshot)


async def list_goldens(tx: Tx, set_name: str | None, cursor: str | None, limit: int) -> RawPage[Golden]:
    """Newest first; a set that is not there has none."""
    tx.actor.check(EVALS_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    return await store.list_newest_first(tx, set_name, before, limit)


async def change(tx: Tx, golden_id: UUID, wanted: GoldenChange) -> Golden:
    """What replays are held to is a new revision of the golden, and that, a change of its set or of what must pass a new
    version of the set. Whoever names a criteria set means it as it is now."""
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    before = await _find(tx, golden_id)
    named = {name: value for name, value in wanted._asdict().items() if value is not KEPT}
    if "facts" in named:
        named["facts"] = distinct(named["facts"])
    set_name = named.pop("set", before.set)
    content = _content_of(before)._replace(**named)
    snapshot = (await frozen.hold(tx, golden_id)).metadata[GOLDEN]["snapshot"]
    criteria_before = snapshot.get("criteria")
    if "criteria_set_id" in named:
        criteria_set = await snapshot_service.freeze_criteria(tx, content.criteria_set_id)
        snapshot = {**snapshot, "criteria": msgspec.to_builtins(criteria_set)}
    judged_otherwise = _dimensions(snapshot.get("criteria")) != _dimensions(criteria_before)
    if (set_name, content) == (before.set, _content_of(before)) and not judged_otherwise:
        return before
    set_id = before.set_id
    if set_name != before.set:
        set_id = await store.take_into_set(tx, new_id(), set_name, await tx.moment())
        await store.add_version(tx, before.set_id)
    elif judged_otherwise or content._replace(note="") != _content_of(before)._replace(note=""):
        await store.add_version(tx, set_id)
    await store.update(tx, golden_id, set_id, content)
    compared = judged_otherwise or _compared(content) != _compared(_content_of(before))
    if compared:
        await store.add_revision(tx, golden_id)
    return await _tell_change(tx, golden_id, snapshot, compared)


def _compared(content: Content) -> tuple[Any, ...]:
    """What replays are held to, beside the dimensions of its criteria set."""
    return content.criteria_set_id, content.effects, content.facts


def _dimensions(criteria: dict[str, Any] | None) -> Any:
    return criteria["dimensions"] if criteria else None


async def _tell_change(tx: Tx, golden_id: UUID, snapshot: dict[str, Any], compared: bool) -> Golden:
    golden = await _write(tx, golden_id, snapshot)
    changed = events.GoldenChanged(
        golden_id=golden_id, set=golden.set, revision=golden.revision, compared=compared
    )
    await emit(tx, events.CHANGED.of(golden_id, changed))
    return golden


async def revoke(tx: Tx, golden_id: UUID) -> None:
    """Its session, and those that are as good, are ordinary ones again."""
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    golden = await _find(tx, golden_id)
    await store.delete(tx, golden_id)
    for session_id in golden.alternatives:
        await frozen.accept_no_more(tx, await frozen.hold(tx, session_id), golden_id)
    await frozen.set_golden(tx, golden_id, None)
    await store.add_version(tx, golden.set_id)
    await notify(tx, SESSIONS, str(golden_id))
    await emit(tx, events.REVOKED.of(golden_id, events.GoldenRevoked(golden_id=golden_id, set=golden.set)))


async def accept(tx: Tx, golden_id: UUID, session_id: UUID) -> Golden:
    """A session, be it a replay, is as good as the golden. Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    golden = await _find(tx, golden_id)
    if session_id in golden.alternatives:
        return golden
    session = await frozen.hold(tx, session_id)
    if session_id == golden_id or session.type is not golden.type:
        raise NotAnAlternative("It is another session of the same type", conflict={"id": str(session_id)})
    if len(golden.alternatives) >= MOST_ALTERNATIVES:
        raise NotAnAlternative(
            f"A golden has at most {MOST_ALTERNATIVES} alternatives", conflict={"id": str(session_id)}
        )
    _check_completed(session)
    await store.add_alternative(tx, golden_id, session_id, await tx.moment())
    await frozen.accept_for(tx, session, golden_id)
    return await _compare_otherwise(tx, golden)


async def accept_no_more(tx: Tx, golden_id: UUID, session_id: UUID) -> None:
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    golden = await _find(tx, golden_id)
    if session_id not in golden.alternatives:
        raise GoldenNotFound("This golden has no such alternative")
    await store.delete_alternative(tx, golden_id, session_id)
    await frozen.accept_no_more(tx, await frozen.hold(tx, session_id), golden_id)
    await _compare_otherwise(tx, golden)


async def _compare_otherwise(tx: Tx, golden: Golden) -> Golden:
    snapshot = (await frozen.hold(tx, golden.session_id)).metadata[GOLDEN]["snapshot"]
    await store.add_revision(tx, golden.session_id)
    await store.add_version(tx, golden.set_id)
    return await _tell_change(tx, golden.session_id, snapshot, compared=True)


async def set_floor(
    tx: Tx, golden_id: UUID, revision: int, floor: NoiseFloor, passes: int, runs: int, run_id: UUID
) -> bool:
    """What unchanged replays came to; False where the golden is another one meanwhile. For whoever ran them."""
    return await store.set_floor(tx, golden_id, revision, floor, passes, runs, run_id)


async def list_sets(tx: Tx, cursor: str | None, limit: int) -> Page[GoldenSet]:
    """By name."""
    tx.actor.check(EVALS_READ)
    rows = await store.list_sets(tx, decode_cursor(cursor, str) or "", limit + 1)
    return page(rows, limit, lambda each: each.name)


async def rename_set(tx: Tx, set_id: UUID, name: str) -> GoldenSet:
    """Also in the metadata of its sessions."""
    tx.actor.check(EVALS_MANAGE)
    await store.lock(tx)
    before = await store.find_set(tx, set_id)
    if before is None:
        raise GoldenSetNotFound
    if before.name == name:
        return before
    if (other := await store.find_set_by_name(tx, name)) is not None:
        raise GoldenSetExists(conflict={"id": str(other.id)})
    await store.rename_set(tx, set_id, name)
    await frozen.rename_set(tx, await store.ids_of_set(tx, set_id), name)
    renamed = events.GoldenSetRenamed(name=name, name_before=before.name)
    await emit(tx, events.RENAMED.of(set_id, renamed))
    return msgspec.structs.replace(before, name=name)
