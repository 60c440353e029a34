"""Product ideas: what tickets, calls and surveys ask the product to be.

In flow ideas that agents gather and people add; out flow those that a product team can take up as they are.
"""

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites.pf_idea.adapter import pf_idea_to_artifact
from goldloop.artifact_evals.suites.pf_idea.fixtures import FIXTURES
from goldloop.artifact_evals.suites.pf_idea.rubric import pf_idea_rubric
from goldloop.artifact_evals.suites.pf_idea.schema import ENTITY_TYPE

SUITE = KnowledgeEvalSuite(
    name="pf_idea",
    title="Product ideas",
    adapter=pf_idea_to_artifact,
    rubric=pf_idea_rubric,
    fixtures=FIXTURES,
    entity_type=ENTITY_TYPE,
)
