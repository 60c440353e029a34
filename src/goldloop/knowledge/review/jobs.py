"""How sessions of the review agent are run, and the agent that every workspace has for it."""

from typing import Any

from goldloop.agents import system_service
from goldloop.agents.model import AgentConfig
from goldloop.agents.permissions import AGENTS_TUNE
from goldloop.agents.system_service import SystemAgent
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Database
from goldloop.knowledge.review import service
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.model import RunPlan
from goldloop.runtimes.purpose_service import Purpose


async def propose_extracts(db: Database, plan: RunPlan) -> Any:
    async with db.tx(plan.actor) as tx:
        return await service.without_model(tx)


purposes.register(
    Purpose(
        name=service.REVIEW,
        brief=service.write,
        check=service.check,
        finish=service.finish,
        without_model=propose_extracts,
    )
)

system_service.register(
    SystemAgent(
        slug=service.REVIEWER,
        name="Feedback reviewer",
        description="Looks through feedback that waits, dismisses what is noise and proposes what should be learnt",
        config=AgentConfig(tool_groups=["context", "entities-read", "agents-admin", "feedback-review"]),
        grants=frozenset({FEEDBACK_REVIEW, AGENTS_TUNE}),
    )
)
