"""From a record of the type `pf_knowledge` to an artifact, by what the loop declares. Pure."""

from goldloop.artifact_evals.model import KnowledgeArtifact
from goldloop.artifact_evals.projection import Record, project
from goldloop.artifact_evals.suites.pf_knowledge.loop import LOOP, RECORD

PAYLOAD = ("insight",)


def pf_knowledge_to_artifact(record: Record) -> KnowledgeArtifact:
    return project(
        record,
        gate=LOOP.review_gate,
        evidence=RECORD.evidence_fields,
        references=("supersedes",),
        payload=PAYLOAD,
    )
