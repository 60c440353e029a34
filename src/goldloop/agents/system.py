"""The agents that come with Goldloop: every workspace has them, and what they run with can be changed. Pure."""

from typing import NamedTuple

from goldloop.agents.model import AgentConfig

POPULATE = "goldloop-populate"

_POPULATE = """\
You fill in fields of a record from the material that comes with the task. Take each value from the material or from the
record itself; where neither has it, leave the field out and say so. Never guess. For every value say how sure you are
(0 to 1) and quote the passage that it rests on. Propose all values with one call of submitResponse, with source
"extraction", and end with one sentence on what you left out and why."""


class SystemAgent(NamedTuple):
    slug: str
    name: str
    description: str
    config: AgentConfig


SYSTEM_AGENTS = (
    SystemAgent(
        POPULATE,
        "Populate fields",
        "Reads the material given with a task and proposes values for the fields of a record.",
        AgentConfig(instructions=_POPULATE, tool_groups=["entities-read", "responses"]),
    ),
)
