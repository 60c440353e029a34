"""The use case: records of a table, all of them in one transaction or none."""

from uuid import UUID

from goldloop.entities.imports.model import RecordImport, RecordPreview, RowFault
from goldloop.entities.imports.table import BadTable, ReadRow, ReadTable, read_table, without_empty
from goldloop.entities.model import EntityExists
from goldloop.entities.permissions import ENTITIES_CREATE
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.errors import MOST_FAULTS, InvalidInput
from goldloop.kit.json_equality import same_json

SHOWN = 20  # records of a preview


class NotImported(Exception):
    """Nothing of the transaction is to stay: there was a fault, or only a look was asked for."""

    def __init__(self, report: RecordImport) -> None:
        super().__init__()
        self.report = report


async def import_records(tx: Tx, slug: str, text: str, *, dry_run: bool) -> RecordImport:
    """Makes the records to see whether they can be made. Raises NotImported, with what would have come of it, where they are
    not to stay."""
    tx.actor.check(ENTITIES_CREATE)
    entity_type = await records.access_type(tx, slug)
    try:
        table = read_table(text, slug, entity_type.json_schema)
    except BadTable as error:
        raise InvalidInput.at("/text", "bad_file", str(error)) from error
    faults = list(table.faults)
    wrong = {fault.row for fault in faults}
    made: list[RecordPreview] = []
    ids: list[UUID] = []
    for row in table.rows:
        if row.place in wrong or 1 in wrong:
            continue
        try:
            existing, record_id = await _make(tx, slug, row)
        except InvalidInput as error:
            faults += _faults(row, error)
        except EntityExists:
            faults.append(_fault(row, "id", "entity_exists", "There is another record with this id"))
        else:
            ids.append(record_id)
            made.append(RecordPreview(row=row.place, title=row.title, content=row.content, existing=existing))
    report = _report(slug, table, made, ids, faults, imported=not dry_run and not faults)
    if not report.imported:
        raise NotImported(report)
    return report


async def _make(tx: Tx, slug: str, row: ReadRow) -> tuple[bool, UUID]:
    """Whether it was there already, just so as far as a table tells."""
    try:
        found = await records.create_or_find(tx, row.id, slug, row.title, row.content)
    except EntityExists:
        if row.id is None or not await _is_there(tx, row.id, slug, row):
            raise
        return True, row.id
    return not found.is_new, found.entity.id


async def _is_there(tx: Tx, record_id: UUID, slug: str, row: ReadRow) -> bool:
    there = await records.access(tx, record_id)
    return same_json([there.type, there.title, without_empty(there.content)], [slug, row.title, row.content])


def _faults(row: ReadRow, error: InvalidInput) -> list[RowFault]:
    """A fault in a field is one in its column."""
    if not error.errors:
        return [_fault(row, None, error.code, error.detail)]
    return [_fault(row, _column(each.path), each.code, each.message) for each in error.errors]


def _column(path: str) -> str | None:
    parts = path.split("/")
    return (
        parts[2].replace("~1", "/").replace("~0", "~") if len(parts) > 2 and parts[1] == "content" else None
    )


def _fault(row: ReadRow, column: str | None, code: str, message: str) -> RowFault:
    return RowFault(row=row.place, column=column, code=code, message=message)


def _report(
    slug: str,
    table: ReadTable,
    made: list[RecordPreview],
    ids: list[UUID],
    faults: list[RowFault],
    *,
    imported: bool,
) -> RecordImport:
    existing = sum(each.existing for each in made)
    ordered = sorted(faults, key=lambda fault: fault.row)
    return RecordImport(
        type=slug,
        imported=imported,
        rows=len(table.rows),
        new=len(made) - existing,
        existing=existing,
        columns=table.columns,
        left_out=table.left_out,
        errors=ordered[:MOST_FAULTS],
        errors_omitted=max(0, len(ordered) - MOST_FAULTS),
        preview=made[:SHOWN],
        ids=ids if imported else [],
    )
