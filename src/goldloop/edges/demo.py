"""The clinic of the demo workspace: visits of the occupational health service, the protocols that were done in each,
and what the clinicians think each of them did."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.criteria import service as criteria
from goldloop.criteria import store as criteria_sets
from goldloop.criteria.model import CriteriaSetDefinition, Dimension, DimensionType, Kind, Scope
from goldloop.edges.ranking import compute_scores
from goldloop.edges.service import promote_edge_scores, read_scores
from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.entities.types import service as types
from goldloop.entities.types import store as entity_types
from goldloop.kit.db import Tx
from goldloop.responses import service
from goldloop.responses.model import ResponseStatus
from goldloop.tenants.demo import Part, acting, demo_id, later

VISIT = "visit"
PROTOCOL = "protocol"
FIELD = "protocols"
PROTOCOL_RESPONSE = "visit-protocol-response"


class Protocol(NamedTuple):
    key: str
    title: str
    area: str
    minutes: int
    summary: str


class Visit(NamedTuple):
    key: str
    title: str
    date: str
    complaint: str
    protocols: str


class Matrix(NamedTuple):
    """What a clinician said of the protocols of a visit: a rating of 1 to 5, a note, or both."""

    visit: str
    who: str
    ratings: dict[str, int | str | tuple[int, str]]
    notes: str | None = None


_PROTOCOL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["area"],
    "properties": {
        "area": {"type": "string", "enum": ["hand and wrist", "neck and shoulder", "back", "eyes", "stress"]},
        "minutes": {"type": "integer", "minimum": 1, "maximum": 120},
        "summary": {"type": "string", "maxLength": 2000},
    },
}
_VISIT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["date", "complaint"],
    "properties": {
        "date": {"type": "string", "format": "date"},
        "complaint": {"type": "string", "maxLength": 500},
    },
}
_VISIT_FIELDS: dict[str, Any] = {
    FIELD: {
        "label": "Protocols",
        "relation": {"target_type": PROTOCOL, "multiple": True, "relationship_type": "did-protocol"},
    },
}

PROTOCOLS = [
    Protocol("forearm", "Forearm stretches", "hand and wrist", 10, "Three sets of ten, both arms, with the elbow straight."),
    Protocol("laser", "Cold laser on the wrist", "hand and wrist", 15, "Low-level laser over the carpal tunnel, six points."),
    Protocol("splint", "Night splint", "hand and wrist", 5, "Fitted at the visit, worn for two weeks at night."),
    Protocol("desk", "Desk and screen set-up", "neck and shoulder", 30, "At the workplace: height of chair, table, screen and lamp."),
    Protocol("trigger", "Trigger point release", "neck and shoulder", 20, "Upper trapezius and levator, pressure held for 90 seconds."),
    Protocol("walk", "Walking calls", "back", 5, "Every call without a screen is taken on foot."),
    Protocol("breathing", "Paced breathing", "stress", 10, "Six breaths a minute, before the shift and after hard calls."),
    Protocol("gaze", "20-20-20 rule", "eyes", 5, "Every twenty minutes, twenty seconds, twenty feet away."),
]  # fmt: skip

VISITS = [
    Visit("2041", "OH-2041: sore wrist, chat team", "2026-03-03", "Pain in the right wrist after long chat shifts", "forearm laser splint desk"),
    Visit("2044", "OH-2044: stiff neck, voice team", "2026-03-10", "Cannot turn the head to the left without pain", "desk trigger breathing"),
    Visit("2047", "OH-2047: numb fingers at night", "2026-03-17", "Thumb and two fingers go numb while asleep", "splint laser forearm"),
    Visit("2052", "OH-2052: headache by noon", "2026-03-31", "Headache on days with two screens", "gaze desk breathing"),
    Visit("2055", "OH-2055: low back, night shift", "2026-04-07", "Back pain that begins after four hours of sitting", "walk desk"),
    Visit("2058", "OH-2058: shoulder after fall", "2026-04-14", "Shoulder is stiff three weeks after a fall", "trigger breathing"),
    Visit("2060", "OH-2060: wrist, second visit", "2026-04-21", "Wrist is better by day, worse by night", "splint forearm desk"),
    Visit("2063", "OH-2063: cannot switch off", "2026-04-28", "Sleeps badly after evening shifts", "breathing walk"),
    Visit("2066", "OH-2066: burning eyes", "2026-05-05", "Eyes burn in the last two hours of a shift", "gaze desk"),
    Visit("2070", "OH-2070: tight shoulders, team lead", "2026-05-12", "Shoulders are up at the ears by the evening", "trigger desk breathing walk"),
]  # fmt: skip

MATRICES = [
    Matrix("2041", "ines.aalto", {"forearm": 4, "laser": (2, "No change after six sessions."), "splint": 5, "desk": 4}),
    Matrix("2041", "noor.haddad", {"forearm": 4, "laser": (5, "Says it is what helped most."), "splint": 4, "desk": 3}),
    Matrix("2041", "priya.raman", {"forearm": 3, "laser": 1, "splint": 4}),
    Matrix("2044", "ines.aalto", {"desk": 5, "trigger": 4}),
    Matrix("2044", "noor.haddad", {"desk": 4, "trigger": 5, "breathing": (2, "Did it twice, then forgot.")}),
    Matrix("2047", "ines.aalto", {"splint": (5, "Slept through after four nights."), "laser": 2, "forearm": 3}),
    Matrix("2047", "noor.haddad", {"splint": 5, "laser": 4}),
    Matrix("2052", "noor.haddad", {"gaze": 4, "desk": 5, "breathing": 3}),
    Matrix("2052", "ines.aalto", {"gaze": 2, "desk": 4}, "The second screen was the cause; it is gone now."),
    Matrix("2055", "ines.aalto", {"walk": 5, "desk": 3}),
    Matrix("2055", "priya.raman", {"walk": 4}),
    Matrix("2058", "noor.haddad", {"trigger": (1, "Made it worse for two days."), "breathing": 3}),
    Matrix("2058", "ines.aalto", {"trigger": 2}),
    Matrix("2060", "noor.haddad", {"splint": 4, "forearm": 5, "desk": "Not done yet: facilities come next week."}),
    Matrix("2063", "ines.aalto", {"breathing": 5, "walk": 4}),
    Matrix("2063", "noor.haddad", {"breathing": 4, "walk": 4}),
    Matrix("2066", "noor.haddad", {"gaze": 3, "desk": 4}),
    Matrix("2070", "noor.haddad", {"trigger": 4, "desk": 4, "breathing": 2, "walk": 3}),
    Matrix("2070", "ines.aalto", {"trigger": 3, "desk": 5}),
]  # fmt: skip
_REJECTED = Matrix("2066", "jonas.weber", {"gaze": 1, "desk": 1})
_WHY = "These are the answers of OH-2044: the person of this visit has not been asked yet."


def protocol_id(key: str) -> UUID:
    return demo_id(1200 + [protocol.key for protocol in PROTOCOLS].index(key), f"protocol {key}")


def visit_id(key: str) -> UUID:
    return demo_id(1220 + [visit.key for visit in VISITS].index(key), f"visit {key}")


async def has_none(tx: Tx) -> bool:
    """No types and no set of these names: a visitor may have made one of them."""
    for slug in (VISIT, PROTOCOL):
        if await entity_types.find(tx, slug):
            return False
    return await criteria_sets.find_by_slug(tx, PROTOCOL_RESPONSE) is None


async def load(tx: Tx) -> None:
    await _define(tx)
    async with acting(tx, "ines.aalto") as clinician:
        for protocol in PROTOCOLS:
            content = {"area": protocol.area, "minutes": protocol.minutes, "summary": protocol.summary}
            await records.create(clinician, protocol_id(protocol.key), PROTOCOL, protocol.title, content, {})
        for first, visit in enumerate(VISITS):
            content = {"date": visit.date, "complaint": visit.complaint}
            await records.create(clinician, visit_id(visit.key), VISIT, visit.title, content, {})
            for place, key in enumerate(visit.protocols.split()):
                relation_id = demo_id(1240 + 5 * first + place, f"did {visit.key} {key}")
                await relations.connect(clinician, visit_id(visit.key), relation_id, FIELD, protocol_id(key))
    for place, matrix in enumerate([*MATRICES, _REJECTED]):
        await _rate(tx, 1300 + place, matrix)
    async with acting(tx, "ines.aalto") as reviewer:
        rejected = demo_id(1300 + len(MATRICES), _name(_REJECTED))
        await later(reviewer, hours=20)
        await service.review(reviewer, visit_id(_REJECTED.visit), rejected, ResponseStatus.REJECTED, _WHY)
    for visit in VISITS:
        scores = compute_scores(await read_scores(tx, visit_id(visit.key)))
        await promote_edge_scores(tx, visit_id(visit.key), scores)


async def _define(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        await types.create(
            admin, demo_id(1190, "protocol type"), PROTOCOL, "Protocol", _PROTOCOL_SCHEMA, {}, {}
        )
        await types.create(
            admin, demo_id(1191, "visit type"), VISIT, "Visit", _VISIT_SCHEMA, _VISIT_FIELDS, {}
        )
        await criteria.create(admin, demo_id(1192, PROTOCOL_RESPONSE), _protocol_response())


def _protocol_response() -> CriteriaSetDefinition:
    return CriteriaSetDefinition(
        slug=PROTOCOL_RESPONSE,
        name="Protocol response",
        description="How much each protocol of a visit helped. Rate those that you can judge; leave the others out.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[VISIT],
        scope=Scope(type="relation", field_key=FIELD),
        dimensions=[
            Dimension(
                key="rating",
                label="Helped",
                type=DimensionType.RATING,
                scale=(1, 5),
                step=1,
                weight=1,
                description="1: made it worse. 3: no change. 5: the complaint is gone.",
            ),
            Dimension(key="note", label="Note", type=DimensionType.TEXT),
        ],
    )


async def _rate(tx: Tx, place: int, matrix: Matrix) -> None:
    async with acting(tx, matrix.who) as clinician:
        await later(clinician, hours=60)
        await service.submit(
            clinician,
            service.NewResponse(
                id=demo_id(place, _name(matrix)),
                entity_id=visit_id(matrix.visit),
                criteria_set_slug=PROTOCOL_RESPONSE,
                values={str(protocol_id(key)): _cell(rating) for key, rating in matrix.ratings.items()},
                notes=matrix.notes,
            ),
        )


def _cell(rating: int | str | tuple[int, str]) -> dict[str, Any]:
    if isinstance(rating, tuple):
        return {"rating": rating[0], "note": rating[1]}
    return {"rating": rating} if isinstance(rating, int) else {"note": rating}


def _name(matrix: Matrix) -> str:
    return f"matrix {matrix.visit} {matrix.who}"


PARTS = [Part("edges", load, is_absent=has_none, in_the_past=True)]
