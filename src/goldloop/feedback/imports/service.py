"""Use cases of importing: read a file row by row, say what would come of it, write it batch by batch."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from uuid import UUID, uuid5

import msgspec

from goldloop.feedback.imports import store
from goldloop.feedback.imports.formats import FORMATS, Format, Item, Open
from goldloop.feedback.imports.kind_service import ImportKind, Unmapped, Written, register
from goldloop.feedback.imports.readers import Row
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.feedback.ratings import Rule
from goldloop.kit.db import Tx
from goldloop.kit.events import dispatch

BATCH = 500  # rows of one transaction
FIRST_REJECTS = 5
PREVIEWED = 20
MOST_NAMES = 200  # that are listed


class Reject(msgspec.Struct, frozen=True, kw_only=True):
    place: int
    reason: str


class UnmappedName(msgspec.Struct, frozen=True, kw_only=True):
    """A name that no rule covers: how often it is there, and values of it."""

    name: str
    count: int
    examples: list[str]


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a file, or with `dry_run` would. `unmapped` rows were left out, unless the rest is to be neutral."""

    kind: str
    dry_run: bool
    read: int
    new: int
    existing: int
    left_out: int
    rejected: int
    rejects: list[Reject]
    unmapped: list[UnmappedName]
    preview: list[dict[str, Any]]


class Import:
    """One file on its way in. It holds counts and a few examples, never the file."""

    def __init__(
        self, kind: ImportKind, rules: Mapping[str, Rule], *, neutral_rest: bool, dry_run: bool
    ) -> None:
        self.kind, self.rules = kind, rules
        self.neutral_rest, self.dry_run = neutral_rest, dry_run
        self._counts: Counter[str] = Counter()
        self._rejects: list[Reject] = []
        self._names: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._preview: list[dict[str, Any]] = []
        self._places: list[int] = []  # of the items of the batch that was read last

    def batches(self, rows: Iterator[Row]) -> Iterator[list[Any]]:
        while batch := list(islice(rows, BATCH)):
            items = [(row.place, item) for row in batch for item in self._read(row)]
            self._places = [place for place, _ in items]
            yield [item for _, item in items]

    def _read(self, row: Row) -> list[Any]:
        self._counts["read"] += 1
        if row.values is None:
            return self._reject(row.place, row.fault)
        try:
            item = self.kind.read(row.values, self.rules)
        except (ValueError, TypeError) as error:
            return self._reject(row.place, str(error))
        if isinstance(item, Unmapped):
            self._note(item)
            if not self.neutral_rest:
                self._counts["left_out"] += 1
                return []
            item = item.item
        if len(self._preview) < PREVIEWED:
            self._preview.append(self.kind.show(item))
        return [item]

    def _reject(self, place: int, reason: str) -> list[Any]:
        self._counts["rejected"] += 1
        if len(self._rejects) < FIRST_REJECTS:
            self._rejects.append(Reject(place=place, reason=reason[:300]))
        return []

    def _note(self, unmapped: Unmapped) -> None:
        if unmapped.name in self._names or len(self._names) < MOST_NAMES:
            self._names[unmapped.name] += 1
            examples = self._examples.setdefault(unmapped.name, [])
            if len(examples) < FIRST_REJECTS and unmapped.example not in examples:
                examples.append(unmapped.example)

    async def take(self, tx: Tx, batch: Sequence[Any]) -> None:
        tx.actor.check(self.kind.permission)
        if batch:
            done: Written = await (self.kind.count if self.dry_run else self.kind.write)(tx, batch)
            self._counts.update(new=done.new, existing=done.existing)
            for place, reason in done.rejects:
                self._reject(self._places[place], reason)

    def report(self) -> ImportReport:
        counts = {name: self._counts[name] for name in ("read", "new", "existing", "left_out", "rejected")}
        return ImportReport(
            kind=self.kind.name,
            dry_run=self.dry_run,
            **counts,
            rejects=self._rejects,
            unmapped=[
                UnmappedName(name=name, count=count, examples=self._examples[name])
                for name, count in self._names.most_common()
            ],
            preview=self._preview,
        )


def source_key(kind: str, item: Item) -> str:
    return f"import:{kind}:{item.key}"[:500]


def _feedback_kind(name: str, read: Format) -> ImportKind:
    def read_row(row: dict[str, Any], rules: Mapping[str, Rule]) -> Item | Unmapped:
        found = read(row, rules)
        return Unmapped(*found) if isinstance(found, Open) else found

    async def count(tx: Tx, items: Sequence[Item]) -> Written:
        keys = [source_key(name, item) for item in items]
        there = await store.existing(tx, keys)
        new = len(set(keys) - there)
        return Written(new, len(keys) - new)

    async def write(tx: Tx, items: Sequence[Item]) -> Written:
        added, event = await store.write(tx, name, await _rows(tx, name, items))
        if event is not None:
            await dispatch(tx, event)
        return Written(added, len(items) - added)

    return ImportKind(
        name=name, permission=FEEDBACK_REVIEW, read=read_row, count=count, write=write, show=_shown
    )


def _shown(item: Item) -> dict[str, Any]:
    names = ("source_type", "rating", "comment", "context", "created_at", "status", "end_user", "machine")
    shown: dict[str, Any] = msgspec.to_builtins({name: getattr(item, name) for name in names})
    return shown


async def _rows(tx: Tx, kind: str, items: Sequence[Item]) -> list[dict[str, Any]]:
    """With what they are about looked up; what is not there is kept in the context alone."""
    named = await store.sessions_named(tx, sorted({trace for item in items for trace in item.traces}))
    types = await store.types_of(tx, _ids(item.entity_id for item in items))
    retried = await store.tried_again(tx, _ids(item.response_id for item in items))
    agents = await store.agents_there(tx, _ids(item.agent for item in items))
    members = await store.members_there(tx, _ids(item.user for item in items))
    rows = []
    for item in items:
        key = source_key(kind, item)
        session = next((named[trace] for trace in item.traces if trace in named), None)
        entity_id = next(
            (i for i in _ids([item.entity_id]) if i in types), session.entity_id if session else None
        )
        response_id = next(iter(_ids([item.response_id])), None)
        member = next((i for i in _ids([item.user]) if i in members), None)
        agent_id = next((i for i in _ids([item.agent]) if i in agents), session.agent_id if session else None)
        said_by = (
            f"user:{member}" if member
            else f"end_user:{item.end_user or item.user}" if item.end_user or item.user
            else f"import:{kind}"
        )  # fmt: skip
        rows.append(
            {
                "id": uuid5(tx.actor.tenant_id, key),
                "source_key": key,
                "source_type": item.source_type,
                "rating": item.rating,
                "comment": item.comment,
                "context": item.context,
                "origin_actor": None if item.machine else said_by,
                "origin_artefact": item.artefact or key,
                "created_by": member,
                "session_id": session.id if session else None,
                "entity_id": entity_id,
                "agent_id": agent_id,
                "entity_type": types.get(entity_id) if entity_id else None,
                "response_id": response_id,
                "end_user": None if member else item.end_user or item.user,
                "created_at": item.created_at,
                "status": "applied" if response_id in retried else item.status,
            }
        )
    return rows


def _ids(texts: Any) -> list[UUID]:
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except (ValueError, TypeError, AttributeError):
            continue
    return found


for _name, _read in FORMATS.items():
    register(_feedback_kind(_name, _read))
