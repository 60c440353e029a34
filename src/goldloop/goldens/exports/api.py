"""The route of exports: `/api/admin/evals/sets/{golden_set_id}/export`."""

from uuid import UUID

import msgspec
from litestar import Router, get

from goldloop.evals.replay.tape import Mode
from goldloop.goldens.cases.store import UsualAgent
from goldloop.goldens.exports import service
from goldloop.goldens.exports.exported_sessions import exported_session, without_prompts
from goldloop.goldens.exports.model import ExportedGolden, GoldenExport
from goldloop.goldens.model import EventsLost, Golden, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_READ
from goldloop.goldens.replays import service as replays
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs.model import Passes
from goldloop.goldens.runs.replay_store import SIBLINGS
from goldloop.kit.db import Actor, Database
from goldloop.kit.http import Db, PathId, Ports, problems
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import PAGE_BYTES, encode_pair
from goldloop.kit.parameters import Cursor
from goldloop.sessions import service as sessions
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.sessions.whole_sessions import PayloadLost, read_whole_session
from goldloop.tenants.auth.api import Who, needs


@get(
    "/sets/{golden_set_id:uuid}/export",
    opt=needs(EVALS_READ, SESSIONS_READ),
    responses=problems(GoldenSetNotFound, EventsLost),
    summary="Goldens of a set whole, to be replayed without a server",
)
async def export_golden_set(
    golden_set_id: PathId, db: Db, outside: Ports, actor: Who, cursor: Cursor = None
) -> GoldenExport:
    """Oldest first, as many as a few megabytes hold. What is remembered about people and what models were asked are left out."""
    try:
        return await _export_page(db, outside, actor, golden_set_id, cursor)
    except PayloadLost as error:
        raise EventsLost from error


async def _export_page(
    db: Database, outside: Outside, actor: Actor, set_id: UUID, cursor: str | None
) -> GoldenExport:
    """It ends after so many goldens or bytes, and has at least one. Raises PayloadLost."""
    async with db.reading().tx(actor) as tx:
        found = await service.next_goldens(tx, set_id, cursor)
    exported: list[ExportedGolden] = []
    size, last = 0, None
    for golden in found.goldens[: service.MOST_GOLDENS]:
        if size >= PAGE_BYTES:
            break
        exported.append(await _read_golden(db, outside, actor, golden, found.baseline))
        size += len(msgspec.json.encode(exported[-1]))
        last = golden
    has_more = last is not None and len(exported) < len(found.goldens)
    return GoldenExport(
        set=found.set.name,
        version=found.set.version,
        # Files are replayed from recordings alone, and the noise floor was not.
        baseline=f"{found.baseline.slug} v{found.baseline.version} ({Mode.HYBRID})"
        if found.baseline
        else None,
        goldens=exported,
        next_cursor=encode_pair(last.promoted_at, last.session_id) if last and has_more else None,
    )


async def _read_golden(
    db: Database, outside: Outside, actor: Actor, golden: Golden, baseline: UsualAgent | None
) -> ExportedGolden:
    async with db.reading().tx(actor) as tx:
        frozen = await replays.access_frozen(tx, golden.session_id)
        others = await runs.find_siblings(tx, golden.session_id, golden.revision)
        accepted = [await sessions.access(tx, each) for each in golden.alternatives]
        passed = [await sessions.access(tx, each) for each in others if each not in golden.alternatives]
        session = await sessions.access(tx, golden.session_id)
    recorded = await read_whole_session(db, outside, actor, session)
    alternatives = [await read_whole_session(db, outside, actor, each) for each in accepted]
    siblings = [
        *alternatives,
        *[
            await read_whole_session(db, outside, actor, each)
            for each in passed[: max(0, SIBLINGS - len(accepted))]
        ],
    ]
    return ExportedGolden(
        id=golden.session_id,
        note=golden.note,
        session=exported_session(
            recorded,
            alternatives,
            snapshot=frozen.snapshot,
            effects=frozen.effects,
            facts=frozen.facts,
            criteria=replays.criteria_of(frozen),
        ),
        siblings=[without_prompts(each) for each in siblings[:SIBLINGS]],
        baseline=_passes(golden, baseline),
        floor=golden.floor,
        min_pass=golden.min_pass,
    )


def _passes(golden: Golden, baseline: UsualAgent | None) -> Passes | None:
    """Of the agent that the export names; another one's say nothing about it."""
    own = baseline is not None and (golden.agent_id, golden.agent_version) == (baseline.id, baseline.version)
    if not own or golden.floor_passes is None or golden.floor_runs is None:
        return None
    return Passes(passes=golden.floor_passes, runs=golden.floor_runs)


router = Router("/api/admin/evals", route_handlers=[export_golden_set], tags=["evals"])
