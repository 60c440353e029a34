"""Types of runs: what whoever runs a session is given, and how a run can end but by its result."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from goldloop.agents.model import AgentConfig, SecretName
from goldloop.kit.db import Actor
from goldloop.kit.errors import Conflict
from goldloop.kit.outside import Port
from goldloop.kit.tools import Tool
from goldloop.sessions.model import Session
from goldloop.sessions.run_service import Claim


class RunLimitReached(Conflict):
    code, title = "run_limit_reached", "This run has reached a limit of its agent, and has ended"


class RunFailed(Exception):
    """A run that cannot go on; `code` is the session's error code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class LimitReached(RunFailed):
    """`limit` is the name of what was used up, as in the agent's configuration."""

    def __init__(self, limit: str, most: float) -> None:
        super().__init__(f"limit_{limit}", f"The run reached its limit of {most:,} {limit.replace('_', ' ')}")


class Suspended(Exception):
    """The run waits: for a person, as its session says, or for others that go on with it."""


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the conversation so far, before this session."""

    role: str
    content: str


class ForeignTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that is not ours, whose answers were recorded; `parameters` is its JSON Schema."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = msgspec.field(default_factory=lambda: {"type": "object"})


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is asked to do. With an `output_schema` its answer is an object of that JSON Schema. `spoken` is what was
    said before, where that is not what its conversation has, and `repeat` which repeat of a replay it is."""

    message: str
    instructions: str = ""
    output_schema: dict[str, Any] | None = None
    context: dict[str, Any] = {}
    spoken: tuple[Spoken, ...] | None = None
    foreign_tools: tuple[ForeignTool, ...] = ()
    repeat: int = 0


LEFT_OUT = "memories: left out of the record"


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace has learnt, as a prompt has it, and the manifest that it is known by; None where there is nothing.
    `private` is the part of the text that only the model reads: nothing that is kept of the run has it."""

    text: str = ""
    manifest: str | None = None
    private: str = ""

    def recorded(self, text: str) -> str:
        """What a model is told, as others than the person it works for may read it."""
        return text.replace(self.private, LEFT_OUT) if self.private else text


NO_PROMPT = Prompt()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedRun:
    """A run that somebody works on: who acts in it, by which configuration, with which tools; `secrets` are sealed."""

    session: Session
    claim: Claim
    actor: Actor
    config: AgentConfig
    tools: tuple[Tool, ...]
    secrets: Mapping[SecretName, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan(ClaimedRun):
    """All that whoever runs a session needs to know; `tenant` is the workspace's slug, `prompt` what every prompt of its agent
    has beside its instructions."""

    tenant: str
    brief: Brief
    spoken: tuple[Spoken, ...] = ()
    prompt: Prompt = NO_PROMPT

    @property
    def instructions(self) -> str:
        """What an agent is told first: what stays the same from run to run comes before what is this one's."""
        return "\n\n".join(
            filter(None, (self.config.instructions, self.prompt.text, self.brief.instructions))
        )


class ModelSource(Protocol):
    """Where language models come from. A model is one of pydantic-ai, and its connections are closed after it; raises
    RunFailed where there is none."""

    def __call__(self, config: AgentConfig, key: str | None) -> AbstractAsyncContextManager[Any]: ...


MODELS: Port[ModelSource] = Port("models")
