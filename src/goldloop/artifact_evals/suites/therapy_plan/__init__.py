"""Therapy plans: what an occupational-health partner agrees on with a person, by the claims that it rests on.

In flow plans that a therapist drafts, also with an agent's help; out flow those that somebody may begin tomorrow.
"""

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites.therapy_plan.adapter import therapy_plan_to_artifact
from goldloop.artifact_evals.suites.therapy_plan.fixtures import FIXTURES
from goldloop.artifact_evals.suites.therapy_plan.rubric import therapy_plan_rubric
from goldloop.artifact_evals.suites.therapy_plan.schema import ENTITY_TYPE

SUITE = KnowledgeEvalSuite(
    name="therapy-plan",
    title="Therapy plans",
    adapter=therapy_plan_to_artifact,
    rubric=therapy_plan_rubric,
    fixtures=FIXTURES,
    entity_type=ENTITY_TYPE,
)
