"""Use cases of replays: what one is asked, and that it is compared when it is over."""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.model import Effects
from goldloop.goldens.cases import service as cases
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.replays.snapshots import brief_of, drawn_prompt, prompt_of
from goldloop.goldens.runs.model import ReplayContext
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.queue import set_marks
from goldloop.kit.tools import TOOLS
from goldloop.knowledge.prompts import trial_service as trials
from goldloop.runtimes.model import Brief, Prompt
from goldloop.sessions.beginning import REPLAY
from goldloop.sessions.model import Session

COMPARE = "goldens.compare"  # the mark of a replay that is over


class FrozenGolden(NamedTuple):
    """What a replay is given and held to. `private` is what only its agent reads."""

    id: UUID
    snapshot: dict[str, Any]
    private: dict[str, Any]
    alternatives: list[UUID]
    effects: Effects
    facts: list[str]
    criteria_set_id: UUID | None
    revision: int


async def access_frozen(tx: Tx, golden_id: UUID) -> FrozenGolden:
    golden, session, _ = await cases.access_snapshot(tx, golden_id)
    return FrozenGolden(
        golden_id,
        session.metadata["golden"]["snapshot"],
        await case_store.find_private(tx, golden_id),
        golden.alternatives,
        golden.effects,
        golden.facts,
        golden.criteria_set_id,
        golden.revision,
    )


def criteria_of(golden: FrozenGolden) -> Any:
    """The dimensions that a response is compared by, as they were frozen; None where there is no criteria set."""
    return (golden.snapshot.get("criteria") or {}).get("dimensions")


def golden_id_of(replay: Session) -> UUID:
    return UUID(replay.metadata["eval_source"])


async def write(tx: Tx, session: Session) -> Brief:
    golden = await access_frozen(tx, golden_id_of(session))
    brief = brief_of(golden.snapshot, frozenset(TOOLS))
    return msgspec.structs.replace(brief, repeat=session.metadata["eval_repeat"])


async def load_prompt(tx: Tx, session: Session) -> Prompt | None:
    """None where the replay is to know what is known now. What was drawn for it stands beside the memories of its golden."""
    context = session.metadata.get("eval_context")
    if context == ReplayContext.LIVE:
        return None
    golden = await access_frozen(tx, golden_id_of(session))
    if context == ReplayContext.DRAWN:
        body = await trials.load_body(tx, session.manifest) if session.manifest else ""
        return drawn_prompt(body, session.manifest, golden.private)
    return prompt_of(golden.snapshot, golden.private)


async def mark_ended(tx: Tx, event: Event) -> None:
    """In the transaction that ends a session: a replay is to be compared."""
    payload: dict[str, Any] = event.payload
    if payload["purpose"] == REPLAY:
        await set_marks(tx, COMPARE, [event.subject_id])
