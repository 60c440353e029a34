"""Calls tools in the name of an actor, one transaction each: what the routes, MCP and whoever else offers them share. Infrastructure."""

from typing import Any

from goldloop.kit.db import Actor, Database
from goldloop.kit.errors import Forbidden, GoldloopError, Unauthenticated
from goldloop.kit.http import read_as
from goldloop.kit.tools import TOOLS, Tool


def offered(actor: Actor) -> list[Tool]:
    """The tools that somebody may use."""
    return [tool for tool in TOOLS.values() if actor.may(tool.permission)]


async def call(db: Database, actor: Actor, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """The tool's own failure is an answer with `error`; arguments that cannot be read are too."""
    actor.check(tool.permission)
    try:
        read = read_as(arguments, tool.arguments)
        async with db.tx(actor) as tx:
            return await tool.run(tx, read)
    except (Forbidden, Unauthenticated):
        raise
    except GoldloopError as error:
        if error.status >= 500:
            raise
        return {"error": "; ".join([error.detail, *(f"{f.path}: {f.message}" for f in error.errors)])}
