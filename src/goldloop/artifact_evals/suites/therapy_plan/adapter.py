"""From a record of the type `therapy-plan` to an artifact. Pure."""

from goldloop.artifact_evals.model import KnowledgeArtifact
from goldloop.artifact_evals.projection import Record, project
from goldloop.artifact_evals.suites.therapy_plan.schema import REVIEW


def therapy_plan_to_artifact(record: Record) -> KnowledgeArtifact:
    return project(
        record,
        gate=REVIEW,
        evidence=("evidence",),
        references=("rests_on",),
        payload=("goal", "summary"),
    )
