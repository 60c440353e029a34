"""An artifact that passes a plain rubric, and what hypothesis makes of artifacts."""

from typing import Any

from hypothesis import strategies as st

from goldloop.artifact_evals import (
    EvidenceRef,
    KnowledgeArtifact,
    KnowledgeRubric,
    KnowledgeSafetyClass,
    RecordRef,
    RenderTarget,
    ReviewGate,
    SafetyPosture,
    assert_tenant_scope,
    require_actionable_payload,
    require_evidence_refs,
    require_fields,
    require_renderable,
    require_safety_label,
)

GATE = ReviewGate(statuses=("published",))
SOURCE = EvidenceRef("doi:10.5555/1", "sources")
SIGNED = SafetyPosture("operational", True, "Ann Oduya", "user")

RUBRIC = KnowledgeRubric(
    name="plain",
    source_grounding=require_evidence_refs(
        "sources", minimum=2, draft_statuses=("draft",), finalized_statuses=("published",)
    ),
    schema_completeness=require_fields("topic", "owner.name"),
    actionability=require_actionable_payload("steps"),
    safety_human_gate=require_safety_label(KnowledgeSafetyClass.OPERATIONAL, GATE),
    workspace_renderability=require_renderable("topic", known_surfaces=("view:desk",)),
    tenant_isolation=assert_tenant_scope(),
)


def make_artifact(**changes: Any) -> KnowledgeArtifact:
    parts: dict[str, Any] = {
        "id": "a-1",
        "type": "note",
        "title": "A note",
        "tenant": "acme",
        "status": "published",
        "fields": {
            "topic": "What to do when the line is dead",
            "owner": {"name": "Ann Oduya"},
            "steps": ["Ask which lamp of the router is red."],
        },
        "evidence_refs": (SOURCE, EvidenceRef("NW-T-1", "sources")),
        "safety": SIGNED,
        "render": RenderTarget("view:desk", {"topic": "What to do when the line is dead"}),
    }
    return KnowledgeArtifact(**(parts | changes))


words = st.text(max_size=30) | st.sampled_from(
    ["TBD", "n/a", " ", "doi:10.5555/9", "as needed", "acme", "draft"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
junk: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
refs = st.builds(EvidenceRef, words, st.just("sources"), words, st.none() | words)
odd_refs = st.builds(EvidenceRef, junk, junk, junk, junk)

artifacts = st.builds(
    make_artifact,
    tenant=st.none() | words,
    status=st.none() | st.sampled_from(["draft", "published", "archived"]),
    fields=st.dictionaries(st.sampled_from(["topic", "owner", "steps", "other"]), junk),
    evidence_refs=st.lists(refs, max_size=5).map(tuple),
    safety=st.builds(SafetyPosture, words, st.none() | st.booleans(), st.none() | words, st.none() | words),
    render=st.builds(
        RenderTarget, st.sampled_from([None, "view:desk", "x"]), st.dictionaries(words, junk, max_size=3)
    ),
)
odd_artifacts = st.builds(
    make_artifact,
    id=junk,
    type=junk,
    title=junk,
    tenant=junk,
    status=junk,
    fields=junk,
    evidence_refs=junk | st.lists(odd_refs | junk, max_size=4) | st.lists(odd_refs, max_size=4).map(tuple),
    references=junk | st.lists(st.builds(RecordRef, junk, junk, junk), max_size=3).map(tuple),
    safety=junk | st.builds(SafetyPosture, junk, junk, junk, junk),
    render=junk | st.builds(RenderTarget, junk, junk),
)  # fmt: skip
