"""What waits for a person: regressions that fresh repeats have confirmed."""

from goldloop.goldens.permissions import EVALS_MANAGE
from goldloop.goldens.runs import store
from goldloop.goldens.runs.events import EVAL_RUNS
from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "regressions",
    label="Regressions",
    permissions=(EVALS_MANAGE,),
    topic=EVAL_RUNS,
    path="/admin/agent-review/evals?tab=runs&verdict=regression",
)
async def count_waiting(tx: Tx) -> Waiting:
    return Waiting(await store.count_waiting(tx, MOST_COUNTED + 1))
