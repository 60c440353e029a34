"""Experiments: what each row of knowledge is worth."""

from collections.abc import Sequence

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.experiment_types import Experiment, ExperimentDetail, ExperimentForecast
from goldloop.client.ids import Id, new_id
from goldloop.client.workspace import given


class ExperimentMethods(Resource[Kind]):
    @operation("POST", "/api/admin/evals/experiments", safe=True)
    def start(
        self,
        set_name: str,
        *,
        golden_ids: Sequence[Id] | None = None,
        agent: str | None = None,
        version: int | None = None,
        row_ids: Sequence[Id] | None = None,
        design: str | None = None,
        replays: int | None = None,
        confirms: bool | None = None,
        pairs: int | None = None,
        mode: str | None = None,
        max_cost: float | None = None,
        name: str | None = None,
        id: Id | None = None,
    ) -> Call[Experiment]:
        """Replay goldens of a set, each time with a random half of what applies. `design` is halves or pairs."""
        optional = {
            "goldenIds": None if golden_ids is None else list(golden_ids),
            "agent": agent,
            "version": version,
            "rowIds": None if row_ids is None else list(row_ids),
            "design": design,
            "replays": replays,
            "confirms": confirms,
            "pairs": pairs,
            "mode": mode,
            "maxCost": max_cost,
            "name": name,
        }
        return Call(Experiment, body={"setName": set_name, "id": id or new_id()} | given(optional))

    @operation("POST", "/api/admin/evals/experiments", safe=True)
    def foresee(
        self,
        set_name: str,
        *,
        golden_ids: Sequence[Id] | None = None,
        agent: str | None = None,
        version: int | None = None,
        row_ids: Sequence[Id] | None = None,
        design: str | None = None,
        replays: int | None = None,
        confirms: bool | None = None,
        pairs: int | None = None,
        mode: str | None = None,
    ) -> Call[ExperimentForecast]:
        """What it would use, and which effects it would find; nothing is begun."""
        optional = {
            "goldenIds": None if golden_ids is None else list(golden_ids),
            "agent": agent,
            "version": version,
            "rowIds": None if row_ids is None else list(row_ids),
            "design": design,
            "replays": replays,
            "confirms": confirms,
            "pairs": pairs,
            "mode": mode,
        }
        return Call(ExperimentForecast, body={"setName": set_name, "dryRun": True} | given(optional))

    @listing("/api/admin/evals/experiments")
    def list(
        self, *, set: str | None = None, status: str | None = None, row_id: Id | None = None
    ) -> Call[Page[Experiment]]:
        """Newest first; `set` is the name of one, `row_id` a row that they measure."""
        return Call(Page[Experiment], query={"set": set, "status": status, "rowId": row_id})

    @operation("GET", "/api/admin/evals/experiments/{experiment_id}")
    def show(self, experiment_id: Id) -> Call[ExperimentDetail]:
        """With what it found about each row."""
        return Call(ExperimentDetail, (experiment_id,))

    @operation("POST", "/api/admin/evals/experiments/{experiment_id}/cancel", safe=True)
    def cancel(self, experiment_id: Id) -> Call[ExperimentDetail]:
        return Call(ExperimentDetail, (experiment_id,))
