"""The built-in runtime: an agent of pydantic-ai whose requests and tool calls are the session's events. Infrastructure.

Goes on from the messages that were recorded. A finished tool call is answered by the session's log and not run again.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from pydantic_ai import Agent, ModelRetry, RunContext, StructuredDict, UnexpectedModelBehavior
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_ai.usage import UsageLimits
from pydantic_core import SchemaValidator, core_schema

from goldloop.agents.model import SecretName
from goldloop.kit.outside import Outside
from goldloop.runtimes.model import MODELS, Prompt, RunFailed, RunPlan
from goldloop.runtimes.scripted_models import PROVIDER
from goldloop.runtimes.session_log import SessionLog
from goldloop.runtimes.unsealing import unsealed

NO_LIMIT = UsageLimits(request_limit=None)  # the session's log keeps the agent's own
ANYTHING = SchemaValidator(core_schema.any_schema())  # the tool reads its arguments itself
MESSAGE_CHARACTERS = 2000  # of an error


async def run(plan: RunPlan, log: SessionLog, outside: Outside) -> Any:
    key = unsealed(plan, outside, SecretName.MODEL_KEY)
    async with outside[MODELS](plan.config, key) as model:
        return await _ask(model, plan, log)


async def _ask(model: Any, plan: RunPlan, log: SessionLog) -> Any:
    history = ModelMessagesTypeAdapter.validate_python(log.past.messages)
    begun = bool(history)
    agent: Agent[None, Any] = Agent(
        model,
        output_type=StructuredDict(plan.brief.output_schema, name="result")
        if plan.brief.output_schema
        else str,
        instructions=plan.instructions or None,
        model_settings=_settings(plan),
        toolsets=[_Tools(plan, log)],
        capabilities=[_Recording(log, plan.prompt)],
        name=plan.session.agent,
    )

    @agent.output_validator
    async def check(output: Any) -> Any:
        if (fault := await log.check_output(output)) is not None:
            raise ModelRetry(fault)
        return output

    try:
        result = await agent.run(
            None if begun else plan.brief.message,
            message_history=history if begun else _spoken(plan),
            usage_limits=NO_LIMIT,
        )
    except UserError as error:
        raise RunFailed("no_model", _text(error)) from error
    except UnexpectedModelBehavior as error:
        raise RunFailed("model_failed", _text(error)) from error
    except AgentRunError as error:
        raise RunFailed("model_failed", _text(error)) from error
    return log.redaction.value(result.output)


def _settings(plan: RunPlan) -> ModelSettings | None:
    """A script is told which repeat it is. No other model is: it varies by itself, and some refuse a seed."""
    is_scripted = (plan.config.model or "").startswith(f"{PROVIDER}:")
    return ModelSettings(seed=plan.brief.repeat) if is_scripted else None


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS]


def _spoken(plan: RunPlan) -> list[ModelMessage]:
    return [
        ModelRequest(parts=[UserPromptPart(content=message.content)])
        if message.role == "user"
        else ModelResponse(parts=[TextPart(content=message.content)])
        for message in plan.spoken
    ]


@dataclass
class _Recording(AbstractCapability[None]):
    """Writes each request before it is sent, and its answer. Whoever may see the session reads that, so what of the prompt is
    private is left out; a run that goes on is given it anew."""

    log: SessionLog
    prompt: Prompt

    async def wrap_model_request(
        self, ctx: RunContext[None], *, request_context: ModelRequestContext, handler: Any
    ) -> ModelResponse:
        new = _since_last_answer(request_context.messages, first=not self.log.responses)
        name = request_context.model.model_name
        await self.log.model_request(name, self._recorded(new))
        began = time.monotonic()
        response = await self._answer(handler, request_context)
        took = round((time.monotonic() - began) * 1000)
        await self.log.model_response(_payload(name, response, took), _texts(response))
        return response

    def _recorded(self, messages: Sequence[ModelMessage]) -> list[Any]:
        public = [
            replace(message, instructions=self.prompt.recorded(message.instructions))
            if isinstance(message, ModelRequest) and message.instructions
            else message
            for message in messages
        ]
        recorded: list[Any] = ModelMessagesTypeAdapter.dump_python(public, mode="json")
        return recorded

    async def _answer(self, handler: Any, request_context: ModelRequestContext) -> ModelResponse:
        try:
            response: ModelResponse = await handler(request_context)
        except (AgentRunError, UserError):
            raise
        except Exception as error:  # what a library makes of an answer that is none
            raise RunFailed("model_failed", _text(error)) from error
        return response


def _since_last_answer(messages: Sequence[ModelMessage], *, first: bool) -> list[ModelMessage]:
    """What was not recorded before: of a session's first request all, also what was said before the session."""
    if first:
        return list(messages)
    last = max((place for place, m in enumerate(messages) if isinstance(m, ModelResponse)), default=-1)
    return list(messages[last + 1 :])


def _payload(model: str, response: ModelResponse, took: int) -> dict[str, Any]:
    message = ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]
    known = {
        "model": response.model_name or model,
        "input_tokens": response.usage.input_tokens,
        "output_tokens": response.usage.output_tokens,
        "cost": _cost(response),
        "finish_reason": response.finish_reason,
        "duration_ms": took,
        "message": message,
    }
    return {key: value for key, value in known.items() if value is not None}


def _cost(response: ModelResponse) -> float | None:
    """In US dollars; None for a model whose prices nobody knows."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def _texts(response: ModelResponse) -> list[str]:
    return [part.content for part in response.parts if isinstance(part, TextPart) and part.content.strip()]


class _Tools(AbstractToolset[None]):
    """The tools of the agent's groups. Arguments that cannot be read are a result with `error`, as over HTTP."""

    def __init__(self, plan: RunPlan, log: SessionLog) -> None:
        self._log = log
        schemas = [(tool.name, tool.description, msgspec.json.schema(tool.arguments)) for tool in plan.tools]
        schemas += [(tool.name, tool.description, tool.parameters) for tool in plan.brief.foreign_tools]
        self._definitions = [
            ToolDefinition(name=name, description=description, parameters_json_schema=schema)
            for name, description, schema in schemas
        ]

    @property
    def id(self) -> str:
        return "goldloop"

    async def get_tools(self, ctx: RunContext[None]) -> dict[str, ToolsetTool[None]]:
        return {
            definition.name: ToolsetTool(
                toolset=self, tool_def=definition, max_retries=1, args_validator=ANYTHING
            )
            for definition in self._definitions
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[None], tool: ToolsetTool[None]
    ) -> Any:
        assert ctx.tool_call_id is not None
        return await self._log.call_tool(name, tool_args, ctx.tool_call_id)
