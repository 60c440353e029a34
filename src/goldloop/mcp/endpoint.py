"""Speaks MCP by its SDK: lists the tools that a caller may use, calls them, and has what was learnt as a prompt. Infrastructure.

What the SDK imports takes a second, so it is imported with the first call and not at the start.
"""

import asyncio
import logging
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar.connection import ASGIConnection

from goldloop import __version__
from goldloop.kit.db import Database
from goldloop.kit.errors import GoldloopError, InvalidInput, MalformedRequest, RequestTooLarge
from goldloop.kit.http import as_goldloop_error, decode_body
from goldloop.kit.outside import Outside
from goldloop.kit.text import DEEPEST, is_too_deep, on_one_line
from goldloop.kit.tools import TOOLS, Tool, explained
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.knowledge.prompts.api import load as load_knowledge
from goldloop.mcp.schemas import plain_schema
from goldloop.runtimes.model import ForeignTool
from goldloop.tools.calls import Arguments, Caller, call, find_frozen_prompt

log = logging.getLogger("goldloop.mcp")

INSTRUCTIONS = (
    "Goldloop keeps records and what people and agents propose for them. Read records with searchEntities and getEntity; "
    "propose values with submitResponse: a person reviews them."
)
SHOWN_NAME = 100  # characters of a tool's name in an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class McpCall:
    """One request: who sent it, what it says, and the groups that its address narrows the tools to; None for all."""

    caller: Caller
    groups: frozenset[str] | None
    body: bytes
    db: Database
    outside: Outside

    def offered(self) -> list[Tool]:
        """Without what only a session that runs here can wait for."""
        return [tool for tool in self.caller.tools() if self._is_in_groups(tool) and not tool.waits]

    def recorded(self) -> tuple[ForeignTool, ...]:
        """Tools that are in no group, so that none is there where the address names groups."""
        return self.caller.foreign if self.groups is None else ()

    def find_tool(self, name: str) -> Tool | ForeignTool | None:
        """None alike for what there is not, what the address leaves out and what the caller may not use. The session of a run
        records that a tool was called which the run does not have."""
        if foreign := next((tool for tool in self.recorded() if tool.name == name), None):
            return foreign
        tool = TOOLS.get(name)
        if tool is None or not self._is_in_groups(tool):
            return None
        return tool if self.caller.run or self.caller.actor.may(tool.permission) else None

    def arguments(self) -> dict[str, Any]:
        """From what was sent, and not from what the SDK made of it: a fault has the same code and place as over HTTP."""
        try:
            sent = msgspec.json.decode(self.body, type=_Sent).params.arguments
        except msgspec.MsgspecError as error:
            raise MalformedRequest(f"The body is not JSON: {error}") from error
        read: dict[str, Any] = decode_body(bytes(sent), Arguments | None) or {}
        return read

    def _is_in_groups(self, tool: Tool) -> bool:
        return self.groups is None or tool.group in self.groups


class _Parameters(msgspec.Struct, frozen=True):
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class _Sent(msgspec.Struct, frozen=True):
    params: _Parameters = _Parameters()


CALL: ContextVar[McpCall] = ContextVar("call")


async def read_body(connection: ASGIConnection[Any, Any, Any, Any], receive: Any) -> bytes:
    """No larger and no deeper than that of any other route."""
    most: Any = connection.app.request_max_body_size
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise MalformedRequest("The body ended before its end")
        body += message.get("body", b"")
        if len(body) > most:
            raise RequestTooLarge
        if not message.get("more_body", False):
            break
    if is_too_deep(bytes(body)):
        raise InvalidInput.at("", "too_deep", f"A body is nested at most {DEEPEST} levels deep")
    return bytes(body)


class McpEndpoint:
    """One for a process. The SDK's own tasks live in one of ours, until the process ends."""

    def __init__(self) -> None:
        self._starting: asyncio.Task[Any] | None = None
        self._serving: asyncio.Task[None] | None = None

    async def handle(self, made: McpCall, scope: Any, receive: Any, send: Any) -> None:
        manager = await self.started()
        body: Any = {"type": "http.request", "body": made.body, "more_body": False}
        unread = [body]

        async def receive_again() -> Any:
            return unread.pop() if unread else await receive()

        token = CALL.set(made)
        try:
            await manager.handle_request(scope, receive_again, send)
        finally:
            CALL.reset(token)

    async def started(self) -> Any:
        """The SDK's part, which the first who asks starts for all."""
        if self._starting is None or _has_failed(self._starting):
            self._starting = asyncio.create_task(self._start())
        return await asyncio.shield(self._starting)

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


def _has_failed(task: asyncio.Task[Any]) -> bool:
    """What could not be started once is tried again by the next who asks."""
    return task.done() and (task.cancelled() or task.exception() is not None)


def _make_manager() -> Any:
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    server: Server[Any] = Server(
        "goldloop",
        version=__version__,
        title="Goldloop",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda name: (
            None
        ),  # no argument is sent as a header; else all are listed at each call
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    # A key is asked for at every call, so a page of another origin has nothing to ride on; the check of the host would
    # refuse every name but localhost.
    any_host = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return StreamableHTTPSessionManager(
        app=server,
        stateless=True,
        json_response=True,
        security_settings=any_host,
        max_request_body_size=2**62,  # it was read before, up to the limit of every route
    )


async def _list_tools(context: Any, parameters: Any) -> Any:
    from mcp_types import ListToolsResult

    made = CALL.get()
    ours = [_described(tool) for tool in made.offered()]
    return ListToolsResult(tools=[*ours, *(_described_as_recorded(tool) for tool in made.recorded())])


def _described_as_recorded(tool: ForeignTool) -> Any:
    from mcp_types import Tool as Described

    return Described(name=tool.name, description=tool.description, input_schema=tool.parameters)


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
            destructive_hint=False,  # what a tool writes is a proposal, or can be taken back
            idempotent_hint=tool.is_repeatable,
            open_world_hint=False,
        ),
    )


async def _call_tool(context: Any, parameters: Any) -> Any:
    from mcp_types import CallToolResult, TextContent

    answer = await _answer(CALL.get(), parameters.name)
    failed = "error" in answer
    text = str(answer["error"]) if failed else msgspec.json.encode(answer).decode()
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=None if failed else answer,
        is_error=failed,
    )


PROMPT = "load_shared_context_prompt"
PROMPT_ARGUMENTS = {
    "agent": "The slug or id of the agent whose prompt it is for",
    "entity_type": "The slug or id of the type of record that the work is about",
    "task": "What is to be done, in words: rows about it come last",
}


async def _list_prompts(context: Any, parameters: Any) -> Any:
    from mcp_types import ListPromptsResult, Prompt, PromptArgument

    if not CALL.get().caller.actor.may(KNOWLEDGE_READ):
        return ListPromptsResult(prompts=[])
    arguments = [
        PromptArgument(name=name, description=text, required=False) for name, text in PROMPT_ARGUMENTS.items()
    ]
    about = "What this workspace has learnt from feedback on earlier work, for the instructions of an agent"
    return ListPromptsResult(prompts=[Prompt(name=PROMPT, description=about, arguments=arguments)])


async def _get_prompt(context: Any, parameters: Any) -> Any:
    """`manifest` in the result's `_meta` is what the session of whoever uses it names."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS

    made, given = CALL.get(), parameters.arguments or {}
    if parameters.name != PROMPT:
        raise MCPError(INVALID_PARAMS, f"There is no prompt {on_one_line(parameters.name[:SHOWN_NAME])}")
    if unknown := given.keys() - PROMPT_ARGUMENTS.keys():
        raise MCPError(
            INVALID_PARAMS, f"This prompt has no argument {on_one_line(min(unknown)[:SHOWN_NAME])}"
        )
    if frozen := await find_frozen_prompt(made.db, made.caller):
        return _prompt_result(frozen.text, frozen.manifest)
    run = made.caller.run
    agent = given.get("agent") or (str(run.session.agent_id) if run else None)
    try:
        found = await load_knowledge(
            made.db, made.caller.actor, made.outside, agent, given.get("entity_type"), given.get("task")
        )
    except Exception as error:
        known: GoldloopError = as_goldloop_error(error)
        if known.status >= 500:
            log.error("prompt failed", exc_info=error, extra={"code": known.code})
        raise MCPError(INVALID_PARAMS, explained(known)) from None
    return _prompt_result(found.prompt, found.manifest)


def _prompt_result(text: str, manifest: str | None) -> Any:
    from mcp_types import GetPromptResult, PromptMessage, TextContent

    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(messages=[message] if text else [], _meta={"manifest": manifest})


async def _answer(made: McpCall, name: str) -> dict[str, Any]:
    """Whatever goes wrong is an answer that a model can read; the SDK would only say that something has."""
    tool = made.find_tool(name)
    if tool is None:
        return {"error": f"There is no tool {on_one_line(name[:SHOWN_NAME])}"}
    try:
        return await call(made.db, made.outside, made.caller, tool, made.arguments())
    except Exception as error:
        known: GoldloopError = as_goldloop_error(error)
        if known.status >= 500:
            log.error("tool call failed", exc_info=error, extra={"tool": name, "code": known.code})
        return {"error": explained(known)}
