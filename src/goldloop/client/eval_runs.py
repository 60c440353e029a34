"""Eval runs: replay a golden or a set, and see what it came to."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.eval_run_types import (
    EvalForecast,
    EvalMatrix,
    EvalRun,
    EvalRunDetail,
    Replay,
    ReplayDetail,
    TrendPoint,
)
from goldloop.client.ids import Id, new_id
from goldloop.client.workspace import given

Agent = Mapping[str, Any]


class EvalRunMethods(Resource[Kind]):
    @operation("POST", "/api/admin/evals/runs", safe=True)
    def start(
        self,
        golden_session_id: Id,
        *,
        agent: str | None = None,
        version: int | None = None,
        baseline: Agent | str | None = None,
        repeats: int | None = None,
        mode: str | None = None,
        context: str | None = None,
        margin: float | None = None,
        max_cost: float | None = None,
        name: str | None = None,
        id: Id | None = None,
    ) -> Call[EvalRun]:
        """Replay one golden. `baseline` is `{agent, version}` or none, `mode` frozen, hybrid or live, `context` snapshot or live."""
        optional = {
            "agent": agent,
            "version": version,
            "baseline": baseline,
            "repeats": repeats,
            "mode": mode,
            "context": context,
            "margin": margin,
            "maxCost": max_cost,
            "name": name,
        }
        body = {"goldenSessionId": golden_session_id, "id": id or new_id()}
        return Call(EvalRun, body=body | given(optional))

    @operation("POST", "/api/admin/evals/runs/set", safe=True)
    def start_set(
        self,
        set_name: str,
        *,
        agents: Sequence[Agent] | None = None,
        baseline: Agent | str | None = None,
        repeats: int | None = None,
        mode: str | None = None,
        context: str | None = None,
        margin: float | None = None,
        max_cost: float | None = None,
        trigger: str | None = None,
        name: str | None = None,
        commit_sha: str | None = None,
        id: Id | None = None,
    ) -> Call[EvalRun]:
        """Replay every golden of a set by each of the agents, `[{agent, version}]`; the verdict is about the first one."""
        optional = {
            "agents": None if agents is None else list(agents),
            "baseline": baseline,
            "repeats": repeats,
            "mode": mode,
            "context": context,
            "margin": margin,
            "maxCost": max_cost,
            "trigger": trigger,
            "name": name,
            "commitSha": commit_sha,
        }
        return Call(EvalRun, body={"setName": set_name, "id": id or new_id()} | given(optional))

    @operation("POST", "/api/admin/evals/runs/set", safe=True)
    def estimate(
        self,
        set_name: str,
        *,
        agents: Sequence[Agent] | None = None,
        repeats: int | None = None,
    ) -> Call[EvalForecast]:
        """What such a run would use. Nothing is begun."""
        optional = {"agents": None if agents is None else list(agents), "repeats": repeats}
        return Call(EvalForecast, body={"setName": set_name, "dryRun": True} | given(optional))

    @listing("/api/admin/evals/runs")
    def list(
        self,
        *,
        set: str | None = None,
        agent: str | None = None,
        status: str | None = None,
        verdict: str | None = None,
        kind: str | None = None,
        waits: bool | None = None,
    ) -> Call[Page[EvalRun]]:
        """Newest first; `set` is the name of one, `agent` a slug or an id."""
        wanted = {
            "set": set,
            "agent": agent,
            "status": status,
            "verdict": verdict,
            "kind": kind,
            "waits": waits,
        }
        return Call(Page[EvalRun], query=wanted)

    @operation("GET", "/api/admin/evals/runs/{eval_run_id}")
    def show(self, eval_run_id: Id) -> Call[EvalRunDetail]:
        """With a report per agent once it is over."""
        return Call(EvalRunDetail, (eval_run_id,))

    @listing("/api/admin/evals/runs/{eval_run_id}/replays")
    def replays(
        self,
        eval_run_id: Id,
        *,
        golden_id: Id | None = None,
        agent_id: Id | None = None,
        outcome: str | None = None,
    ) -> Call[Page[Replay]]:
        wanted = {"goldenId": golden_id, "agentId": agent_id, "outcome": outcome}
        return Call(Page[Replay], (eval_run_id,), query=wanted)

    @operation("POST", "/api/admin/evals/runs/{eval_run_id}/cancel", safe=True)
    def cancel(self, eval_run_id: Id) -> Call[EvalRunDetail]:
        return Call(EvalRunDetail, (eval_run_id,))

    @operation("POST", "/api/admin/evals/runs/{eval_run_id}/seen", safe=True)
    def see(self, eval_run_id: Id) -> Call[EvalRunDetail]:
        """Somebody has looked at a regression."""
        return Call(EvalRunDetail, (eval_run_id,))

    @operation("GET", "/api/admin/evals/replays/{replay_id}")
    def replay(self, replay_id: Id) -> Call[ReplayDetail]:
        """With its comparison whole."""
        return Call(ReplayDetail, (replay_id,))

    @operation("GET", "/api/admin/evals/matrix")
    def matrix(self, set: str, *, mode: str | None = None, context: str | None = None) -> Call[EvalMatrix]:
        """How agents did on each golden of a set, in the mode and context of its newest run unless told otherwise."""
        return Call(EvalMatrix, query={"set": set, "mode": mode, "context": context})

    @listing("/api/admin/evals/trend")
    def trend(self, set: str, *, agent: str | None = None) -> Call[Page[TrendPoint]]:
        """Runs of a set over time, newest first."""
        return Call(Page[TrendPoint], query={"set": set, "agent": agent})
