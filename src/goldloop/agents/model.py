"""Types and errors of agents' configurations."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.kit.text import full_match, slug_pattern
from goldloop.tenants.model import Party

LONGEST_INSTRUCTIONS = 100_000  # characters: a long handbook; what is longer belongs into records


class VersionNotFound(NotFound):
    code, title = "agent_version_not_found", "This agent has no such version"


class ConfigChanged(Conflict):
    code, title = "agent_config_changed", "Somebody changed this agent's configuration meanwhile"


class SecretNotFound(NotFound):
    code, title = "agent_secret_not_found", "This agent has no such secret"


class Runtime(StrEnum):
    """Where an agent runs: here on a language model, at an address of its owner, or as a function of a Python package."""

    BUILT_IN = "built_in"
    HTTP = "http"
    PYTHON = "python"


class SecretName(StrEnum):
    """`model_key` is for the model's provider, `http_secret` is sent to an agent that is called over HTTP."""

    MODEL_KEY = "model_key"
    HTTP_SECRET = "http_secret"


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one run may use; one that reaches a limit ends with its name. `cost` is in US dollars."""

    requests: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50
    tool_calls: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 200
    tokens: Annotated[int, msgspec.Meta(ge=1, le=100_000_000)] = 1_000_000
    seconds: Annotated[int, msgspec.Meta(ge=1, le=3_000)] = 600
    cost: Annotated[float, msgspec.Meta(gt=0, le=10_000)] | None = None


ModelName = Annotated[str, msgspec.Meta(max_length=200, pattern=full_match(r"[a-z][a-z0-9_-]*:[^\s:]\S*"))]
Url = Annotated[str, msgspec.Meta(max_length=2000, pattern=full_match(r"https?://[^\s/?#]\S*"))]
GroupName = Annotated[str, msgspec.Meta(pattern=slug_pattern(63, "a-z0-9-"))]
EntryPoint = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Instructions = Annotated[str, msgspec.Meta(max_length=LONGEST_INSTRUCTIONS)]
Note = Annotated[str, msgspec.Meta(max_length=2000)]


class AgentConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`model` is `provider:name`, None the installation's own; `base_url` leads to another server that speaks like the
    provider. `url` is where an HTTP agent is, `entry_point` the name of a Python one."""

    runtime: Runtime = Runtime.BUILT_IN
    model: ModelName | None = None
    base_url: Url | None = None
    instructions: Instructions = ""
    tool_groups: Annotated[list[GroupName], msgspec.Meta(max_length=50)] = []
    limits: Limits = msgspec.field(default_factory=Limits)
    url: Url | None = None
    entry_point: EntryPoint | None = None


class AgentVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as it was at a time. `changed` names what differs from the version before it."""

    agent_id: UUID
    version: int
    config: AgentConfig
    note: str
    restored_from: int | None
    changed: list[str]
    created_at: datetime
    created_by: Party


class RunsWith(msgspec.Struct, frozen=True, kw_only=True):
    """The newest version of an agent in short."""

    version: int
    runtime: Runtime
    model: str | None


class AgentDefaults(msgspec.Struct, frozen=True, kw_only=True):
    """What agents run with where they name nothing of their own. `model` is GOLDLOOP_MODEL; None: a run needs its agent's."""

    model: str | None


class AgentSecret(msgspec.Struct, frozen=True, kw_only=True):
    """That a secret is set, by whom and when. What it is is never shown again."""

    name: SecretName
    updated_at: datetime
    updated_by: Party
