"""Methods of the workspace, members, agents, keys, jobs, tools and the inbox."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from goldloop.client.agent_types import AgentDefaults, AgentSecrets, AgentVersion, ListedAgent
from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.errors import ToolFailed
from goldloop.client.ids import Id, new_id
from goldloop.client.inbox_types import InboxCount
from goldloop.client.job_types import Job, JobDetail, Mark
from goldloop.client.types import (
    Agent,
    ApiKey,
    CreatedApiKey,
    FirstSteps,
    Member,
    Permissions,
    Submitted,
    Tool,
    Workspace,
)

Values = Mapping[str, Any]


class WorkspaceMethods(Resource[Kind]):
    @operation("GET", "/api/workspace")
    def show(self) -> Call[Workspace]:
        """The key's workspace, and what the key may do in it."""
        return Call(Workspace)

    @operation("PATCH", "/api/workspace")
    def rename(self, name: str) -> Call[Workspace]:
        return Call(Workspace, body={"name": name})

    @operation("GET", "/api/permissions")
    def permissions(self) -> Call[Permissions]:
        """What each role may do, and the scopes that narrow a key."""
        return Call(Permissions)

    @operation("GET", "/api/first-steps")
    def first_steps(self) -> Call[FirstSteps]:
        """How far the workspace is on the way to its first promoted value."""
        return Call(FirstSteps)


class MemberMethods(Resource[Kind]):
    @listing("/api/members")
    def list(self) -> Call[Page[Member]]:
        return Call(Page[Member])


class AgentMethods(Resource[Kind]):
    @operation("POST", "/api/agents", safe=True)
    def create(self, slug: str, name: str, *, description: str = "", id: Id | None = None) -> Call[Agent]:
        body = {"slug": slug, "name": name, "description": description, "id": id or new_id()}
        return Call(Agent, body=body)

    @listing("/api/agents")
    def list(self) -> Call[Page[Agent]]:
        return Call(Page[Agent])

    @listing("/api/agents/overview")
    def overview(self) -> Call[Page[ListedAgent]]:
        """Each with what it runs with and its newest session."""
        return Call(Page[ListedAgent])

    @operation("GET", "/api/agents/defaults")
    def defaults(self) -> Call[AgentDefaults]:
        """What agents run with where they name nothing of their own."""
        return Call(AgentDefaults)

    @operation("GET", "/api/agents/{agent_id}")
    def show(self, agent_id: Id) -> Call[Agent]:
        return Call(Agent, (agent_id,))

    @operation("PATCH", "/api/agents/{agent_id}")
    def change(
        self,
        agent_id: Id,
        *,
        name: str | None = None,
        description: str | None = None,
        active: bool | None = None,
    ) -> Call[Agent]:
        """What is None stays as it is. While an agent is not active, its keys do not work."""
        return Call(
            Agent, (agent_id,), body=given({"name": name, "description": description, "active": active})
        )

    @operation("GET", "/api/agents/{agent_id}/config")
    def config(self, agent_id: Id) -> Call[AgentVersion]:
        """What the agent runs with: its newest version."""
        return Call(AgentVersion, (agent_id,))

    @operation("PUT", "/api/agents/{agent_id}/config", safe=True)
    def configure(
        self,
        agent_id: Id,
        *,
        runtime: str = "built_in",
        model: str | None = None,
        base_url: str | None = None,
        instructions: str = "",
        tool_groups: Sequence[str] = (),
        limits: Values | None = None,
        url: str | None = None,
        entry_point: str | None = None,
        note: str = "",
        version: int | None = None,
    ) -> Call[AgentVersion]:
        """Make the next version: the whole configuration, not a change of it. `version` is the one that was read: a change
        since is then refused."""
        optional = {
            "model": model,
            "base_url": base_url,
            "limits": limits,
            "url": url,
            "entry_point": entry_point,
            "version": version,
        }
        body = {
            "runtime": runtime,
            "instructions": instructions,
            "tool_groups": list(tool_groups),
            "note": note,
        }
        return Call(AgentVersion, (agent_id,), body=body | given(optional))

    @listing("/api/agents/{agent_id}/versions")
    def versions(self, agent_id: Id) -> Call[Page[AgentVersion]]:
        return Call(Page[AgentVersion], (agent_id,))

    @operation("GET", "/api/agents/{agent_id}/versions/{version}")
    def version(self, agent_id: Id, version: int) -> Call[AgentVersion]:
        return Call(AgentVersion, (agent_id, version))

    @operation("POST", "/api/agents/{agent_id}/versions/{version}/restore")
    def restore(self, agent_id: Id, version: int) -> Call[AgentVersion]:
        """An old configuration as a new version."""
        return Call(AgentVersion, (agent_id, version))

    @operation("GET", "/api/agents/{agent_id}/secrets")
    def secrets(self, agent_id: Id) -> Call[AgentSecrets]:
        """Which are set, never what they are."""
        return Call(AgentSecrets, (agent_id,))

    @operation("PUT", "/api/agents/{agent_id}/secrets/{name}", safe=True)
    def set_secret(self, agent_id: Id, name: str, value: str) -> Call[None]:
        return Call(None, (agent_id, name), body={"value": value})

    @operation("DELETE", "/api/agents/{agent_id}/secrets/{name}")
    def remove_secret(self, agent_id: Id, name: str) -> Call[None]:
        return Call(None, (agent_id, name))


class KeyMethods(Resource[Kind]):
    @operation("POST", "/api/keys", safe=False)
    def create(
        self,
        name: str,
        role: str,
        *,
        agent_id: Id | None = None,
        scopes: Sequence[str] | None = None,
        expires_at: datetime | None = None,
        id: Id | None = None,
    ) -> Call[CreatedApiKey]:
        """Never sent twice by itself: the second answer would be without the secret."""
        optional = {"agent_id": agent_id, "scopes": scopes, "expires_at": expires_at}
        return Call(CreatedApiKey, body={"name": name, "role": role, "id": id or new_id()} | given(optional))

    @listing("/api/keys")
    def list(self, *, status: str | None = None) -> Call[Page[ApiKey]]:
        """Newest first."""
        return Call(Page[ApiKey], query={"status": status})

    @operation("GET", "/api/keys/{key_id}")
    def show(self, key_id: Id) -> Call[ApiKey]:
        return Call(ApiKey, (key_id,))

    @operation("POST", "/api/keys/{key_id}/revoke", safe=True)
    def revoke(self, key_id: Id) -> Call[ApiKey]:
        """Again: no change."""
        return Call(ApiKey, (key_id,))


class JobMethods(Resource[Kind]):
    @listing("/api/jobs")
    def list(self, *, status: str | None = None, routine: bool | None = None) -> Call[Page[Job]]:
        """Newest first; `routine` says whether those that come by themselves are listed, or all others."""
        return Call(Page[Job], query={"status": status, "routine": routine})

    @operation("GET", "/api/jobs/{job_id}")
    def show(self, job_id: Id) -> Call[JobDetail]:
        """With why it failed, each time."""
        return Call(JobDetail, (job_id,))

    @listing("/api/marks")
    def marks(self) -> Call[Page[Mark]]:
        """State that waits to be rebuilt."""
        return Call(Page[Mark])


class ToolMethods(Resource[Kind]):
    """What agents call. A tool that answers with `error` raises `ToolFailed`. Never sent twice by itself."""

    @operation("GET", "/api/tools")
    def list(self) -> "Call[_Tools]":
        """Those that the key may use, with the schema of their arguments."""
        return Call(_ToolList, read=lambda answer: answer.data)

    @operation("POST", "/api/tools/{tool_name}")
    def call(self, name: str, arguments: Values) -> Call[dict[str, Any]]:
        """Any tool by its name; arguments are spelled as its schema says."""
        return Call(dict[str, Any], (name,), body=dict(arguments), read=_checked)

    @operation("POST", "/api/tools/{tool_name}")
    def submit_response(
        self,
        entity_id: Id,
        values: Values,
        *,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        notes: str | None = None,
        source: str | None = None,
        field_meta: Values | None = None,
        parent_response_id: Id | None = None,
        temporal_value: str | None = None,
        promote_fields: Sequence[str] | None = None,
    ) -> Call[Submitted]:
        """Propose values as an agent does, with fields to accept at once where that is allowed."""
        optional = {
            "criteriaSetId": criteria_set_id,
            "criteriaSetSlug": criteria_set_slug,
            "notes": notes,
            "source": source,
            "fieldMeta": field_meta,
            "parentResponseId": parent_response_id,
            "temporalValue": temporal_value,
            "promoteFields": promote_fields,
        }
        return Call(
            dict[str, Any],
            ("submitResponse",),
            body={"entityId": entity_id, "values": values} | given(optional),
            read=lambda answer: msgspec.convert(_checked(answer), Submitted),
        )


class InboxMethods(Resource[Kind]):
    @operation("GET", "/api/inbox")
    def show(self) -> Call[list[InboxCount]]:
        """What waits for whoever has the key, by kind; counts stop at 1000."""
        return Call(_Inbox, read=lambda answer: answer.data)


class _Inbox(msgspec.Struct, frozen=True):
    data: list[InboxCount]


class _ToolList(msgspec.Struct, frozen=True):
    data: list[Tool]


_Tools = list[Tool]  # `list` is the name of a method above


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        raise ToolFailed(str(answer["error"]), status=200, code="tool_failed")
    return answer


def given(values: dict[str, Any]) -> dict[str, Any]:
    """What was given: None stands for what the caller left out."""
    return {name: value for name, value in values.items() if value is not None}
