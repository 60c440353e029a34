"""Events of archives."""

from goldloop.archives.permissions import ARCHIVES_MANAGE
from goldloop.jobs.model import RunStatus
from goldloop.kit.events import NoPayload, Payload, declare, topic

ARCHIVES = topic("archives", read_by=ARCHIVES_MANAGE)


class ArchiveEnded(Payload, frozen=True, kw_only=True):
    """`status` is done, failed or cancelled; `rows` were written."""

    status: RunStatus
    rows: int


class ArchiveDownloaded(Payload, frozen=True, kw_only=True):
    """The bytes from `start` up to `end` were asked for: a download that goes on asks for the rest."""

    start: int
    end: int


class ArchiveImported(Payload, frozen=True, kw_only=True):
    """`slug` is that of the workspace which was exported."""

    slug: str
    rows: int


STARTED = declare(
    "archive.started",
    topic=ARCHIVES,
    subject="archive",
    payload=NoPayload,
    when="Somebody asked for an archive of the workspace",
)
ENDED = declare(
    "archive.ended",
    topic=ARCHIVES,
    subject="archive",
    payload=ArchiveEnded,
    when="An archive was written, failed or was cancelled",
)
DOWNLOADED = declare(
    "archive.downloaded",
    topic=ARCHIVES,
    subject="archive",
    payload=ArchiveDownloaded,
    when="Somebody downloaded an archive, or a part of it",
)
REMOVED = declare(
    "archive.removed",
    topic=ARCHIVES,
    subject="archive",
    payload=NoPayload,
    when="Somebody deleted an archive",
)
IMPORTED = declare(
    "workspace.imported",
    topic=ARCHIVES,
    subject="workspace",
    payload=ArchiveImported,
    when="The workspace was made of an archive",
)
