"""The commands `goldloop repair` and `goldloop otlp derive`, which have a worker make anew what is derived."""

import argparse
import re
from uuid import UUID

from goldloop.claims import service as claims
from goldloop.cli.opening import opened_database, tenant_of
from goldloop.cli.output import Output
from goldloop.kit.errors import InvalidInput, NotFound
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import enqueue, set_marks
from goldloop.otlp import service as otlp
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspace_store


async def repair(arguments: argparse.Namespace, output: Output) -> None:
    """Queued, not done here: a worker does it, with progress and failures where those of other jobs are."""
    tenants: list[UUID] = []
    async with opened_database(arguments) as db:
        if arguments.tenant:
            found = await workspace_store.find_id(db, arguments.tenant)
            if found is None:
                raise NotFound(f"there is no workspace {arguments.tenant}")
            tenants = [found]
        else:
            while batch := await workspace_store.ids(db, tenants[-1] if tenants else None, 1000):
                tenants += batch
        for tenant_id in tenants:
            async with db.tx(system_actor(tenant_id, "command line")) as tx:
                await enqueue(tx, "criteria.repair", {})
                await set_marks(tx, "responses.summaries", [str(FIRST_ID)])
                await enqueue(tx, "edges.repair", {})
                await claims.repair(tx)
    output.result(
        {"workspaces": len(tenants)}, f"queued for {len(tenants)} workspaces; a worker repairs them"
    )


async def otlp_derive(arguments: argparse.Namespace, output: Output) -> None:
    """Marked, not done here: a worker does it. What is there already is not added again."""
    async with opened_database(arguments) as db:
        if arguments.trace:
            async with tenant_of(db, arguments.tenant) as tx:
                if not await otlp.mark_anew(tx, _trace_id(arguments.trace)):
                    raise NotFound(f"no spans of {arguments.trace} are stored")
            output.result({"traces": 1}, "marked; a worker derives it")
            return
        count = 0
        after: bytes | None = b""
        while after is not None:
            async with tenant_of(db, arguments.tenant) as tx:
                marked, after = await otlp.mark_all_anew(tx, after)
            count += marked
    output.result({"traces": count}, f"marked {count} traces; a worker derives them")


def _trace_id(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        raise InvalidInput(f"{text} is not the id of a trace: 32 hexadecimal digits")
    return bytes.fromhex(text)
