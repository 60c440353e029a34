"""`goldloop import KIND` and `goldloop quality-loop`: feedback from elsewhere, and how well rejections lead to acceptance."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from goldloop.cli.opening import opened_database, tenant_actor
from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.feedback.imports.kind_service import access_kind
from goldloop.feedback.imports.readers import BadFile, read_rows
from goldloop.feedback.imports.service import Import, ImportReport
from goldloop.feedback.loop import fixtures
from goldloop.feedback.loop import service as loop
from goldloop.feedback.loop.report import QualityLoopReport, as_text, report
from goldloop.feedback.ratings import BadRule, parse_rule

CHUNK = 1 << 20  # bytes of a file that are read at once


async def import_feedback(arguments: argparse.Namespace, output: Output) -> None:
    named, file = arguments.names
    kind = access_kind(named)
    try:
        rules = dict(map(parse_rule, arguments.rule or []))
    except BadRule as error:
        raise CommandError(str(error), Exit.USAGE, "bad_rule") from error
    importing = Import(kind, rules, neutral_rest=arguments.neutral_rest, dry_run=arguments.dry_run)
    async with opened_database(arguments) as db:
        actor = await tenant_actor(db, arguments.tenant)
        try:
            for batch in importing.batches(read_rows(_chunks(file))):
                async with db.tx(actor) as tx:
                    await importing.take(tx, batch)
        except BadFile as error:
            raise CommandError(str(error), Exit.FAILED, "bad_file") from error
    found = importing.report()
    output.result(msgspec.to_builtins(found), _import_text(found))


def _chunks(name: str) -> Iterator[bytes]:
    if name == "-":
        yield from _read(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as file:
            yield from _read(file)
    except OSError as error:
        raise CommandError(f"cannot read {name}: {error.strerror}", Exit.USAGE, "cannot_read") from error


def _read(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _import_text(found: ImportReport) -> str:
    would = "would be " if found.dry_run else ""
    lines = [
        f"{found.read} rows: {found.new} {would}new, {found.existing} there already, {found.left_out} left out, "
        f"{found.rejected} not readable"
    ]
    lines += [f"  row {reject.place}: {reject.reason}" for reject in found.rejects]
    if found.unmapped:
        rows = [(each.name, each.count, ", ".join(each.examples)) for each in found.unmapped]
        lines += [
            "names without a rule (--rule NAME=…, or --neutral-rest):",
            table(["name", "rows", "values"], rows),
        ]
    return "\n".join(lines)


async def quality_loop(arguments: argparse.Namespace, output: Output) -> None:
    if arguments.tenant is None:
        found = report(list(fixtures.attempts()))
    else:
        found = await _of_workspace(arguments)
    answer: dict[str, Any] = msgspec.to_builtins(found)
    output.result(answer, as_text(found))


async def _of_workspace(arguments: argparse.Namespace) -> QualityLoopReport:
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        return await loop.read(tx, None, None)
