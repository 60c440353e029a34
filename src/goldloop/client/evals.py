"""Evals: goldens with what was frozen of them, their sets, and candidates."""

from collections.abc import Sequence
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.eval_run_types import GoldenExport
from goldloop.client.eval_types import (
    Candidates,
    Golden,
    GoldenDetail,
    GoldenSet,
    ProposedFacts,
    ResolvedCandidate,
    StarterSet,
    StarterSets,
)
from goldloop.client.ids import Id
from goldloop.client.workspace import given

_KEEP: Any = object()


class EvalMethods(Resource[Kind]):
    @operation("POST", "/api/admin/evals/golden", safe=True)
    def promote(
        self,
        session_id: Id,
        set: str | None = None,
        *,
        note: str | None = None,
        criteria_set_id: Id | None = None,
        effects: str | None = None,
        facts: Sequence[str] | None = None,
        min_pass: float | None = None,
        floor: bool | None = None,
    ) -> Call[Golden]:
        """A completed session becomes one that others are held to. `effects` is exact, contains or off."""
        optional = {
            "set": set,
            "note": note,
            "criteriaSetId": criteria_set_id,
            "effects": effects,
            "facts": None if facts is None else list(facts),
            "minPass": min_pass,
            "floor": floor,
        }
        return Call(Golden, body={"sessionId": session_id} | given(optional))

    @listing("/api/admin/evals/golden")
    def goldens(self, *, set: str | None = None) -> Call[Page[Golden]]:
        """Newest first; `set` is the name of one."""
        return Call(Page[Golden], query={"set": set})

    @operation("GET", "/api/admin/evals/golden/{golden_id}")
    def golden(self, golden_id: Id) -> Call[GoldenDetail]:
        """With what was frozen of it; its id is that of its session."""
        return Call(GoldenDetail, (golden_id,))

    @operation("GET", "/api/admin/evals/golden/{golden_id}/facts")
    def golden_facts(self, golden_id: Id) -> Call[ProposedFacts]:
        return Call(ProposedFacts, (golden_id,))

    @operation("GET", "/api/admin/evals/facts")
    def facts(self, session_id: Id) -> Call[ProposedFacts]:
        """What a good answer might have to say if the session were golden."""
        return Call(ProposedFacts, query={"sessionId": session_id})

    @operation("PATCH", "/api/admin/evals/golden/{golden_id}")
    def change(
        self,
        golden_id: Id,
        *,
        set: str | None = None,
        note: str | None = None,
        criteria_set_id: Id | None = _KEEP,
        effects: str | None = None,
        facts: Sequence[str] | None = None,
        min_pass: float | None = _KEEP,
    ) -> Call[Golden]:
        """None for a criteria set or a least share takes it away."""
        optional = {
            "set": set,
            "note": note,
            "effects": effects,
            "facts": None if facts is None else list(facts),
        }
        nullable = {"criteriaSetId": criteria_set_id, "minPass": min_pass}
        changed = {name: value for name, value in nullable.items() if value is not _KEEP}
        return Call(Golden, (golden_id,), body=given(optional) | changed)

    @operation("DELETE", "/api/admin/evals/golden/{golden_id}")
    def revoke(self, golden_id: Id) -> Call[None]:
        """Its session is an ordinary one again."""
        return Call(None, (golden_id,))

    @operation("PUT", "/api/admin/evals/golden/{golden_id}/alternatives/{session_id}")
    def accept(self, golden_id: Id, session_id: Id) -> Call[Golden]:
        """A session that is as good."""
        return Call(Golden, (golden_id, session_id))

    @operation("DELETE", "/api/admin/evals/golden/{golden_id}/alternatives/{session_id}")
    def accept_no_more(self, golden_id: Id, session_id: Id) -> Call[None]:
        return Call(None, (golden_id, session_id))

    @listing("/api/admin/evals/sets")
    def sets(self) -> Call[Page[GoldenSet]]:
        """By name."""
        return Call(Page[GoldenSet])

    @operation("PATCH", "/api/admin/evals/sets/{golden_set_id}")
    def rename_set(self, golden_set_id: Id, name: str) -> Call[GoldenSet]:
        return Call(GoldenSet, (golden_set_id,), body={"name": name})

    @operation("GET", "/api/admin/evals/sets/{golden_set_id}/export")
    def export(self, golden_set_id: Id, *, cursor: str | None = None) -> Call[GoldenExport]:
        """Goldens of a set whole, oldest first; `next_cursor` leads to the next ones."""
        return Call(GoldenExport, (golden_set_id,), query={"cursor": cursor})

    @operation("GET", "/api/admin/evals/starters")
    def starters(self) -> Call[StarterSets]:
        """Sets of goldens to begin with, and how far each is loaded."""
        return Call(StarterSets)

    @operation("POST", "/api/admin/evals/starters/{starter}", safe=True)
    def load_starter(self, starter: str, *, trials: bool | None = None) -> Call[StarterSet]:
        """Its sessions run and become goldens; with `trials` other versions of its agent are tried then. Again: no change."""
        return Call(StarterSet, (starter,), body=given({"trials": trials}))

    @operation("GET", "/api/admin/evals/candidates")
    def candidates(self, *, limit: int | None = None) -> Call[Candidates]:
        """What users asked where agents did badly, the most complained of first."""
        return Call(Candidates, query={"limit": limit})

    @operation("PATCH", "/api/admin/evals/candidates", safe=True)
    def resolve(self, feedback_ids: Sequence[Id], action: str) -> Call[ResolvedCandidate]:
        """`action` is applied or dismissed."""
        return Call(ResolvedCandidate, body={"feedbackIds": list(feedback_ids), "action": action})
