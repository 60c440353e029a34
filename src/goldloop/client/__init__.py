"""The client: Goldloop from Python, without anything of the server.

In flow calls of a program; out flow typed rows and errors. `Client` and `AsyncClient` have the same methods, each
defined once as a description of its request.
"""

from goldloop.client.agent_runs import AgentFunction, AsyncRun, Run, agent
from goldloop.client.background import Background, BackgroundStats
from goldloop.client.clients import AsyncClient, Client
from goldloop.client.conversations import turn_body
from goldloop.client.errors import (
    BadRequest,
    Conflict,
    ConnectionFailed,
    Fault,
    Forbidden,
    GoldloopError,
    InvalidInput,
    NotConfigured,
    NotFound,
    NotInTime,
    ServerError,
    ToolFailed,
    TooManyRequests,
    Unauthenticated,
    UnexpectedAnswer,
)
from goldloop.client.ids import new_id
from goldloop.client.recorded_tools import tool
from goldloop.client.recording import Recording, ToolCall, current_session
from goldloop.client.retries import RetryPolicy
from goldloop.client.sessions import event_body
from goldloop.client.types import Dimension

__all__ = [
    "AgentFunction",
    "AsyncClient",
    "AsyncRun",
    "Background",
    "BackgroundStats",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Dimension",
    "Fault",
    "Forbidden",
    "GoldloopError",
    "InvalidInput",
    "NotConfigured",
    "NotFound",
    "NotInTime",
    "Recording",
    "RetryPolicy",
    "Run",
    "ServerError",
    "TooManyRequests",
    "ToolCall",
    "ToolFailed",
    "Unauthenticated",
    "UnexpectedAnswer",
    "agent",
    "current_session",
    "event_body",
    "new_id",
    "tool",
    "turn_body",
]
