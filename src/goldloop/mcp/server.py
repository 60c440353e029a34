"""Speaks MCP by its SDK: lists the tools that a caller may use, and calls them. Infrastructure.

What the SDK loads takes a second, so it is loaded with the first request and not at the start.
"""

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import msgspec

from goldloop import __version__
from goldloop.kit.db import Actor, Database
from goldloop.kit.tools import Tool
from goldloop.tools.calls import call, offered

INSTRUCTIONS = (
    "Goldloop keeps records and what people and agents propose for them. Read records with searchEntities and getEntity; "
    "propose values with submitResponse: a person reviews them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, and the groups that the address narrows the tools to; None for all."""

    actor: Actor
    db: Database
    groups: frozenset[str] | None


CALLER: ContextVar[Caller] = ContextVar("caller")


def tools_for(caller: Caller) -> list[Tool]:
    return [tool for tool in offered(caller.actor) if caller.groups is None or tool.group in caller.groups]


class McpEndpoint:
    """One for a process. The SDK's own tasks live in one of ours, until the process ends."""

    def __init__(self) -> None:
        self._starting: asyncio.Task[Any] | None = None
        self._serving: asyncio.Task[None] | None = None

    async def handle(self, caller: Caller, scope: Any, receive: Any, send: Any) -> None:
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        manager = await asyncio.shield(self._starting)
        token = CALLER.set(caller)
        try:
            await manager.handle_request(scope, receive, send)
        finally:
            CALLER.reset(token)

    async def _start(self) -> Any:
        manager = await asyncio.to_thread(_make_manager)
        ready = asyncio.Event()

        async def serve() -> None:
            async with manager.run():
                ready.set()
                await asyncio.Event().wait()

        self._serving = asyncio.create_task(serve())
        await ready.wait()
        return manager


def _make_manager() -> Any:
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    server: Server[Any] = Server(
        "goldloop",
        version=__version__,
        title="Goldloop",
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )
    # A key is asked for at every call, so a page of another origin has nothing to ride on; the check of the host would
    # refuse every name but localhost.
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return StreamableHTTPSessionManager(
        app=server, stateless=True, json_response=True, security_settings=open_to_all
    )


async def _list_tools(context: Any, parameters: Any) -> Any:
    from mcp_types import ListToolsResult

    return ListToolsResult(tools=[_described(tool) for tool in tools_for(CALLER.get())])


def _described(tool: Tool) -> Any:
    from mcp_types import Tool as Described
    from mcp_types import ToolAnnotations

    return Described(
        name=tool.name,
        description=tool.description,
        input_schema=plain_schema(tool.arguments),
        output_schema=plain_schema(tool.result),
        annotations=ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=False,
            idempotent_hint=tool.is_repeatable,
            open_world_hint=False,
        ),
    )


def plain_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """A JSON Schema whose root is the object itself, without a title: some clients read no reference there."""
    schema = msgspec.json.schema(kind)
    definitions = dict(schema.get("$defs", {}))
    root = schema
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        root = definitions[name]
        if not _refers_to(definitions, name):
            definitions.pop(name)
    found = {key: value for key, value in root.items() if key not in ("title", "$defs")}
    return found | ({"$defs": definitions} if definitions else {})


def _refers_to(definitions: dict[str, Any], name: str) -> bool:
    return f'#/$defs/{name}"' in msgspec.json.encode(definitions).decode()


async def _call_tool(context: Any, parameters: Any) -> Any:
    from mcp_types import CallToolResult, TextContent

    caller = CALLER.get()
    tool = next((tool for tool in tools_for(caller) if tool.name == parameters.name), None)
    if tool is None:  # one that there is not and one that the caller may not use answer alike
        return CallToolResult(
            content=[TextContent(type="text", text=f"There is no tool {parameters.name}")], is_error=True
        )
    answer = await call(caller.db, caller.actor, tool, parameters.arguments or {})
    failed = "error" in answer
    text = str(answer["error"]) if failed else msgspec.json.encode(answer).decode()
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=None if failed else answer,
        is_error=failed,
    )
