"""Knowledge: what was learnt, as prompts have it, its rows for administrators, and what is remembered about whoever asks."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.knowledge_types import (
    KnowledgeCounts,
    KnowledgeSettings,
    KnowledgeUses,
    MeasuredValue,
    Memory,
    Neighbours,
    PromptChange,
    PromptManifest,
    Proposed,
    SessionPrompt,
    SessionWithRow,
    SharedContext,
    SharedContextDetail,
    SharedContextPrompt,
    SupportReviewed,
)
from goldloop.client.workspace import given

_KEEP: Any = object()


class KnowledgeMethods(Resource[Kind]):
    @operation("GET", "/api/shared-context/prompt")
    def prompt(
        self,
        *,
        agent: str | None = None,
        entity_type: str | None = None,
        task: str | None = None,
        memories: bool | None = None,
    ) -> Call[SharedContextPrompt]:
        """Put its `prompt` into an agent's instructions, and name its `manifest` when you record the session."""
        wanted = {"agent": agent, "entity_type": entity_type, "task": task, "memories": memories}
        return Call(SharedContextPrompt, query=wanted)

    @operation("GET", "/api/shared-context/manifests/{manifest}")
    def manifest(self, manifest: str) -> Call[PromptManifest]:
        """What a prompt held, word for word."""
        return Call(PromptManifest, (manifest,))

    @operation("GET", "/api/sessions/{session_id}/shared-context")
    def of_session(self, session_id: Id) -> Call[SessionPrompt]:
        """Why something was in the prompt of a session, and which rows it cited."""
        return Call(SessionPrompt, (session_id,))

    @operation("POST", "/api/admin/shared-context", safe=True)
    def create(
        self,
        type: str,
        content: str,
        context: str | None = None,
        *,
        agent_id: Id | None = None,
        entity_type_id: Id | None = None,
        active: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        id: Id | None = None,
    ) -> Call[SharedContext]:
        """`type` is correction, lesson, routing, insight or guideline. It holds everywhere unless it names an agent or a type."""
        optional = {
            "context": context,
            "agent_id": agent_id,
            "entity_type_id": entity_type_id,
            "active": active,
            "metadata": metadata,
        }
        return Call(
            SharedContext, body={"type": type, "content": content, "id": id or new_id()} | given(optional)
        )

    @listing("/api/admin/shared-context")
    def list(
        self,
        *,
        type: str | None = None,
        state: str | None = None,
        agent_id: Id | None = None,
        entity_type_id: Id | None = None,
        group_id: Id | None = None,
        waits: bool | None = None,
        everywhere: bool | None = None,
        q: str | None = None,
    ) -> Call[Page[SharedContext]]:
        """Newest first; `waits` are those that a person should look at, `everywhere` those that name neither an agent nor a
        type, `q` are beginnings of words."""
        wanted = {
            "type": type,
            "state": state,
            "agent_id": agent_id,
            "entity_type_id": entity_type_id,
            "group_id": group_id,
            "waits": waits,
            "everywhere": everywhere,
            "q": q,
        }
        return Call(Page[SharedContext], query=wanted)

    @operation("GET", "/api/admin/shared-context/counts")
    def counts(self) -> Call[KnowledgeCounts]:
        """By type and state; each count ends at 1,000."""
        return Call(KnowledgeCounts)

    @operation("POST", "/api/admin/shared-context/uses", safe=True)
    def uses(self, ids: Sequence[Id]) -> Call[KnowledgeUses]:
        """In how many prompts of the last seven days each row was."""
        return Call(KnowledgeUses, body={"ids": [*ids]})

    @operation("GET", "/api/admin/shared-context/{row_id}")
    def show(self, row_id: Id) -> Call[SharedContextDetail]:
        """With what it rests on and what happened to it."""
        return Call(SharedContextDetail, (row_id,))

    @operation("PATCH", "/api/admin/shared-context/{row_id}")
    def change(
        self,
        row_id: Id,
        version: int | None = None,
        *,
        type: str | None = None,
        content: str | None = None,
        context: str | None = _KEEP,
        agent_id: Id | None = _KEEP,
        entity_type_id: Id | None = _KEEP,
        pinned: bool | None = None,
        active: bool | None = None,
        reason: str | None = None,
    ) -> Call[SharedContext]:
        """`version` is the one that was read; what is left out stays as it is. With None as its agent or entity type it holds
        for all of them."""
        optional = {
            "version": version,
            "type": type,
            "content": content,
            "pinned": pinned,
            "active": active,
            "reason": reason,
        }
        scoped = {"context": context, "agent_id": agent_id, "entity_type_id": entity_type_id}
        changed = {name: value for name, value in scoped.items() if value is not _KEEP}
        return Call(SharedContext, (row_id,), body=given(optional) | changed)

    @operation("DELETE", "/api/admin/shared-context/{row_id}")
    def delete(self, row_id: Id) -> Call[None]:
        return Call(None, (row_id,))

    @operation("POST", "/api/admin/shared-context/{row_id}/approve")
    def approve(
        self,
        row_id: Id,
        reason: str | None = None,
        *,
        version: int | None = None,
        content: str | None = None,
        context: str | None = None,
    ) -> Call[SharedContext]:
        """`content` puts it into words first; `version` is the one that was read, here and in the steps below."""
        body = given({"version": version, "reason": reason, "content": content, "context": context})
        return Call(SharedContext, (row_id,), body=body)

    @operation("POST", "/api/admin/shared-context/{row_id}/dismiss")
    def dismiss(
        self, row_id: Id, reason: str | None = None, *, version: int | None = None
    ) -> Call[SharedContext]:
        return Call(SharedContext, (row_id,), body=given({"version": version, "reason": reason}))

    @operation("POST", "/api/admin/shared-context/{row_id}/shadow")
    def shadow(
        self, row_id: Id, reason: str | None = None, *, version: int | None = None
    ) -> Call[SharedContext]:
        return Call(SharedContext, (row_id,), body=given({"version": version, "reason": reason}))

    @operation("POST", "/api/admin/shared-context/{row_id}/retire")
    def retire(
        self, row_id: Id, reason: str | None = None, *, version: int | None = None
    ) -> Call[SharedContext]:
        return Call(SharedContext, (row_id,), body=given({"version": version, "reason": reason}))

    @operation("POST", "/api/admin/shared-context/{row_id}/undo")
    def undo(
        self,
        row_id: Id,
        reason: str | None = None,
        *,
        entry_id: Id | None = None,
        version: int | None = None,
    ) -> Call[SharedContext]:
        """Take the last decision about it back: one's own, or the one of its history that is named."""
        body = {"version": version, "reason": reason, "entry_id": entry_id}
        return Call(SharedContext, (row_id,), body=given(body))

    @operation("POST", "/api/admin/shared-context/{row_id}/support")
    def review_support(
        self, row_id: Id, feedback_ids: Sequence[Id], *, dismissed: bool, review_notes: str | None = None
    ) -> Call[SupportReviewed]:
        """Dismiss feedback that it rests on, or restore it, whoever reviewed it before."""
        body = {"feedback_ids": list(feedback_ids), "dismissed": dismissed, "review_notes": review_notes}
        return Call(SupportReviewed, (row_id,), body=given(body))

    @operation("GET", "/api/admin/shared-context/{row_id}/neighbours")
    def neighbours(self, row_id: Id) -> Call[Neighbours]:
        return Call(Neighbours, (row_id,))

    @listing("/api/admin/shared-context/{row_id}/value")
    def values(self, row_id: Id) -> Call[Page[MeasuredValue]]:
        """What a row was measured to change each time, newest first."""
        return Call(Page[MeasuredValue], (row_id,))

    @operation("POST", "/api/admin/shared-context/{row_id}/keep-both")
    def keep_both(self, row_id: Id, other_id: Id) -> Call[Neighbours]:
        return Call(Neighbours, (row_id,), body={"other_id": other_id})

    @operation("POST", "/api/admin/shared-context/{row_id}/diff")
    def diff(
        self,
        row_id: Id,
        *,
        state: str | None = None,
        type: str | None = None,
        content: str | None = None,
        context: str | None = _KEEP,
        agent_id: Id | None = _KEEP,
        entity_type_id: Id | None = _KEEP,
        pinned: bool | None = None,
    ) -> Call[PromptChange]:
        """What a change would do to prompts. Nothing is changed."""
        body = given({"state": state, "type": type, "content": content, "pinned": pinned})
        scoped = {"context": context, "agent_id": agent_id, "entity_type_id": entity_type_id}
        changed = {name: value for name, value in scoped.items() if value is not _KEEP}
        return Call(PromptChange, (row_id,), body=body | changed)

    @listing("/api/admin/shared-context/{row_id}/sessions")
    def sessions(self, row_id: Id) -> Call[Page[SessionWithRow]]:
        """Those that had it in their prompts, with what they wrote into records."""
        return Call(Page[SessionWithRow], (row_id,))

    @operation("POST", "/api/admin/shared-context/proposals")
    def propose(self, group_id: Id) -> Call[Proposed]:
        """From a group of feedback, in its own words."""
        return Call(Proposed, body={"group_id": group_id})

    @operation("POST", "/api/admin/shared-context/{row_id}/strengthen")
    def strengthen(self, row_id: Id, group_id: Id, *, anyway: bool = False) -> Call[SharedContext]:
        """`anyway` also where the group names other numbers or names than a correction."""
        return Call(SharedContext, (row_id,), body={"group_id": group_id, "anyway": anyway})

    @operation("GET", "/api/admin/shared-context/settings")
    def settings(self) -> Call[KnowledgeSettings]:
        return Call(KnowledgeSettings)

    @operation("PUT", "/api/admin/shared-context/settings")
    def change_settings(self, *, review: bool = False, activates: bool = False) -> Call[KnowledgeSettings]:
        """`review` has the review agent work every hour in which feedback waits."""
        return Call(KnowledgeSettings, body={"review": review, "activates": activates})

    @operation("POST", "/api/memories")
    def remember(self, content: str) -> Call[Memory]:
        """About whoever asks; it reaches nobody else's prompts."""
        return Call(Memory, body={"content": content})

    @listing("/api/memories")
    def memories(self) -> Call[Page[Memory]]:
        return Call(Page[Memory])

    @operation("DELETE", "/api/memories/{memory_id}")
    def forget(self, memory_id: Id) -> Call[None]:
        return Call(None, (memory_id,))
