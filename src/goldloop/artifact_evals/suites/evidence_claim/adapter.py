"""From a record of the type `evidence-claim` to an artifact. Pure."""

from goldloop.artifact_evals.model import KnowledgeArtifact
from goldloop.artifact_evals.projection import Record, project
from goldloop.artifact_evals.suites.evidence_claim.schema import REVIEW


def evidence_claim_to_artifact(record: Record) -> KnowledgeArtifact:
    return project(
        record,
        gate=REVIEW,
        evidence=("evidence",),
        references=("builds_on",),
        payload=("statement", "summary"),
    )
