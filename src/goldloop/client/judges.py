"""Judges of replays: what their word is worth, their licences, and the labels of people."""

from collections.abc import Mapping
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.judge_types import (
    EvalJudge,
    EvalJudgeDetail,
    JudgeDisagreement,
    JudgeLabel,
    JudgeLicence,
    JudgeSample,
    LabelItem,
    Labelled,
    NextLabelItem,
    OwnLabel,
    QueuedSample,
)
from goldloop.client.workspace import given


class JudgeMethods(Resource[Kind]):
    @listing("/api/admin/evals/judges")
    def list(
        self, *, status: str | None = None, current: bool | None = None, set: str | None = None
    ) -> Call[Page[EvalJudge]]:
        """Who judged last first; `set` is the name of a set of goldens."""
        return Call(Page[EvalJudge], query={"status": status, "current": current, "set": set})

    @operation("GET", "/api/admin/evals/judges/{judge_id}")
    def show(self, judge_id: Id) -> Call[EvalJudgeDetail]:
        """With what people's labels say of it."""
        return Call(EvalJudgeDetail, (judge_id,))

    @listing("/api/admin/evals/judges/{judge_id}/disagreements")
    def disagreements(self, judge_id: Id) -> Call[Page[JudgeDisagreement]]:
        return Call(Page[JudgeDisagreement], (judge_id,))

    @listing("/api/admin/evals/judges/{judge_id}/labels")
    def labels(self, judge_id: Id) -> Call[Page[JudgeLabel]]:
        """Of samples that have ended, newest first."""
        return Call(Page[JudgeLabel], (judge_id,))

    @listing("/api/admin/evals/judges/{judge_id}/licences")
    def licences(self, judge_id: Id) -> Call[Page[JudgeLicence]]:
        return Call(Page[JudgeLicence], (judge_id,))

    @operation("POST", "/api/admin/evals/judges/{judge_id}/licences")
    def license(self, judge_id: Id) -> Call[JudgeLicence]:
        """A person's act; refused where people's labels do not bear it."""
        return Call(JudgeLicence, (judge_id,))

    @operation("POST", "/api/admin/evals/judges/{judge_id}/licences/{licence_id}/withdraw", safe=True)
    def withdraw(self, judge_id: Id, licence_id: Id) -> Call[JudgeLicence]:
        return Call(JudgeLicence, (judge_id, licence_id))

    @operation("POST", "/api/admin/evals/judges/{judge_id}/samples", safe=True)
    def draw(
        self,
        judge_id: Id,
        *,
        size: int | None = None,
        run_id: Id | None = None,
        set_name: str | None = None,
        labels_each: int | None = None,
        id: Id | None = None,
    ) -> Call[JudgeSample]:
        """Judged replays for people to label, at random: of one run, of one set or of all."""
        optional = {
            "size": size,
            "runId": run_id,
            "setName": set_name,
            "labelsEach": labels_each,
        }
        return Call(JudgeSample, (judge_id,), body={"id": id or new_id()} | given(optional))

    @listing("/api/admin/evals/judges/{judge_id}/samples")
    def samples(self, judge_id: Id) -> Call[Page[JudgeSample]]:
        return Call(Page[JudgeSample], (judge_id,))

    @operation("POST", "/api/admin/evals/judges/{judge_id}/samples/{sample_id}/stop", safe=True)
    def stop(self, judge_id: Id, sample_id: Id) -> Call[JudgeSample]:
        """End a sample; what is labelled counts."""
        return Call(JudgeSample, (judge_id, sample_id))

    @listing("/api/admin/evals/judges/queue")
    def queue(self) -> Call[Page[QueuedSample]]:
        """Samples that wait for the caller's labels."""
        return Call(Page[QueuedSample])

    @operation("GET", "/api/admin/evals/judges/queue/{sample_id}/next")
    def next(self, sample_id: Id) -> Call[NextLabelItem]:
        return Call(NextLabelItem, (sample_id,))

    @operation("GET", "/api/admin/evals/judges/queue/{sample_id}/replays/{replay_id}")
    def item(self, sample_id: Id, replay_id: Id) -> Call[LabelItem]:
        return Call(LabelItem, (sample_id, replay_id))

    @operation("PUT", "/api/admin/evals/judges/queue/{sample_id}/replays/{replay_id}", safe=True)
    def label(
        self,
        sample_id: Id,
        replay_id: Id,
        passed: bool | None,
        *,
        values: Mapping[str, Any] | None = None,
        note: str | None = None,
    ) -> Call[Labelled]:
        """Whether it meets the rubric, None where that cannot be told; `values` are on the scales of the ratings."""
        optional = {"values": values, "note": note}
        return Call(Labelled, (sample_id, replay_id), body={"passed": passed} | given(optional))

    @listing("/api/admin/evals/judges/queue/{sample_id}/labels")
    def own_labels(self, sample_id: Id) -> Call[Page[OwnLabel]]:
        return Call(Page[OwnLabel], (sample_id,))
