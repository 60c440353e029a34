"""Many workspaces with the same ids and broken spans: no batch is lost for one bad span, and none sees another's."""

from contextlib import AsyncExitStack
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.factories import make_workspace
from tests.loops import some
from tests.otlp.ground import Emitter
from tests.otlp.hostile import REJECTED, hostile_request, session_names

WORKSPACES = 6
REQUESTS = 2


async def test_no_batch_is_lost_for_a_bad_span_and_no_workspace_sees_anothers(
    worker_db: Database, app: Any, outside: Outside
) -> None:
    async with AsyncExitStack() as open_workspaces:
        emitters = []
        for _ in range(WORKSPACES):
            workspace = await open_workspaces.enter_async_context(make_workspace(worker_db, app))
            emitters.append(Emitter(workspace, await workspace.client(Role.CONTRIBUTOR), outside))
        for number in range(REQUESTS):
            for emitter in some(emitters):
                sent = hostile_request(emitter.workspace.slug, number, megabyte=number == 0)
                answer = await emitter.send(sent)
                assert answer.status_code == 200
                told = ExportTraceServiceResponse.FromString(answer.content).partial_success
                assert told.rejected_spans == REJECTED
                assert "no trace id of 16 bytes" in told.error_message
        for emitter in some(emitters):
            await emitter.work()
            await _check(emitter)


async def _check(emitter: Emitter) -> None:
    sessions = await emitter.sessions()
    wanted = [name for number in range(REQUESTS) for name in session_names(number)]
    assert sorted(session["external_id"] for session in sessions) == sorted(wanted)
    for session in some(sessions):
        assert (session["status"], session["requests"], session["tool_calls"]) == ("completed", 1, 5)
        (asked,) = await emitter.told(session, "user.message")
        assert asked["text"] == f"{emitter.workspace.slug} asks"
        (answered,) = await emitter.told(session, "agent.message")
        assert answered["text"] == f"{emitter.workspace.slug} is answered"
