"""Product ideas of a support company, and what goes wrong with ideas. Pure."""

from typing import Any

from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import KnowledgeFixture, bad, good, vary
from goldloop.artifact_evals.suites.fragments import make_record, source, unsigned
from goldloop.artifact_evals.suites.pf_idea.schema import SLUG, SURFACES

BOARD, LIST = SURFACES


def _decided(by: str) -> dict[str, Any]:
    return {**unsigned(KnowledgeSafetyClass.OPERATIONAL), "decided_by": by, "decided_by_kind": "user"}


REFUND_STATUS = make_record(
    SLUG,
    "idea-refund-status",
    "Show where a refund is",
    status="accepted",
    problem="Customers write a second time to ask whether a refund was sent, although the date is known to us.",
    proposal="Show the state and the expected date of a refund in the customer's account and in the confirmation.",
    who_benefits="Customers who wait for money, and the billing queue",
    affected_per_month=840,
    owner="Jonas Weber",
    next_step="Jonas asks Redstone for the refund events of their interface by the end of May.",
    signals=[
        source("NW-T-48211", "Where is my refund? (ticket)"),
        source("NW-T-48977", "Third mail about the same refund (ticket)"),
        source("NW-SURVEY-2026-Q1", "Satisfaction survey, first quarter 2026, comments on billing"),
    ],
    **_decided("Priya Raman"),
    surface=BOARD,
)
DARK_FORUM = make_record(
    SLUG,
    "idea-forum-search",
    "Search over the old forum",
    status="declined",
    problem="Answers in the old forum cannot be found from the help centre.",
    proposal="Index the old forum and mix its threads into the results of the help centre.",
    who_benefits="Customers with old devices",
    affected_per_month=35,
    owner="Jonas Weber",
    next_step="Jonas moves the twenty most read threads into the knowledge base instead.",
    signals=[
        source("NW-T-47002", "Link to a forum thread is dead (ticket)"),
        source("NW-CALL-2026-02-17-0931", "Call about a device from 2017"),
    ],
    **_decided("Mara Lindqvist"),
    surface=LIST,
)
CALLBACK = make_record(
    SLUG,
    "idea-callback",
    "Call back instead of waiting",
    status="triaged",
    problem="On Mondays callers wait for more than twelve minutes, and one in four hangs up.",
    proposal="Offer a call back at a time of the caller's choice when the wait is longer than five minutes.",
    who_benefits="Callers on busy days",
    affected_per_month=2100,
    owner="Tomás Okafor",
    next_step="Tomás tests the call-back option of Brightline with the German queue in week 22.",
    signals=[source("NW-WALLBOARD-2026-W09", "Waiting times, week 9 of 2026")],
    **unsigned(KnowledgeSafetyClass.OPERATIONAL),
    surface=BOARD,
)
ADDRESS = make_record(
    SLUG,
    "idea-address",
    "Change an address once",
    status="captured",
    problem="A change of address has to be told to billing and to shipping, and they do not tell each other.",
    proposal="One form that changes the address everywhere and confirms it by mail.",
    who_benefits="Everybody who moves house",
    affected_per_month=0,
    owner="Aiko Tanaka",
    next_step="Aiko counts the tickets of March that mention a changed address.",
    **unsigned(KnowledgeSafetyClass.SENSITIVE),
    surface=LIST,
)
IDEAS = (REFUND_STATUS, DARK_FORUM, CALLBACK, ADDRESS)

_D = KnowledgeDimension

FIXTURES: tuple[KnowledgeFixture, ...] = (
    *(good(idea["title"], idea) for idea in IDEAS),
    bad("accepted on one signal", vary(REFUND_STATUS, signals=[source("NW-T-48211", "Where is my refund?")]), _D.SOURCE_GROUNDING),
    bad("a status that the loop does not know", vary(CALLBACK, status="shipped"), _D.SOURCE_GROUNDING),
    bad("an idea that nobody owns", vary(REFUND_STATUS, owner="tbd"), _D.SCHEMA_COMPLETENESS),
    bad("a wish for a next step", vary(CALLBACK, next_step="Somebody should look into call backs at some point."), _D.ACTIONABILITY),
    bad("two words for a next step", vary(DARK_FORUM, next_step="Move threads"), _D.ACTIONABILITY),
    bad("no label", vary(CALLBACK, "safety_class"), _D.SAFETY_HUMAN_GATE),
    bad("review switched off", vary(ADDRESS, review_required=False), _D.SAFETY_HUMAN_GATE),
    bad("accepted by nobody", vary(REFUND_STATUS, decided_by=" "), _D.SAFETY_HUMAN_GATE),
    bad("a board of another tool", vary(CALLBACK, surface="view:roadmap"), _D.WORKSPACE_RENDERABILITY),
    bad("a duplicate in another workspace", vary(ADDRESS, duplicates=[{"id": "idea-1", "workspace": "redstone"}]), _D.TENANT_ISOLATION),
    bad("a signal from another workspace", vary(CALLBACK, signals=[{"source": "RS-T-7", "workspace": "redstone"}, *REFUND_STATUS["content"]["signals"]]), _D.TENANT_ISOLATION),
    bad("it belongs to nobody", {**CALLBACK, "tenant": ""}, _D.TENANT_ISOLATION),
)  # fmt: skip
