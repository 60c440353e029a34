"""Evidence claims: what is known about keeping people well who talk and type all day, and how sure that is.

In flow claims that somebody drew from studies and from our own figures; out flow those that a plan may rest on.
"""

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites.evidence_claim.adapter import evidence_claim_to_artifact
from goldloop.artifact_evals.suites.evidence_claim.fixtures import FIXTURES
from goldloop.artifact_evals.suites.evidence_claim.rubric import evidence_claim_rubric
from goldloop.artifact_evals.suites.evidence_claim.schema import ENTITY_TYPE

SUITE = KnowledgeEvalSuite(
    name="evidence-claim",
    title="Evidence claims",
    adapter=evidence_claim_to_artifact,
    rubric=evidence_claim_rubric,
    fixtures=FIXTURES,
    entity_type=ENTITY_TYPE,
)
