"""Archives of a workspace: everything that it owns in one file. Importing one is an act of the operator (`goldloop import`)."""

from goldloop.client.archive_types import Archive
from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id


class ArchiveMethods(Resource[Kind]):
    @operation("POST", "/api/archives", safe=True)
    def start(self, *, id: Id | None = None) -> Call[Archive]:
        """Has one written in the background; look at it with `show` until its `status` is `done`. It is downloaded from
        `/api/archives/{id}/file`, also in pieces by a Range header."""
        return Call(Archive, body={"id": id or new_id()})

    @listing("/api/archives")
    def list(self) -> Call[Page[Archive]]:
        """Newest first."""
        return Call(Page[Archive])

    @operation("GET", "/api/archives/{archive_id}")
    def show(self, archive_id: Id) -> Call[Archive]:
        return Call(Archive, (archive_id,))

    @operation("POST", "/api/archives/{archive_id}/cancel", safe=True)
    def cancel(self, archive_id: Id) -> Call[Archive]:
        return Call(Archive, (archive_id,))

    @operation("DELETE", "/api/archives/{archive_id}")
    def remove(self, archive_id: Id) -> Call[None]:
        return Call(None, (archive_id,))
