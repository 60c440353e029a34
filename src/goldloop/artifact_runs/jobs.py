"""The job that scores a run's records: batch by batch, each in transactions of its own, so that a worker that dies loses
one batch at most and the next goes on from there."""

import asyncio
from uuid import UUID

from goldloop.artifact_runs import service
from goldloop.artifact_runs.judges import Judges
from goldloop.kit.db import Actor, Database
from goldloop.kit.queue import job


@job(service.JOB)
async def score(db: Database, actor: Actor, *, run_id: str) -> None:
    async with db.tx(actor) as tx:
        plan = await service.begin(tx, UUID(run_id))
    if plan is not None:
        await _judge(db, actor, plan)
    more = True
    while more:
        async with db.tx(actor) as tx:
            more = await service.drop_old_results(tx, UUID(run_id))


async def _judge(db: Database, actor: Actor, begun: service.Plan) -> None:
    plan: service.Plan | None = begun
    judges = Judges(begun.task)
    try:
        while plan is not None:
            async with db.tx(actor) as tx:
                rows = await service.next_records(tx, plan)
            verdicts = await asyncio.to_thread(judges.judge, rows)
            async with db.tx(actor) as tx:
                plan = await service.keep(tx, plan, verdicts, more=bool(rows), fault=judges.fault)
    finally:
        judges.close()
