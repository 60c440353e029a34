"""The commands `goldloop job list`, `show`, `retry` and `cancel`."""

import argparse

import msgspec

from goldloop.cli.opening import checked_id, opened_tenant
from goldloop.cli.output import Output, table
from goldloop.jobs import service as jobs
from goldloop.jobs.model import JobDetail, JobStatus


async def job_list(arguments: argparse.Namespace, output: Output) -> None:
    status = JobStatus(arguments.status) if arguments.status else None
    async with opened_tenant(arguments) as tx:
        page = await jobs.list_jobs(tx, status, None, max(1, min(arguments.limit, 1000)))
    rows = [
        (
            j.id,
            j.title,
            j.status,
            f"{j.attempts}/{j.max_attempts}",
            j.queued_at,
            j.error.message if j.error else "",
        )
        for j in page.data
    ]
    output.result(
        {"data": msgspec.to_builtins(page.data), "next_cursor": page.next_cursor},
        table(("ID", "WHAT", "STATUS", "RUNS", "QUEUED", "WHY"), rows) if rows else "no jobs",
    )


async def job_show(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_tenant(arguments) as tx:
        job = await jobs.access(tx, checked_id(arguments.id))
    output.result(msgspec.to_builtins(job), _describe(job))


async def job_retry(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_tenant(arguments) as tx:
        job = await jobs.retry(tx, checked_id(arguments.id))
    output.result(msgspec.to_builtins(job), f"{job.name} is queued again")


async def job_cancel(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_tenant(arguments) as tx:
        job = await jobs.cancel(tx, checked_id(arguments.id))
    output.result(
        msgspec.to_builtins(job),
        f"{job.name} is {'cancelled' if job.status == 'cancelled' else 'asked to stop'}",
    )


def _describe(job: JobDetail) -> str:
    lines = [
        f"{job.title} ({job.name}, {job.id})",
        f"status {job.status}, run {job.attempts} of {job.max_attempts}",
        f"args {job.args}",
    ]
    lines += [job.advice] if job.advice else []
    lines += [f"{f.at} run {f.attempt}: {f.type}: {f.message}" for f in job.failures]
    return "\n".join(lines)
