"""The claims of the demo workspace: what a support company believes, the sources that it rests on, and how far an
agent and people rely on those."""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.claims import service as claims
from goldloop.criteria import service as criteria
from goldloop.criteria import store as criteria_sets
from goldloop.criteria.model import CriteriaSetDefinition, Dimension, DimensionType, Kind
from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.entities.types import service as types
from goldloop.entities.types import store as entity_types
from goldloop.kit.db import Tx
from goldloop.promotion import service as promotion
from goldloop.responses import service as responses
from goldloop.responses.model import ResponseSource, ResponseStatus
from goldloop.tenants.demo import Part, acting, demo_id, later

CLAIM = "claim"
SOURCE = "source-item"
FIELD = "supports"
EVIDENCE_QUALITY = "evidence-quality"
AGENT = "evidence-reader"
_ALL = ["rigor", "relevance", "independence"]


class Claim(NamedTuple):
    key: str
    title: str
    area: str
    statement: str


class Source(NamedTuple):
    key: str
    title: str
    kind: str
    publisher: str
    year: int
    supports: str
    finding: str


class Rating(NamedTuple):
    """Rigor, relevance and independence, and which of them were promoted: by default all."""

    source: str
    who: str
    values: tuple[int, int, int]
    comment: str
    promoted: tuple[str, ...] = ("rigor", "relevance", "independence")


_CLAIM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["statement"],
    "properties": {
        "statement": {"type": "string", "maxLength": 1000},
        "area": {"type": "string", "enum": ["answers", "people", "channels", "automation"]},
        "source_count": {"type": "integer", "minimum": 0},
        "source_quality_avg": {"type": ["number", "null"]},
    },
}
_CLAIM_FIELDS: dict[str, Any] = {
    "source_count": {"label": "Sources", "description": "Counted by the server."},
    "source_quality_avg": {"label": "Quality of sources", "description": "Counted by the server."},
}
_SOURCE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind", "publisher"],
    "properties": {
        "kind": {"type": "string", "enum": ["study", "experiment", "survey", "report", "article"]},
        "publisher": {"type": "string", "maxLength": 200},
        "year": {"type": "integer", "minimum": 1950, "maximum": 2100},
        "finding": {"type": "string", "maxLength": 2000},
        **{key: {"type": "integer", "minimum": 1, "maximum": 10} for key in _ALL},
    },
}
_SOURCE_FIELDS: dict[str, Any] = {
    FIELD: {
        "label": "Supports",
        "relation": {"target_type": CLAIM, "multiple": True, "relationship_type": "supports"},
    },
}

CLAIMS = [
    Claim("two-hours", "A first answer within two hours prevents repeat contact", "answers", "Customers who get a first answer within two hours write about the same matter again less than half as often."),
    Claim("one-owner", "One person from start to end halves escalations", "people", "Tickets that stay with one agent are escalated half as often as those that are handed on."),
    Claim("callback", "A callback is liked better than a queue", "channels", "Customers who are offered a callback rate the contact higher than those who wait on the line, also when it takes longer."),
    Claim("bot-nights", "The answer bot can take nights alone", "automation", "Between 22 and 6 o'clock the answer bot settles three of four chats without a person."),
    Claim("macros", "Macros do not make answers colder", "answers", "Answers that begin from a macro and are edited are rated as warm as those written from nothing."),
    Claim("video", "Video help pays for itself", "channels", "Video calls for set-up questions save more in returns than they cost in time."),
    Claim("first-name", "First names make complaints shorter", "answers", "Complaints are settled in fewer messages when both sides use first names."),
]  # fmt: skip

SOURCES = [
    Source("repeat-2025", "Repeat contact by time of first answer, 48,000 tickets", "study", "Northwind analytics", 2025, "two-hours", "11 % wrote again after an answer within two hours, 26 % after one within a day."),
    Source("queue-trial", "Two-hour queue, four-week trial", "experiment", "Northwind support", 2025, "two-hours callback", "Half of the queues answered within two hours; repeat contact fell from 22 % to 12 %."),
    Source("field-review", "Response time and repeat contact: a review of 31 studies", "study", "Journal of Service Research", 2023, "two-hours", "Effects from 0.4 to 0.6, larger where the first answer settles the matter."),
    Source("vendor-paper", "The two-hour rule", "report", "Sable Workforce", 2024, "two-hours one-owner", "Customers of the vendor that answer within two hours report 60 % less repeat contact."),
    Source("handover-log", "Hand-overs and escalations in 2025", "study", "Northwind analytics", 2025, "one-owner", "Escalated: 3.1 % of tickets with one owner, 7.4 % of those handed on."),
    Source("team-survey", "What makes tickets escalate? A survey among 64 agents", "survey", "Northwind people team", 2026, "one-owner", "Two of three name the hand-over first."),
    Source("malmo-pilot", "One owner per ticket, Malmö pilot", "experiment", "Northwind support", 2026, "one-owner", "Escalations fell from 6.8 % to 3.9 % in six weeks; the control team stayed at 6.5 %."),
    Source("callback-survey", "After-call survey, callback against queue", "survey", "Mosaic Surveys", 2025, "callback", "4.4 against 3.6 of 5, with 2,100 answers."),
    Source("callback-blog", "Why nobody wants to wait", "article", "a trade magazine", 2022, "callback", "Interviews with three heads of support."),
    Source("bot-nights-log", "Night chats in the second quarter", "report", "Answer bot team", 2026, "bot-nights", "71 % were closed without a person; reopened ones are not counted."),
    Source("bot-reopened", "Reopened chats after a night answer", "study", "Northwind analytics", 2026, "bot-nights", "Every fifth chat that the bot closed at night is reopened within two days."),
    Source("macro-test", "Blind rating of 400 answers", "experiment", "Northwind support", 2026, "macros", "4.1 for edited macros, 4.2 for free text: no difference that counts."),
    Source("macro-thread", "Do macros sound cold?", "article", "a forum for support people", 2021, "macros", "Opinions go both ways."),
    Source("video-deck", "Video support: the business case", "report", "a vendor's slides", 2024, "video", "Claims 30 % fewer returns, without saying of what."),
]  # fmt: skip

RATINGS = [
    Rating("repeat-2025", AGENT, (8, 10, 6), "All tickets of a year, no control for how hard they were."),
    Rating("queue-trial", AGENT, (9, 9, 7), "Queues were drawn by lot; four weeks are short."),
    Rating("field-review", AGENT, (9, 7, 10), "Thirty-one studies, with a test for those never published."),
    Rating("vendor-paper", AGENT, (8, 9, 8), "Large sample, clear figures."),
    Rating("handover-log", AGENT, (7, 9, 6), "Hard tickets are handed on more often; not corrected for.", ("rigor", "relevance")),
    Rating("team-survey", "jonas.weber", (5, 8, 6), "What people believe, not what happened.", ("relevance",)),
    Rating("malmo-pilot", AGENT, (8, 10, 7), "With a control team. Six weeks, one site."),
    Rating("malmo-pilot", "priya.raman", (6, 10, 5), "The team leads chose who took part.", ()),
    Rating("callback-survey", AGENT, (7, 8, 4), "Those who answered chose to; run by a vendor of ours."),
    Rating("callback-blog", AGENT, (2, 5, 6), "Three interviews.", ("rigor",)),
    Rating("bot-nights-log", AGENT, (6, 9, 2), "Reported by the team that built it.", ()),
    Rating("bot-reopened", "jonas.weber", (8, 9, 8), "Counts what the other report leaves out."),
    Rating("macro-test", AGENT, (8, 9, 7), "Blind, two raters per answer.", ("rigor", "independence")),
]  # fmt: skip
RERATED = Rating(
    "vendor-paper",
    "priya.raman",
    (3, 7, 1),
    "The sample are the vendor's own customers, chosen by the vendor, and the figures are self-reported.",
)
_REJECTED = Rating("video-deck", AGENT, (7, 8, 7), "Clear figures.", ())
_WHY = "Slides of a vendor are not a study: there is no sample and no method in it. Rate what is there."


def claim_id(key: str) -> UUID:
    return demo_id(1400 + [claim.key for claim in CLAIMS].index(key), f"claim {key}")


def source_id(key: str) -> UUID:
    return demo_id(1420 + [source.key for source in SOURCES].index(key), f"source {key}")


def rating_id(source: str, who: str) -> UUID:
    made = [(rating.source, rating.who) for rating in (*RATINGS, _REJECTED, RERATED)]
    return demo_id(1450 + made.index((source, who)), f"evidence {source} {who}")


async def has_none(tx: Tx) -> bool:
    """No types, no set and no settings of these names: a visitor may have made one of them."""
    for slug in (CLAIM, SOURCE):
        if await entity_types.find(tx, slug):
            return False
    if await criteria_sets.find_by_slug(tx, EVIDENCE_QUALITY):
        return False
    settings = await claims.read_settings(tx)
    return (settings.source_type, settings.criteria_set, settings.relation_field) == (
        SOURCE,
        EVIDENCE_QUALITY,
        FIELD,
    )


async def load(tx: Tx) -> None:
    await _define(tx)
    async with acting(tx, "priya.raman") as reviewer:
        for claim in CLAIMS:
            content = {"statement": claim.statement, "area": claim.area}
            await records.create(reviewer, claim_id(claim.key), CLAIM, claim.title, content, {})
        for source in SOURCES:
            await _add_source(reviewer, source)
    await _count(tx)
    for rating in (*RATINGS, _REJECTED):
        await _rate(tx, rating)
    async with acting(tx, "priya.raman") as reviewer:
        rejected = rating_id(_REJECTED.source, _REJECTED.who)
        await later(reviewer, hours=10)
        await responses.review(reviewer, source_id(_REJECTED.source), rejected, ResponseStatus.REJECTED, _WHY)
    await _promote(tx, RATINGS)
    await _count(tx)
    await _rate(tx, RERATED)
    await _promote(tx, [RERATED])
    await _count(tx)


async def _define(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        await types.create(
            admin, demo_id(1390, "claim type"), CLAIM, "Claim", _CLAIM_SCHEMA, _CLAIM_FIELDS, {}
        )
        await types.create(
            admin, demo_id(1391, "source type"), SOURCE, "Source", _SOURCE_SCHEMA, _SOURCE_FIELDS, {}
        )
        await criteria.create(admin, demo_id(1392, EVIDENCE_QUALITY), _evidence_quality())


def _evidence_quality() -> CriteriaSetDefinition:
    return CriteriaSetDefinition(
        slug=EVIDENCE_QUALITY,
        name="Evidence quality",
        description="How far a source can be relied on. 10 is the best answer everywhere.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[SOURCE],
        dimensions=[
            _rating("rigor", "Rigor", 0.4, "Sample, control, and whether it could have come out otherwise."),
            _rating("relevance", "Relevance", 0.35, "Whether it is about what the claim says."),
            _rating("independence", "Independence", 0.25, "Whether anybody gains by the result."),
            Dimension(key="comment", label="Comment", type=DimensionType.TEXT),
        ],
    )


def _rating(key: str, label: str, weight: float, description: str) -> Dimension:
    return Dimension(
        key=key,
        label=label,
        type=DimensionType.RATING,
        scale=(1, 10),
        step=1,
        weight=weight,
        description=description,
    )


async def _add_source(tx: Tx, source: Source) -> None:
    content = {
        "kind": source.kind,
        "publisher": source.publisher,
        "year": source.year,
        "finding": source.finding,
    }
    await records.create(tx, source_id(source.key), SOURCE, source.title, content, {})
    for place, claim in enumerate(source.supports.split()):
        relation_id = demo_id(1440 + place, f"supports {source.key} {claim}")
        await relations.connect(tx, source_id(source.key), relation_id, FIELD, claim_id(claim))


async def _rate(tx: Tx, rating: Rating) -> None:
    by_agent = rating.who == AGENT
    async with acting(tx, rating.who) as rater:
        await later(rater, hours=36)
        await responses.submit(
            rater,
            responses.NewResponse(
                id=rating_id(rating.source, rating.who),
                entity_id=source_id(rating.source),
                criteria_set_slug=EVIDENCE_QUALITY,
                values={**dict(zip(_ALL, rating.values, strict=True)), "comment": rating.comment},
                source=ResponseSource.EXTRACTION if by_agent else ResponseSource.MANUAL,
            ),
        )


async def _promote(tx: Tx, ratings: list[Rating]) -> None:
    async with acting(tx, "tomas.okafor") as reviewer:
        for rating in ratings:
            if rating.promoted:
                await later(reviewer, hours=24)
                await promotion.promote(
                    reviewer,
                    source_id(rating.source),
                    rating_id(rating.source, rating.who),
                    list(rating.promoted),
                    None,
                )


async def _count(tx: Tx) -> None:
    """Counts at once instead of by mark, so that the first visitor sees the numbers."""
    for claim in CLAIMS:
        await claims.recompute_claim_aggregate(tx, claim_id(claim.key))


PARTS = [Part("claims", load, is_absent=has_none, in_the_past=True)]
