"""Which replays people label now: what a judge says of those is shown to nobody."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.beginning import JUDGING, REPLAY
from goldloop.sessions.list_store import session_json
from goldloop.sessions.model import EVAL_RESULT

_JUDGED = "(p.input ->> 'replay_id')::uuid"
_SHOWN = session_json()
_WITHOUT_RESULT = session_json(f"p.metadata - '{EVAL_RESULT}'")


def _labelled(replay_id: str) -> str:
    """Whether a replay is in a sample which people label, in a statement whose first parameter is the tenant."""
    return f"""EXISTS (
        SELECT FROM eval_judge_sampled m JOIN eval_judge_samples s ON s.tenant_id = m.tenant_id AND s.id = m.sample_id
        WHERE m.tenant_id = $1 AND m.replay_id = {replay_id} AND s.state = 'open')"""


# `shown` and `is_hidden` in SQL, by what a list is of: the JSON of a session for who may read what came of replays.
_TO_READERS = {
    REPLAY: f"CASE WHEN {_labelled('p.id')} THEN {_WITHOUT_RESULT} ELSE {_SHOWN} END",
    JUDGING: f"CASE WHEN NOT {_labelled(_JUDGED)} THEN {_SHOWN} END",
}


def listed_json(purpose: str | None, may_read: bool) -> str:
    """The JSON of a session in a list of one purpose, or of those that are neither replays nor judgings (None)."""
    return _TO_READERS.get(purpose or "", _SHOWN) if may_read else _WITHOUT_RESULT


async def list_labelled(tx: Tx, replay_ids: Sequence[UUID]) -> set[UUID]:
    """Those of replays that are in a sample which people label."""
    rows = await tx.fetch(
        f"SELECT r.id FROM unnest($2::uuid[]) r (id) WHERE {_labelled('r.id')}",
        tx.actor.tenant_id,
        list(replay_ids),
    )
    return {row["id"] for row in rows}
