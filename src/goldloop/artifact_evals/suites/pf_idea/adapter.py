"""From a record of the type `pf_idea` to an artifact. Pure."""

from goldloop.artifact_evals.model import KnowledgeArtifact
from goldloop.artifact_evals.projection import Record, project
from goldloop.artifact_evals.suites.pf_idea.schema import REVIEW


def pf_idea_to_artifact(record: Record) -> KnowledgeArtifact:
    return project(
        record,
        gate=REVIEW,
        evidence=("signals",),
        references=("duplicates",),
        payload=("problem", "proposal"),
    )
