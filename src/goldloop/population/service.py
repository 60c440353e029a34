"""Use cases: have an agent fill in a record, say what it is asked, and submit what it found."""

from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.criteria.model import Dimension, Kind
from goldloop.entities.model import Entity, EntityType
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Faults, InvalidInput
from goldloop.population.brief import write_brief
from goldloop.population.model import (
    POPULATE,
    POPULATE_MANY,
    POPULATOR,
    Asked,
    AskedOfMany,
    Material,
    find_faults,
)
from goldloop.population.output import Output, read_output, with_session
from goldloop.responses import service as responses
from goldloop.responses.model import EntityResponse, ResponseNotFound, ResponseSource
from goldloop.responses.permissions import RESPONSES_CREATE
from goldloop.responses.target_service import resolve_target
from goldloop.runtimes.model import Brief
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.model import Session

MOST_LABELS = 5  # fields that a session is named by


class Start(NamedTuple):
    """How a session is to be started, beside what it is to do."""

    agent: str | None = None
    id: UUID | None = None
    task_id: UUID | None = None
    parent_session_id: UUID | None = None


class Wanted(NamedTuple):
    entity: Entity
    entity_type: EntityType
    criteria_set_id: UUID
    dimensions: list[Dimension]


async def populate(
    tx: Tx, entity_id: UUID, material: Material, start: Start, parent_response_id: UUID | None = None
) -> Session:
    """Start a session that proposes values for a record. The same start again answers with what is there."""
    tx.actor.check(RESPONSES_CREATE)
    if faults := find_faults(material):
        raise InvalidInput(errors=faults)
    wanted = await resolve(tx, entity_id, material)
    if parent_response_id is not None:
        await _access_parent(tx, entity_id, parent_response_id)
    chosen = material.dimensions and [dimension.key for dimension in wanted.dimensions]
    given = {name: getattr(material, name) for name in Material.__struct_fields__}
    asked = Asked(
        **given
        | {
            "criteria_set_id": wanted.criteria_set_id,
            "criteria_set_slug": None,
            "dimensions": chosen,
            "message": f"Populate {_labels(wanted.dimensions)} of {wanted.entity.title}",
            "parent_response_id": parent_response_id,
        }
    )
    new = NewSession(
        agent=start.agent or POPULATOR,
        input=msgspec.to_builtins(asked),
        purpose=POPULATE,
        entity_id=entity_id,
        id=start.id,
        task_id=start.task_id,
        parent_session_id=start.parent_session_id,
    )
    return await sessions.start(tx, new)


async def resolve(tx: Tx, entity_id: UUID, material: Material) -> Wanted:
    """What is to be filled in, as it is now; raises where that cannot be."""
    entity = await records.access(tx, entity_id)
    entity_type, found = await resolve_target(
        tx, entity_id, material.criteria_set_id, material.criteria_set_slug
    )
    faults = Faults()
    if found.is_relation_scoped:
        message = "This criteria set rates connections, which are not filled in by an agent"
        faults.append(Fault(path="/criteria_set_id", code="relation_scoped", message=message))
    if (found.kind is Kind.TEMPORAL) != bool((material.temporal_value or "").strip()):
        message = (
            f"Say which {found.temporal_key}" if found.kind is Kind.TEMPORAL else "This criteria set has none"
        )
        faults.append(Fault(path="/temporal_value", code="temporal_value", message=message))
    known = {dimension.key: dimension for dimension in found.dimensions}
    for place, key in enumerate(material.dimensions or []):
        if key not in known:
            message = "The criteria set has no such dimension"
            faults.append(Fault(path=f"/dimensions/{place}", code="unknown_dimension", message=message))
    if not known:
        faults.append(Fault(path="/dimensions", code="no_dimensions", message="There is nothing to fill in"))
    if faults:
        raise InvalidInput(errors=faults)
    chosen = known if material.dimensions is None else {key: known[key] for key in material.dimensions}
    return Wanted(entity, entity_type, found.id, list(chosen.values()))


async def write(tx: Tx, session: Session) -> Brief:
    """What the agent of a session is asked."""
    asked = await read_asked(tx, session)
    wanted = await _resolve(tx, session, asked)
    rejected = ""
    if asked.parent_response_id is not None:
        rejected = _rejected(await _access_parent(tx, wanted.entity.id, asked.parent_response_id))
    return write_brief(wanted.entity, wanted.entity_type, wanted.dimensions, asked, rejected)


async def check(tx: Tx, session: Session, output: Any) -> str | None:
    """What is wrong with what an agent found, for it to mend."""
    asked = await read_asked(tx, session)
    wanted = await _resolve(tx, session, asked)
    read = read_output(output, wanted.dimensions)
    faults = (
        read
        if isinstance(read, Faults)
        else await responses.find_faults(tx, _response(session, asked, wanted, read))
    )
    return "\n".join(f"{fault.path}: {fault.message}" for fault in faults) or None


async def finish(tx: Tx, session: Session, output: Any) -> None:
    """Submit what an agent found. Where it found nothing there is nothing to submit."""
    asked = await read_asked(tx, session)
    wanted = await _resolve(tx, session, asked)
    read = read_output(output, wanted.dimensions)
    if isinstance(read, Faults):
        raise InvalidInput("; ".join(fault.message for fault in read), errors=read)
    if not read.is_empty:
        await responses.submit(tx, _response(session, asked, wanted, read))


def _response(session: Session, asked: Asked, wanted: Wanted, read: Output) -> responses.NewResponse:
    return responses.NewResponse(
        entity_id=wanted.entity.id,
        values=read.values,
        criteria_set_id=wanted.criteria_set_id,
        field_meta=with_session(read.field_meta, read.values, str(session.id)),
        source=ResponseSource.EXTRACTION,
        notes=read.notes,
        parent_response_id=asked.parent_response_id,
        temporal_value=asked.temporal_value,
        id=uuid5(session.id, "response"),
        partial=True,
    )


async def read_asked(tx: Tx, session: Session) -> Asked:
    """The input of a session. One of many has what there is to read from its parent."""
    asked = msgspec.convert(session.input, Asked)
    parent = await sessions.access(tx, session.parent_session_id) if session.parent_session_id else None
    if parent is None or parent.purpose != POPULATE_MANY:
        return asked
    of_many = msgspec.convert(parent.input, AskedOfMany)
    return msgspec.structs.replace(
        asked, text=of_many.text, documents=of_many.documents, instructions=of_many.instructions
    )


async def _resolve(tx: Tx, session: Session, asked: Asked) -> Wanted:
    assert session.entity_id is not None, "a session that fills in a record names it"
    return await resolve(tx, session.entity_id, asked)


async def _access_parent(tx: Tx, entity_id: UUID, response_id: UUID) -> EntityResponse:
    try:
        return await responses.access(tx, entity_id, response_id)
    except ResponseNotFound as error:
        raise InvalidInput.at("/parent_response_id", "response_not_found", error.detail) from error


def _rejected(response: EntityResponse) -> str:
    """What is known of an earlier attempt: its values and what a reviewer wrote."""
    known = {"values": response.values, "status": response.status, "review_notes": response.review_notes}
    return msgspec.json.encode(known).decode()


def _labels(dimensions: list[Dimension]) -> str:
    named = [dimension.label for dimension in dimensions[:MOST_LABELS]]
    more = len(dimensions) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
