"""Product knowledge: what the support desk has learned, with its sources, once a person has let it through.

In flow what the loop `product-knowledge` drafts; out flow what answers to customers may rest on. The rubric is a lens
over the loop.
"""

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites.pf_knowledge.adapter import pf_knowledge_to_artifact
from goldloop.artifact_evals.suites.pf_knowledge.fixtures import FIXTURES
from goldloop.artifact_evals.suites.pf_knowledge.loop import LOOP
from goldloop.artifact_evals.suites.pf_knowledge.rubric import pf_knowledge_rubric
from goldloop.artifact_evals.suites.pf_knowledge.schema import ENTITY_TYPE

SUITE = KnowledgeEvalSuite(
    name="pf_knowledge",
    title="Product knowledge",
    adapter=pf_knowledge_to_artifact,
    rubric=pf_knowledge_rubric,
    fixtures=FIXTURES,
    entity_type=ENTITY_TYPE,
    loop=LOOP,
)

__all__ = ["LOOP", "SUITE"]
