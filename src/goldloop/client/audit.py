"""The audit log: who did what, when, with which key and from where."""

from collections.abc import Sequence

from goldloop.client.audit_types import AuditDetail, AuditEntry
from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id
from goldloop.client.workspace import given

_Names = Sequence[str]  # `list` is the name of a method below


class AuditMethods(Resource[Kind]):
    @listing("/api/audit")
    def list(
        self,
        *,
        name: _Names | None = None,
        topic: str | None = None,
        actor_kind: str | None = None,
        actor_id: Id | None = None,
        key_id: Id | None = None,
        subject_id: str | None = None,
        address: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Call[Page[AuditEntry]]:
        """Newest first. `name` are events, one of which it must be; `subject_id` is what it happened to."""
        names = {"name": [*name]} if name is not None else {}
        wanted = {
            "topic": topic,
            "actor_kind": actor_kind,
            "actor_id": actor_id,
            "key_id": key_id,
            "subject_id": subject_id,
            "address": address,
            "since": since,
            "until": until,
        }
        return Call(Page[AuditEntry], query=names | given(wanted))

    @operation("GET", "/api/audit/{entry_id}")
    def show(self, entry_id: Id) -> Call[AuditDetail]:
        """One entry, with what it was before and after where that is known."""
        return Call(AuditDetail, (entry_id,))
