"""The suites that ship: worked examples, laid out as the recipe in docs/artifact-evals.md says.

In flow the records of a support company, out flow verdicts on them. Each folder has the entity type (`schema.py`), the
adapter, the rubric and the fixtures; its `__init__` puts them together.
"""

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites import evidence_claim, pf_idea, pf_knowledge, therapy_plan

SUITES: tuple[KnowledgeEvalSuite, ...] = (
    evidence_claim.SUITE,
    therapy_plan.SUITE,
    pf_idea.SUITE,
    pf_knowledge.SUITE,
)
