"""What waits for a person: judged replays to be labelled."""

from goldloop.goldens.judges import sample_store
from goldloop.goldens.judges.events import EVAL_LABELS
from goldloop.goldens.permissions import EVALS_LABEL
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "labels",
    label="Replays to label",
    permissions=(EVALS_LABEL,),
    topic=EVAL_LABELS,
    path="/admin/agent-review/evals/labelling",
)
async def count_waiting(tx: Tx) -> Waiting:
    if tx.actor.kind is not ActorKind.USER or tx.actor.id is None:
        return Waiting(0)
    return Waiting(await sample_store.count_waiting(tx, tx.actor.id, MOST_COUNTED + 1))
