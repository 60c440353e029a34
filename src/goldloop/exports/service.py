"""Use cases of exports: where results of evaluations go, and what of them is to be sent."""

import base64
import re
from collections.abc import Iterable
from contextlib import suppress
from uuid import UUID

import msgspec

from goldloop.conversations.reactions import store as reactions
from goldloop.criteria import store as criteria_sets
from goldloop.exports import scores
from goldloop.exports.model import OWN_HEADERS, SETTINGS, Evaluation, ExportSettings, OtlpExport
from goldloop.exports.reactions import CLEARED, evaluation_of
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import Event
from goldloop.kit.json_pointer import pointer
from goldloop.kit.pagination import LAST_ID, LAST_TIME
from goldloop.kit.queue import enqueue
from goldloop.otlp import store
from goldloop.otlp.model import AnsweredTrace
from goldloop.responses import store as responses
from goldloop.responses.model import EntityResponse
from goldloop.sessions import store as sessions
from goldloop.sessions.list_store import ListFilter, list_newest_first
from goldloop.sessions.model import Session
from goldloop.tenants.permissions import WORKSPACE_MANAGE
from goldloop.tenants.settings import service as settings

EXPORT = "exports.evaluation"  # the job that sends one result
_TRACE_ID = re.compile(r"[0-9a-f]{32}")


def place_of(tenant_id: UUID) -> str:
    """What the headers are sealed for."""
    return f"workspace_settings/{tenant_id}/{SETTINGS.name}"


def check_headers(names: Iterable[str]) -> None:
    faults = [
        Fault(
            path=pointer("headers", name),
            code="header_not_allowed",
            message=f"{name} is a header that every request sets itself",
        )
        for name in names
        if name.lower() in OWN_HEADERS
    ]
    if faults:
        raise InvalidInput(errors=faults)


async def show(tx: Tx) -> OtlpExport:
    tx.actor.check(WORKSPACE_MANAGE)
    return _shown(await settings.read(tx, SETTINGS))


async def change(tx: Tx, url: str | None, headers: list[str] | None, sealed: bytes) -> OtlpExport:
    """Without headers (None) those that are set stay, as long as the address does: they are secrets meant for one receiver."""
    tx.actor.check(WORKSPACE_MANAGE)
    before = await settings.read(tx, SETTINGS)
    if url is None:
        value = ExportSettings()
    elif headers is not None:
        value = ExportSettings(url=url, headers=headers, sealed=base64.b64encode(sealed).decode())
    elif before.url == url:
        value = before
    else:
        value = ExportSettings(url=url)
    await settings.write(tx, SETTINGS, value)
    return _shown(value)


def _shown(value: ExportSettings) -> OtlpExport:
    return OtlpExport(url=value.url, headers=value.headers)


async def are_sent(tx: Tx) -> bool:
    """Whether results of evaluations go anywhere."""
    return (await settings.read_cached(tx, SETTINGS)).url is not None


async def queue(tx: Tx, evaluation: Evaluation) -> None:
    """Send a result, where the workspace wants results sent."""
    if await are_sent(tx):
        await enqueue(tx, EXPORT, {"evaluation": msgspec.to_builtins(evaluation)})


async def queue_reaction(tx: Tx, event: Event) -> None:
    about = event.payload
    if about["turn_id"] is None:  # nobody knows yet what it is about
        return
    comment = None if event.name.endswith(CLEARED) else await _comment(tx, about)
    label = None if event.name.endswith(CLEARED) else about["reaction"]
    trace = await _trace_of(tx, about["conversation_id"], about["turn_id"])
    await queue(tx, evaluation_of({**about, "reaction": label}, now(), comment, trace))


async def queue_score(tx: Tx, event: Event) -> None:
    """The score that a response gives by a set of criteria, where a session made the record or the values."""
    response = await responses.find(tx, UUID(event.payload["entity_id"]), UUID(event.payload["response_id"]))
    if response is None or response.normalized_score is None:
        return
    session = await _session_of(tx, response)
    criteria = await criteria_sets.find(tx, response.criteria_set_id)
    if session is not None and criteria is not None:
        trace = await store.find_last_answered(tx, session.id)
        await queue(tx, scores.evaluation_of(response, criteria.name, session, trace))


async def _session_of(tx: Tx, response: EntityResponse) -> Session | None:
    """The one that all values say they come from, else the newest that worked on the record."""
    named = {meta.get("session_id") for meta in response.field_meta.values() if isinstance(meta, dict)}
    name = next(iter(named)) if len(named) == 1 else None
    if isinstance(name, str):
        with suppress(ValueError):
            return await sessions.find(tx, UUID(name))
    wanted = ListFilter(entity_id=response.entity_id)
    found = await list_newest_first(tx, wanted, (LAST_TIME, LAST_ID), 1)
    return next(iter(found.read(Session).data), None)


async def _comment(tx: Tx, about: dict[str, str]) -> str | None:
    rows = await reactions.reactions_of_turns(
        tx, about["project"], about["conversation_id"], [about["turn_id"]]
    )
    found = (reactions.from_row(row).payload for row in rows)
    return next((each.reaction.text for each in found if each.meta.rn == about["rn"]), None)


async def _trace_of(tx: Tx, conversation_id: str, turn_id: str) -> AnsweredTrace | None:
    """What a turn was made of: its id is then that of the trace."""
    if not _TRACE_ID.fullmatch(turn_id):
        return None
    return await store.find_answered(tx, bytes.fromhex(turn_id), conversation_id)


async def read_destination(tx: Tx) -> ExportSettings | None:
    found = await settings.read(tx, SETTINGS)
    return found if found.url is not None else None
