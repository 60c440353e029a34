"""The seed records, all of which pass, and what would go wrong with them. Pure."""

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import KnowledgeFixture, bad, good, vary
from goldloop.artifact_evals.suites.pf_knowledge.records import RECORDS

REFUND, ROUTER, MONDAY = RECORDS[:3]
UNSOURCED_DRAFT = RECORDS[6]

_D = KnowledgeDimension

FIXTURES: tuple[KnowledgeFixture, ...] = (
    *(good(record["title"], record) for record in RECORDS),
    bad("published and cites nothing", vary(ROUTER, sources=[]), _D.SOURCE_GROUNDING),
    bad("a draft published as it was", vary(UNSOURCED_DRAFT, status="published", reviewed_by="Priya Raman", reviewer_kind="user"), _D.SOURCE_GROUNDING),
    bad("an author who does not say how sure", vary(MONDAY, "confidence"), _D.SCHEMA_COMPLETENESS),
    bad("applies to nothing", vary(REFUND, applies_to=[""]), _D.SCHEMA_COMPLETENESS),
    bad("guidance that says nothing", vary(ROUTER, guidance=["Be careful with routers of that kind."]), _D.ACTIONABILITY),
    bad("published by the agent that wrote it", vary(MONDAY, reviewed_by="answer-bot", reviewer_kind="agent"), _D.SAFETY_HUMAN_GATE),
    bad("labelled harmless", vary(REFUND, safety_class="informational"), _D.SAFETY_HUMAN_GATE),
    bad("a surface that the loop does not declare", vary(ROUTER, surface="page:/wiki"), _D.WORKSPACE_RENDERABILITY),
    bad("replaces another workspace's record", vary(MONDAY, supersedes=[{"id": "know-9", "workspace": "redstone"}]), _D.TENANT_ISOLATION),
    bad("cites another workspace's ticket", vary(REFUND, sources=[*REFUND["content"]["sources"], {"source": "RS-T-9", "workspace": "redstone"}]), _D.TENANT_ISOLATION),
)  # fmt: skip
