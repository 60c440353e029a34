"""The commands `goldloop migrate up`, `down` and `status`."""

import argparse

from goldloop.cli.opening import opened_connection
from goldloop.cli.output import Exit, Output
from goldloop.migrations import runner as migrations


async def migrate_up(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_connection(arguments) as connection:
        ran = await migrations.up(connection)
    names = [f"{m.version:04}_{m.name}" for m in ran]
    output.result({"applied": names}, "\n".join(f"applied {n}" for n in names) or "nothing to apply")


async def migrate_down(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_connection(arguments) as connection:
        applied = (await migrations.status(connection)).applied
        target = arguments.to if arguments.to is not None else max(applied, default=0) - 1
        undone = await migrations.down(connection, max(target, 0))
    names = [f"{m.version:04}_{m.name}" for m in undone]
    output.result({"undone": names}, "\n".join(f"undid {n}" for n in names) or "nothing to undo")


async def migrate_status(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_connection(arguments) as connection:
        state = await migrations.status(connection)
    output.result(
        {
            "current": state.current,
            "usable": state.usable,
            "applied": state.applied,
            "pending": state.pending,
            "unknown": state.unknown,
        },
        f"applied: {state.applied}\npending: {state.pending}\nschema is {describe_schema(state)}",
    )
    if not state.usable:
        raise SystemExit(Exit.FAILED)


def describe_schema(state: migrations.Status) -> str:
    if state.current:
        return "current"
    if state.usable:
        return f"that of a newer version (unknown {state.unknown}), beside which this one goes on: upgrade it soon"
    if state.refused:
        return f"newer than this version can work on: {state.refused}"
    return f"not current (pending {state.pending}, unknown {state.unknown}): run `goldloop migrate up`"
