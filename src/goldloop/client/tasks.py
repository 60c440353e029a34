"""Tasks: work for agents by hand or by the clock; and having agents fill in records."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.session_types import Session
from goldloop.client.task_types import Task
from goldloop.client.workspace import given

Document = Mapping[str, str]
_KEEP: Any = object()


class TaskMethods(Resource[Kind]):
    @operation("POST", "/api/tasks", safe=True)
    def create(
        self,
        name: str,
        kind: str,
        config: Mapping[str, Any],
        *,
        agent: str | None = None,
        schedule: Mapping[str, str] | None = None,
        enabled: bool = True,
        id: Id | None = None,
    ) -> Call[Task]:
        """`kind` is `prompt` (config: `{message}`) or `populate_fields` (config as `population.populate_many` takes it).
        `schedule` is `{cron, timezone}`; without one the task runs by hand."""
        body = {"name": name, "kind": kind, "config": config, "enabled": enabled, "id": id or new_id()}
        return Call(Task, body=body | given({"agent": agent, "schedule": schedule}))

    @listing("/api/tasks")
    def list(self) -> Call[Page[Task]]:
        """Newest first."""
        return Call(Page[Task])

    @operation("GET", "/api/tasks/{task_id}")
    def show(self, task_id: Id) -> Call[Task]:
        return Call(Task, (task_id,))

    @operation("PATCH", "/api/tasks/{task_id}")
    def change(
        self,
        task_id: Id,
        version: int | None = None,
        *,
        name: str | None = None,
        agent: str | None = None,
        config: Mapping[str, Any] | None = None,
        schedule: Mapping[str, str] | None = _KEEP,
        enabled: bool | None = None,
    ) -> Call[Task]:
        """`version` is the one that was read; what is left out stays as it is. With None as its schedule a task runs by
        hand alone."""
        optional = {"version": version, "name": name, "agent": agent, "config": config, "enabled": enabled}
        planned = {} if schedule is _KEEP else {"schedule": schedule}
        return Call(Task, (task_id,), body=given(optional) | planned)

    @operation("DELETE", "/api/tasks/{task_id}")
    def remove(self, task_id: Id) -> Call[None]:
        """Its sessions stay."""
        return Call(None, (task_id,))

    @operation("POST", "/api/tasks/{task_id}/run", safe=True)
    def run(self, task_id: Id, *, id: Id | None = None) -> Call[Session]:
        """Now, whatever the schedule says."""
        return Call(Session, (task_id,), body={"id": id or new_id()})


class PopulationMethods(Resource[Kind]):
    @operation("POST", "/api/entities/{entity_id}/populate", safe=True)
    def populate(
        self,
        entity_id: Id,
        *,
        agent: str | None = None,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        dimensions: Sequence[str] | None = None,
        temporal_value: str | None = None,
        text: str | None = None,
        documents: Sequence[Document] | None = None,
        instructions: str | None = None,
        parent_response_id: Id | None = None,
        id: Id | None = None,
    ) -> Call[Session]:
        """Have an agent propose values for a record, from it and from what it is given to read. `documents` are
        `{title, text}`; without `dimensions` all of the criteria set are meant."""
        optional = {
            "agent": agent,
            "criteria_set_id": criteria_set_id,
            "criteria_set_slug": criteria_set_slug,
            "dimensions": dimensions,
            "temporal_value": temporal_value,
            "text": text,
            "documents": documents,
            "instructions": instructions,
            "parent_response_id": parent_response_id,
        }
        return Call(Session, (entity_id,), body={"id": id or new_id()} | given(optional))

    @operation("POST", "/api/populate", safe=True)
    def populate_many(
        self,
        type: str,
        *,
        ids: Sequence[Id] | None = None,
        q: str | None = None,
        min_score: float | None = None,
        waits: bool = False,
        agent: str | None = None,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        dimensions: Sequence[str] | None = None,
        temporal_value: str | None = None,
        text: str | None = None,
        documents: Sequence[Document] | None = None,
        instructions: str | None = None,
        id: Id | None = None,
    ) -> Call[Session]:
        """The records of a type that are named by `ids`, or that a list with this filter has, a few at a time. Follow the
        session's `progress`; cancelling it cancels what is open."""
        optional = {
            "ids": ids,
            "q": q,
            "min_score": min_score,
            "agent": agent,
            "criteria_set_id": criteria_set_id,
            "criteria_set_slug": criteria_set_slug,
            "dimensions": dimensions,
            "temporal_value": temporal_value,
            "text": text,
            "documents": documents,
            "instructions": instructions,
        }
        return Call(Session, body={"type": type, "waits": waits, "id": id or new_id()} | given(optional))
